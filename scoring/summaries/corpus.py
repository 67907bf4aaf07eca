"""Problems in the judged texts, and the distribution of the items (SemRel2024 3.1.1 and 3.3)."""

from collections.abc import Sequence

import numpy as np

from annotation.corpora.cleaning import (
    ENGLISH_EXPLETIVES,
    Distribution,
    Kind,
    category_balance,
    expletive_share,
    find_in_rows,
    length_balance,
    number_balance,
    overlap_balance,
    report,
)
from annotation.corpora.overlap import word_overlap
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.missing import rows_of_each
from scoring.summaries.choice_scores import has_choices
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import by_round_and_context
from scoring.summaries.tables import Floats, Texts
from scoring.summaries.texts import english_texts
from scoring.summaries.undefined import Result, told

MOST_LABELS = 50
"""The maximum number of labels in a distribution; a source may have a single item."""
NO_ENGLISH = "no text is marked as English, and there is no word list for other languages"
NOT_SPREAD = "no item has a score"


def corpus(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return what the check of texts before an import finds in the judged texts; expletives in the English ones; the
    distribution of items over lengths, overlaps, languages, sources and scores; and their heuristics."""
    rows = snapshot.items.texts
    return {
        **_findings(snapshot, rows),
        "expletives": _expletives(english_texts(snapshot.items)),
        "balance": {name: _told(found) for name, found in _balance(snapshot, rows).items()},
        "scores": _scores(snapshot),
        "heuristics": _heuristics(snapshot, rows),
    }


def _findings(snapshot: Snapshot, rows: Sequence[Texts]) -> Result:
    """Return what was found; several items of a summary's sentence, or of a dialogue, share a text by design."""
    shared = bool(snapshot.facts.roles) or snapshot.facts.grouped
    findings = [one for one in find_in_rows(rows) if not (shared and one.kind == Kind.REPEATED_TEXT)]
    found = report(findings, rows=len(rows), examples=0)
    return {
        "items": found.rows,
        "items_found": found.rows_found,
        "kind": [one.kind.value for one in found.summaries],
        "findings": [one.findings for one in found.summaries],
        "found_in": [one.rows for one in found.summaries],
    }


def _expletives(english: Sequence[str]) -> Result:
    share = expletive_share(english, ENGLISH_EXPLETIVES) if english else float("nan")
    return {"texts": len(english), **told({"share": share}, NO_ENGLISH)}


def _balance(snapshot: Snapshot, rows: Sequence[Texts]) -> dict[str, Distribution]:
    """Return the distributions of lengths and overlaps, and of every category that some item has."""
    domains = (*snapshot.groups.domains, "")  # -1 is the last
    named = {
        "language": snapshot.items.language,
        "source": snapshot.origins.sources,
        "domain": [domains[group] for group in snapshot.items.groups.tolist()],
        "heuristic": snapshot.origins.heuristics,
    }
    found = {"words": length_balance(rows)} | ({"overlap": overlap_balance(rows)} if snapshot.items.paired else {})
    return found | {name: category_balance(values) for name, values in named.items() if any(values)}


def _told(found: Distribution) -> Result:
    return {
        "label": list(found.labels[:MOST_LABELS]),
        "number": list(found.counts[:MOST_LABELS]),
        "labels": len(found.labels),
        "largest_share": found.largest_share,
        "evenness": found.evenness,
    }


def _scores(snapshot: Snapshot) -> Result:
    """Return the distribution of scores over ten bands of their scale: {"choices"} or {round: {context}}."""
    facts = snapshot.facts
    if has_choices(snapshot):
        return {"choices": _bands(best_worst_scores(count_choices(snapshot.counted_choices)), -1, 1)}
    number = len(snapshot.items.keys)
    return by_round_and_context(snapshot, lambda stacks: _bands(stacks.means(number), facts.minimum, facts.maximum))


def _bands(scores: Floats, lowest: float, highest: float) -> Result:
    defined = scores[~np.isnan(scores)]
    if not len(defined):
        nothing = told(dict.fromkeys(("largest_share", "evenness"), float("nan")), NOT_SPREAD)
        return {"label": [], "number": [], "labels": 0, **nothing}
    return _told(number_balance(defined.tolist(), lowest, highest))


def _heuristics(snapshot: Snapshot, rows: Sequence[Texts]) -> Result:
    """Return for each heuristic the number of items, and the mean share of words that their texts have in common."""
    labels, place = np.unique(np.array(snapshot.origins.heuristics, dtype=str), return_inverse=True)
    by_heuristic = rows_of_each(place) if snapshot.items.paired and any(snapshot.origins.heuristics) else {}
    overlap = [float(np.mean([word_overlap(*rows[item]) for item in own.tolist()])) for own in by_heuristic.values()]
    return {
        "heuristic": [str(labels[one]) for one in by_heuristic],
        "number": [len(own) for own in by_heuristic.values()],
        "overlap": overlap,
    }
