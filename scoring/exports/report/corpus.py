"""Tables of problems in the texts, and of the distribution of the items."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, down, whole

KINDS = {
    "encoding": "Read in the wrong encoding",
    "invisible": "Invisible characters",
    "direction": "Marks of direction",
    "url": "Web addresses",
    "e-mail": "E-mail addresses",
    "mention": "Mentions",
    "id": "Ids",
    "lost": "Lost characters",
    "empty": "Empty texts",
    "same sides": "Both sides the same",
    "repeated": "Repeated",
    "nearly repeated": "Nearly repeated",
    "repeated text": "Texts that also occur in another item",
}
BALANCE = {
    "words": "Words in a text, in bins of five",
    "overlap": "Share of words in common, in tenths",
    "language": "Language",
    "source": "Source",
    "domain": "Domain",
    "heuristic": "Heuristic of pairing",
}


def corpus(results: Tree) -> Iterator[Table]:
    found = results.get("corpus")
    if found is None:
        return
    yield _findings(found)
    rows = {label: _spread(found["balance"][name]) for name, label in BALANCE.items() if name in found["balance"]}
    scores = found["scores"]
    places = {"": scores["choices"]} if "choices" in scores else by_place(scores)
    rows |= {f"Scores in ten bands{f', {place}' if place else ''}": _spread(own) for place, own in places.items()}
    lines = [whole("Labels", "labels"), Line("Most frequent", "most"), Line("Its share", "largest_share")]
    note = "Evenness: entropy over its maximum, 1 where all are equally frequent."
    yield down("How the items are spread", rows, [*lines, Line("Evenness", "evenness")], note)
    heuristics = found["heuristics"]
    named = zip(heuristics["heuristic"], heuristics["number"], heuristics["overlap"], strict=True)
    if by_heuristic := {name or "Not told": {"number": many, "overlap": overlap} for name, many, overlap in named}:
        lines = [whole("Items", "number"), Line("Share of words in common, mean", "overlap")]
        yield down("Heuristics by which the pairs were built", by_heuristic, lines)


def _findings(found: Tree) -> Table:
    kinds = zip(found["kind"], found["findings"], found["found_in"], strict=True)
    rows = {KINDS[kind]: {"findings": many, "items": items} for kind, many, items in kinds}
    english = found["expletives"]
    where = f"{found['items_found']:,} of {found['items']:,}" if found["items_found"] else f"none of {found['items']:,}"
    note = f"Something was found in {where} items. Expletives: "
    if english["share"] is None:
        note += f"not defined, as {english['share_reason']}."
    else:
        note += f"in {100 * english['share']:.1f} % of {english['texts']:,} English texts."
    return down("What the texts hold", rows, [whole("Findings", "findings"), whole("Items", "items")], note)


def _spread(found: Tree) -> Tree:
    """Return the table with the most frequent label; none without a distribution."""
    most = max(zip(found["number"], found["label"], strict=True), key=lambda one: one[0], default=None)
    missing = {"most": None, "most_reason": found.get("largest_share_reason", "")}
    return {**found, **(missing if most is None else {"most": most[1] or "not given"})}
