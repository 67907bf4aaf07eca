"""Figures of the texts: lexical overlap, readability, lexical diversity."""

from collections.abc import Callable, Sequence
from dataclasses import fields

import numpy as np

from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.comparing import spearman_interval
from scoring.stats.correlation import spearman
from scoring.stats.text import Readability, dice_overlap, mtld, readability, root_type_token_ratio
from scoring.summaries.choice_scores import has_choices
from scoring.summaries.intervals import bounds
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import by_round_and_context
from scoring.summaries.tables import Floats, Items, Texts
from scoring.summaries.undefined import Result, column, distribution, told

ENGLISH = "en"
NO_OVERLAP = "neither text has a word"
NO_CORRELATION = "fewer than two items with a score and an overlap, or no variance"
NO_MTLD = "no word, or none that stands twice"
NO_TOKENS = "no word"
NOT_ENGLISH = "no text is marked as English, and the indices are made for English"
EVERYWHERE = "all"


def has_items(snapshot: Snapshot) -> bool:
    return len(snapshot.items.keys) > 0


def texts(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Dice overlap of the two texts of each item with its Spearman correlation with the scores (SemRel2024 4.3, eq. 1);
    readability of the English texts (DSCS 4.2); lexical diversity, in all and by domain (GiCCS)."""
    items = snapshot.items
    overlap = np.array([_overlap(one, other) for one, other in zip(items.sentence1, items.sentence2, strict=True)])
    return {
        "overlap": {
            "item": list(items.keys),
            **column("dice", overlap, NO_OVERLAP),
            "spearman": _with_scores(snapshot, overlap),
        },
        "readability": _readability(english_texts(items)),
        "diversity": _diversity(snapshot),
    }


def _overlap(one: str, other: str) -> float:
    return dice_overlap(one, other) if one.split() or other.split() else float("nan")


def _with_scores(snapshot: Snapshot, overlap: Floats) -> Result:
    """{round: {context: r}} of ratings, {"choices": r} of choices."""
    number = len(overlap)

    def correlate(scores: Floats) -> Result:
        pairs = int((~np.isnan(scores + overlap)).sum())
        rho = spearman(overlap, scores)
        interval = bounds("spearman", rho, pairs, spearman_interval)
        return {"items": pairs, **told({"spearman": rho}, NO_CORRELATION), **interval}

    if has_choices(snapshot):
        return {"choices": correlate(best_worst_scores(count_choices(snapshot.counted_choices)))}
    return by_round_and_context(snapshot, lambda stacks: correlate(stacks.means(number)))


def english_texts(items: Items) -> Texts:
    """The texts of items that are marked as English, each once, in the order of the items."""
    return _distinct(items, [_is_english(language) for language in items.language])


def _is_english(language: str) -> bool:
    return language.lower().replace("_", "-").split("-")[0] == ENGLISH


def _distinct(items: Items, wanted: Sequence[bool]) -> Texts:
    """The texts of these items, each once, in the order of the items; none that is empty."""
    pairs = zip(items.sentence1, items.sentence2, wanted, strict=True)
    return tuple(dict.fromkeys(text for one, other, own in pairs if own for text in (one, other) if text.split()))


def _readability(english: Texts) -> Result:
    """Mean and standard deviation of each index over the texts."""
    if not english:
        return {"texts": 0, "indices": None, "indices_reason": NOT_ENGLISH}
    found = [readability(text) for text in english]
    return {
        "texts": len(found),
        "indices": {
            one.name: distribution(np.array([getattr(own, one.name) for own in found], dtype=np.float64), NOT_ENGLISH)
            for one in fields(Readability)
        },
    }


def _diversity(snapshot: Snapshot) -> Result:
    """Of white-space tokens, case and punctuation kept, of the distinct texts one after the other."""
    domains = _domains(snapshot)
    named = dict.fromkeys(sorted({domain for domain in domains if domain}))
    result = {EVERYWHERE: _diverse(_distinct(snapshot.items, [True] * len(domains)))}
    return result | {
        "domains": {name: _diverse(_distinct(snapshot.items, [domain == name for domain in domains])) for name in named}
    }


def _domains(snapshot: Snapshot) -> list[str]:
    """The domain of each item's group, empty without one."""
    domains = (*snapshot.groups.domains, "")  # -1 is the last
    return [domains[group] for group in snapshot.items.groups.tolist()]


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
