"""How much was collected: ratings per pair, person-hours, and the datasets made of the judgments (Czech News 6)."""

from collections.abc import Iterator

from annotation.protocols.spec import Protocol
from scoring.exports.report.ratings import by_place, place_in_words
from scoring.exports.report.tables import Line, Table, Tree, down, printed, whole
from scoring.figures.wording import counted

MOST_NUMBERS = 20
"""Numbers of ratings of a pair that have a row of their own."""
SPREAD = [whole("Pairs", "pairs"), Line("Mean", "mean"), Line("Standard deviation", "sd"), Line("Variance", "variance")]
TEST = {
    "free": "test, without context",
    "dependent": "test, with context",
    "sig_free": "test-sig, without context",
    "sig_dependent": "test-sig, with context",
}
ALL_ROUNDS = "All rounds"


def coverage(results: Tree) -> Iterator[Table]:
    """Yield the table of how many pairs have how many ratings."""
    places = by_place(results.get("coverage", {}))
    found = sorted({ratings for own in places.values() for ratings in own["ratings"]})
    if not found:
        return
    shown, more = found[:MOST_NUMBERS], found[MOST_NUMBERS:]
    lines = [whole(counted(ratings, "rating"), str(ratings)) for ratings in shown]
    lines += [whole(f"{more[0]:,} ratings or more", "more")] if more else []
    rows = {place: _numbers(own, shown) for place, own in places.items()}
    note = "Counted ratings of the main block, without calibration pairs and withdrawn pairs."
    yield down("Pairs by number of ratings", rows, [whole("Pairs", "pairs"), *lines], note)


def _numbers(own: Tree, shown: list[int]) -> Tree:
    known = dict(zip(own["ratings"], own["number"], strict=True))
    single = {str(ratings): known.get(ratings, 0) for ratings in shown}
    return {"pairs": own["pairs"], **single, "more": own["pairs"] - sum(single.values())}


def coverage_sentences(results: Tree, protocol: Protocol) -> Iterator[str]:
    """Yield how many pairs have fewer than seven of nine ratings (Czech News 6), or that share of another number."""
    for place, own in by_place(results.get("coverage", {})).items():
        if any(own["ratings"]) and own["wanted"] and (own["wanted"] > 1 or own["below"]):
            yield _few(place_in_words(place, protocol), own)


def _few(place: str, own: Tree) -> str:
    where = place.capitalize() if place.startswith("with") else f"In {place}"
    below, verb = (f"{own['below']:,}", "have") if own["below"] > 1 else (("none", "one")[own["below"]], "has")
    pairs = f"{below} of {counted(own['pairs'], 'pair')}"
    if own["below"] == own["pairs"] > 1:
        pairs = f"all {own['pairs']:,} pairs"
    few = "no rating" if own["enough"] == 1 else f"fewer than {own['enough']:,} ratings"
    return f"{where}, {pairs} {verb} {few}; the protocol requires {own['wanted']:,}."


def effort(results: Tree) -> Iterator[Table]:
    """Yield the table of person-hours."""
    if found := results.get("effort"):
        rows = dict(found["rounds"])
        if len(rows) > 1:
            rows[ALL_ROUNDS] = found["total"]
        lines = [
            whole("Answers", "answers"),
            whole("Answers with a measured time", "timed"),
            Line("Person-hours", "hours", 1),
        ]
        lines.append(Line("Person-hours of counted answers", "hours_counted", 1))
        note = "The sum of the active times of all stored answers; practice and question pages are not timed."
        yield down("Person-hours", rows, lines, note)


def effort_sentence(results: Tree) -> Iterator[str]:
    """Yield the person-hours of all rounds and of each, if any answer was timed."""
    found = results.get("effort")
    if not found or found["total"]["hours"] is None:
        return
    total, rounds = found["total"], found["rounds"]
    parts = [
        (f"{name}: {printed(own['hours'], 1)} by " if len(rounds) > 1 else "")
        + f"{counted(own['people'], 'annotator')}, mean {printed(own['hours_per_person'], 2)} hours each"
        for name, own in rounds.items()
        if own["hours"] is not None
    ]
    yield f"Annotation took {printed(total['hours'], 1)} person-hours of active time ({'; '.join(parts)})."
    if missing := total["answers"] - total["timed"]:
        verb = "is" if missing == 1 else "are"
        yield f"{counted(missing, 'answer')} without a measured time {verb} not included."


def datasets(results: Tree) -> Iterator[Table]:
    """Yield the table of the datasets that the preset publishes (Czech News, table 2)."""
    if found := results.get("datasets"):
        rows = {f"train-{name}": own for name, own in found["train"].items()}
        several = len(found["test"]) > 1
        for round_, own in found["test"].items():
            rows |= {f"{round_}: {label}" if several else label: own[name] for name, label in TEST.items()}
        note = (
            "Training data: values given in the selection to pairs that no later round used. Test data: mean ratings "
            "of pairs. test-sig: pairs whose two means differ with p ≤ 0.05 by Student’s t-test. Standard deviation "
            "and variance with n − 1."
        )
        yield down("Datasets: mean and variance of the scores", rows, SPREAD, note)
