"""Tables of the agreement within groups of annotators, and with the others."""

from collections.abc import Iterator

from scoring.exports.report.tables import Line, Table, Tree, down, whole

LINES = {
    "ratings": [
        whole("Annotators", "people"),
        whole("Ratings", "ratings"),
        whole("Pairs rated at least twice", "units"),
        Line("α, interval", "alpha"),
        whole("Pairs also rated by others", "shared"),
        Line("r with the others", "pearson"),
        Line("Mean difference", "shift"),
    ],
    "choices": [
        whole("Annotators", "people"),
        whole("Choices", "choices"),
        whole("Tuples judged at least twice", "tuples"),
        Line("α, best item", "alpha_best"),
        Line("α, worst item", "alpha_worst"),
        whole("Items also judged by others", "shared"),
        Line("r with the others", "pearson"),
    ],
}
NOTES = {
    "ratings": (
        "Krippendorff’s α (interval) of the ratings of the group; Pearson’s r of the mean ratings of the group with "
        "those of the other annotators, and their mean difference, above 0 if the group rates higher. All rounds and "
        "contexts together: a pair counts once for each round and context."
    ),
    "choices": (
        "Krippendorff’s nominal α of the item chosen by the group; Pearson’s r of the scores by counting from its "
        "choices with those from the choices of the other annotators."
    ),
}
BY_ANSWER = "Only shown to members of the project, and in no release. "
POOL = "pool"


def agreement(results: Tree) -> Iterator[Table]:
    """Yield a table for each kind of judgment and each way to group people: by pool, or by the answer to a question."""
    for name, kinds in results.get("subgroups", {}).items():
        how = name if name == POOL else f"answer to “{name}”"
        for kind, groups in kinds.items():
            rows = {own["group"]: own for own in groups}
            note = NOTES[kind] if name == POOL else BY_ANSWER + NOTES[kind]
            yield down(f"Agreement of the {kind} by {how}", rows, LINES[kind], note)
