"""Tables of problems in the texts, and of the distribution of the items."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, down, whole

KINDS = {
    "encoding": "Encoding errors",
    "invisible": "Invisible characters",
    "direction": "Bidirectional control characters",
    "markup": "HTML tags or entities",
    "url": "Web addresses",
    "e-mail": "Email addresses",
    "mention": "Mentions",
    "id": "IDs",
    "lost": "Lost characters",
    "empty": "Empty texts",
    "same sides": "Identical texts in a pair",
    "repeated": "Duplicates",
    "nearly repeated": "Near-duplicates",
    "repeated text": "Texts that also occur in another item",
}
BALANCE = {
    "words": "Words per text (bins of five)",
    "overlap": "Share of words in common (tenths)",
    "language": "Language",
    "source": "Source",
    "domain": "Domain",
    "heuristic": "Pairing heuristic",
}


def corpus(results: Tree) -> Iterator[Table]:
    found = results.get("corpus")
    if found is None:
        return
    yield _findings(found)
    rows = {label: _spread(found["balance"][name]) for name, label in BALANCE.items() if name in found["balance"]}
    scores = found["scores"]
    places = {"": scores["choices"]} if "choices" in scores else by_place(scores)
    rows |= {f"Scores (ten bands){f', {place}' if place else ''}": _spread(own) for place, own in places.items()}
    lines = [
        whole("Labels", "labels"),
        Line("Most frequent label", "most"),
        Line("Share of the most frequent", "largest_share"),
    ]
    note = "Evenness: entropy divided by its maximum; 1 if all labels are equally frequent."
    yield down("Distribution of the items", rows, [*lines, Line("Evenness", "evenness")], note)
    heuristics = found["heuristics"]
    named = zip(heuristics["heuristic"], heuristics["number"], heuristics["overlap"], strict=True)
    if by_heuristic := {name or "Not given": {"number": many, "overlap": overlap} for name, many, overlap in named}:
        lines = [whole("Items", "number"), Line("Share of words in common, mean", "overlap")]
        yield down("Pairing heuristics", by_heuristic, lines)


def _findings(found: Tree) -> Table:
    kinds = zip(found["kind"], found["findings"], found["found_in"], strict=True)
    rows = {KINDS[kind]: {"findings": many, "items": items} for kind, many, items in kinds}
    english = found["expletives"]
    where = f"{found['items_found']:,} of {found['items']:,}" if found["items_found"] else f"none of {found['items']:,}"
    note = f"Problems were found in {where} items. Expletives: "
    if english["share"] is None:
        note += f"not defined ({english['share_reason']})."
    else:
        note += f"in {100 * english['share']:.1f}% of {english['texts']:,} English texts."
    return down("Problems found in the texts", rows, [whole("Findings", "findings"), whole("Items", "items")], note)


def _spread(found: Tree) -> Tree:
    """Return the table with the most frequent label; none without a distribution."""
    most = max(zip(found["number"], found["label"], strict=True), key=lambda one: one[0], default=None)
    missing = {"most": None, "most_reason": found.get("largest_share_reason", "")}
    return {**found, **(missing if most is None else {"most": most[1] or "not given"})}
