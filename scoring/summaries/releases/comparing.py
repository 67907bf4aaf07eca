"""Two releases, or two rounds, compared: shared items, agreement of the scores, drift, and changed settings."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np

from scoring.stats.repeated import Movement, Sample, agreement_of_scores, movement
from scoring.summaries.releases.matching import Matches, match_items
from scoring.summaries.releases.people import people_again, same_judgments
from scoring.summaries.releases.protocols import protocol_differences, reasons_against_merging
from scoring.summaries.releases.reading import Place, ReleasedData, ReleaseFault, values_of
from scoring.summaries.undefined import Result, number, told

LEVEL = 0.05  # the false discovery rate of items that moved
MOST_MOVED = 20
SEED = 1986  # of the intervals of people who answered again
NO_AGREEMENT = "fewer than two shared items have scores in both, or the scores do not vary"
NO_INTERVAL = "too few shared items, or a correlation of 1 or -1"
NO_MOVEMENT = "one of the two has fewer than two judgments of this item, or all of them are equal"


def compare_releases(first: ReleasedData, second: ReleasedData, places: tuple[Place, Place] | None = None) -> Result:
    """Return how two releases agree on the items that they share; `docs/comparing.md` describes every key.

    Parameters: places, the round and context of each; by default the last round of each release, without context if it
        has both.

    Raises: ReleaseFault if one has ratings and the other choices, there is no such round, or no item is shared.
    """
    if first.compares != second.compares:
        raise ReleaseFault("One release has ratings, the other best-worst choices. They cannot be compared.")
    chosen = places or (main_place(first), main_place(second))
    matches = match_items(first, second)
    names = dict(matches.pairs)
    samples = _samples(first, chosen[0], names), _samples(second, chosen[1], names.values())
    judged = np.flatnonzero((samples[0].numbers > 0) & (samples[1].numbers > 0))
    if not len(judged):
        raise ReleaseFault("The releases share no item that was judged in both, so there is nothing to compare.")
    own = samples[0].keep(judged), samples[1].keep(judged)
    return {
        "first": _about(first, chosen[0]),
        "second": _about(second, chosen[1]),
        "kind": "choices" if first.compares else "ratings",
        "same_judgments": same_judgments(first, second, chosen),
        "items": _items(matches, len(judged)),
        "scores": _agreement(own),
        "moved": _moved([matches.pairs[at] for at in judged.tolist()], own, movement(*own)),
        "again": people_again(first, second, chosen, names, np.random.default_rng(SEED)),
        "protocol": [
            {"setting": name, "first": before, "second": after}
            for name, before, after in protocol_differences(first.protocol, second.protocol)
        ],
        "not_merged_because": reasons_against_merging(first, second),
    }


def main_place(release: ReleasedData) -> Place:
    """Return the round and context whose scores are compared if nothing else is chosen. Raise ReleaseFault without
    judgments that count."""
    if not release.places:
        raise ReleaseFault(f"{release.name}: no judgment counts, so there are no scores.")
    last = release.places[-1].round
    return next(place for place in release.places if place.round == last)


def place_of(release: ReleasedData, round_key: str, context: str = "") -> Place:
    """Return a round and context of a release by their names; without a context the first one of the round.

    Raises: ReleaseFault if the release has no judgments there.
    """
    for place in release.places:
        if place.round == round_key and context in ("", place.context):
            return place
    known = ", ".join(f"{place.round} {place.context}".strip() for place in release.places)
    raise ReleaseFault(
        f"{release.name}: there are no ratings that count in {f'{round_key} {context}'.strip()}. "
        f"Choose one of: {known or 'none'}."
    )


def _samples(release: ReleasedData, place: Place, keys: Iterable[str]) -> Sample:
    """Return the judgments of the shared items, in their order."""
    places = {key: at for at, key in enumerate(keys)}
    found = [(places[item], value) for item, value in values_of(release, place) if item in places]
    items, values = ([row[at] for row in found] for at in (0, 1))
    return Sample.of(np.array(items, dtype=np.int64), np.array(values, dtype=np.float64), len(places))


def _about(release: ReleasedData, place: Place) -> Result:
    manifest = release.manifest
    return {
        "name": release.name,
        "project": manifest.get("project", ""),
        "title": manifest.get("title", ""),
        "as_of": manifest.get("as_of", ""),
        "sha256": release.sha256,
        "round": place.round,
        "context": place.context,
        "items": len(release.items),
    }


def _items(matches: Matches, judged: int) -> Result:
    return {
        "shared": len(matches.pairs),
        "by_id": matches.by_id,
        "by_text": matches.by_text,
        "judged_in_both": judged,
        "other_texts": len(matches.differing),
        "only_first": matches.only_first,
        "only_second": matches.only_second,
    }


def _agreement(samples: tuple[Sample, Sample]) -> Result:
    found = agreement_of_scores(*samples)
    figures: dict[str, Any] = {
        name: getattr(found, name) for name in ("pearson", "spearman", "shift", "shift_p", "difference", "by_sampling")
    }
    figures |= {f"icc_{name}": value for name, value in asdict(found.icc).items()}
    intervals = {"pearson": found.pearson_interval, "spearman": found.spearman_interval, "shift": found.shift_interval}
    ends = {f"{name}_{end}": getattr(own, end) for name, own in intervals.items() for end in ("low", "high")}
    limits = {"limits_low": found.limits.low, "limits_high": found.limits.high}
    return {"items": found.items, **told(figures | limits, NO_AGREEMENT), **told(ends, NO_INTERVAL)}


def _moved(pairs: list[tuple[str, str]], samples: tuple[Sample, Sample], found: Movement) -> Result:
    """Return how many items moved further than by chance, and those that moved the most."""
    tested = ~np.isnan(found.p_values)
    most = np.argsort(-np.abs(found.differences), kind="stable")[:MOST_MOVED].tolist()
    return {
        "tested": int(tested.sum()),
        "moved": int((found.adjusted[tested] <= LEVEL).sum()),
        "most": [_item(pairs[at], at, samples, found) for at in most],
    }


def _item(pair: tuple[str, str], at: int, samples: tuple[Sample, Sample], found: Movement) -> Result:
    first, second = samples
    p_values = {"p": float(found.p_values[at]), "p_adjusted": float(found.adjusted[at])}
    return {
        "item": pair[0],
        "item_second": pair[1],
        "first": number(float(first.means[at])),
        "second": number(float(second.means[at])),
        "judgments_first": int(first.numbers[at]),
        "judgments_second": int(second.numbers[at]),
        "difference": number(float(found.differences[at])),
        **told(p_values, NO_MOVEMENT),
    }
