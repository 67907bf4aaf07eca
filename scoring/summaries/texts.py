"""Figures of the texts: lexical overlap, readability, lexical diversity."""

from collections.abc import Callable, Sequence
from dataclasses import fields

import numpy as np

from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.correlation import spearman
from scoring.stats.reasons import why_no_correlation
from scoring.stats.text import Readability, dice_overlap, mtld, readability, root_type_token_ratio
from scoring.summaries.by_group import Grouping, domains_of_items, of_each
from scoring.summaries.choice_scores import has_choices
from scoring.summaries.intervals import rank_bounds
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import by_round_and_context
from scoring.summaries.tables import Floats, Items, Texts
from scoring.summaries.undefined import Result, column, distribution, told

ENGLISH = "en"
NO_OVERLAP = "neither text contains words"
FEW = "fewer than two items with a score and an overlap"
NO_MTLD = "there are no words, or no word is repeated"
NO_TOKENS = "no word"
NOT_ENGLISH = "no text is marked as English, and the readability indices are defined for English only"
EVERYWHERE = "all"
GRADE = 10  # DSCS 4.2


def has_items(snapshot: Snapshot) -> bool:
    return len(snapshot.items.keys) > 0


def texts(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the Dice overlap of the two texts of each item with its Spearman correlation with the scores (SemRel2024
    4.3, eq. 1), the readability of the English texts (DSCS 4.2), and the lexical diversity, in all, by domain, and by
    the number of turns (GiCCS). Single texts have no overlap."""
    return {
        **({"overlap": _overlaps(snapshot)} if snapshot.items.paired else {}),
        "readability": _readability(english_texts(snapshot.items)),
        "diversity": _diversity(snapshot),
    }


def _overlaps(snapshot: Snapshot) -> Result:
    items, overlap = snapshot.items, overlap_of(snapshot.items)
    return {
        "item": list(items.keys),
        **column("dice", overlap, NO_OVERLAP),
        "spearman": _with_scores(snapshot, overlap),
    }


def overlap_of(items: Items) -> Floats:
    """Return the Dice overlap of the two texts of each pair, shape (items,); NaN where neither has words."""
    return np.array([_overlap(one, other) for one, other in items.texts])


def _overlap(one: str, other: str) -> float:
    return dice_overlap(one, other) if one.split() or other.split() else float("nan")


def _with_scores(snapshot: Snapshot, overlap: Floats) -> Result:
    """Return {round: {context: r}} for ratings, {"choices": r} for choices."""
    number = len(overlap)

    def correlate(scores: Floats) -> Result:
        pairs = int((~np.isnan(scores + overlap)).sum())
        rho = spearman(overlap, scores)
        reason = why_no_correlation(overlap, scores, FEW, "all scores, or all overlaps, are the same")
        return {"items": pairs, **told({"spearman": rho}, reason), **rank_bounds("spearman", overlap, scores)}

    if has_choices(snapshot):
        return {"choices": correlate(best_worst_scores(count_choices(snapshot.counted_choices)))}
    return by_round_and_context(snapshot, lambda stacks: correlate(stacks.means(number)))


def english_texts(items: Items) -> Texts:
    """Return the texts of items that are marked as English, each once, in the order of the items."""
    return _distinct(items, [_is_english(language) for language in items.language])


def _is_english(language: str) -> bool:
    return language.lower().replace("_", "-").split("-")[0] == ENGLISH


def _distinct(items: Items, wanted: Sequence[bool]) -> Texts:
    """Return the texts of these items, each once, in the order of the items, without empty ones."""
    rows = zip(items.texts, wanted, strict=True)
    return tuple(dict.fromkeys(text for row, own in rows if own for text in row if text.split()))


def _readability(english: Texts) -> Result:
    """Return mean and standard deviation of each index over the texts."""
    if not english:
        return {"texts": 0, "indices": None, "indices_reason": NOT_ENGLISH} | _below_grade([])
    found = [readability(text) for text in english]
    return {
        "texts": len(found),
        **_below_grade(found),
        "indices": {
            one.name: distribution(np.array([getattr(own, one.name) for own in found], dtype=np.float64), NOT_ENGLISH)
            for one in fields(Readability)
        },
    }


def _below_grade(found: Sequence[Readability]) -> Result:
    """Return how many texts are below grade 10 by each index, and their share.

    DSCS 4.2 prints the shares by the text standard: 70 % of the sentences of STS, 90 % of SICK and 25 % of DSCS.
    """
    grades = {one.name: [getattr(own, one.name) for own in found] for one in fields(Readability)}
    below = {name: sum(grade < GRADE for grade in own) for name, own in grades.items()}
    shares = {name: number / len(found) if found else float("nan") for name, number in below.items()}
    return {"grade": GRADE, "below_grade": below, "share_below_grade": told(shares, NOT_ENGLISH)}


def _diversity(snapshot: Snapshot) -> Result:
    """Return the diversity of white-space tokens, with case and punctuation, of the distinct texts in sequence."""
    domains = domains_of_items(snapshot)
    named = dict.fromkeys(sorted({domain for domain in domains if domain}))
    result = {EVERYWHERE: _diverse(_distinct(snapshot.items, [True] * len(domains)))}
    return result | {
        "domains": {
            name: _diverse(_distinct(snapshot.items, [domain == name for domain in domains])) for name in named
        },
        "by_group": of_each(snapshot, lambda grouping, group: _diverse(_texts_of(snapshot.items, grouping, group))),
    }


def _texts_of(items: Items, grouping: Grouping, group: int) -> Texts:
    return _distinct(items, (grouping.places == group).tolist())


def _diverse(texts: Texts) -> Result:
    tokens = [token for text in texts for token in text.split()]
    ratio, length = (_or_nan(measure, tokens) for measure in (root_type_token_ratio, mtld))
    reasons = {"root_type_token_ratio": NO_TOKENS, "mtld": NO_MTLD}
    return {"texts": len(texts), "tokens": len(tokens)} | told(
        {"root_type_token_ratio": ratio, "mtld": length}, reasons
    )


def _or_nan(measure: Callable[[Sequence[str]], float], tokens: Sequence[str]) -> float:
    try:
        return measure(tokens)
    except ValueError:
        return float("nan")
