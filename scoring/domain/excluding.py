"""What an exclusion would do to the scores, before anybody is excluded."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import QuerySet

from annotation.models import Judgment, Participation, SelectedPair
from annotation.protocols.spec import SelectionDesign
from annotation.queries import counted, counted_pairs, judgments_of
from scoring.domain.running.snapshots import take_snapshot
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.reliability import split_half
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import all_stacks
from scoring.summaries.tables import Booleans, Floats

SPLITS = 100
LEAST = 1e-12  # of a difference; below it is the rounding of sums


@dataclass(frozen=True)
class Change:
    """Of one round and context, or of choices: scores, and how reliable they are, before and after.

    changed: items whose score would change. lost: items that would have no score left. mean, largest: of the absolute
    differences; None where nothing changes. before, after: Krippendorff's alpha of ratings, the mean split-half
    correlation of choices; None where they are not defined.
    """

    round: str
    context: str
    choices: bool
    changed: int
    lost: int
    mean: float | None
    largest: float | None
    before: float | None
    after: float | None


@dataclass(frozen=True)
class Loss:
    """judgments: that would no longer count. short: items, or tuples, that would have fewer than planned until
    somebody else has judged them. pairs: of a selection, the pairs that would go."""

    judgments: int
    short: int
    pairs: int


def loss_by_exclusion(participation: Participation) -> Loss:
    """What would go; nothing is changed, and only this person's own answers are read."""
    own = _own(participation)
    judged = own.order_by().values("assignment__item", "assignment__tuple", "assignment__sentence").distinct()
    pairs = counted_pairs(SelectedPair.objects.filter(judgment__assignment__participation=participation))
    return Loss(judgments=own.count(), short=judged.count(), pairs=pairs.count() if _selects(participation) else 0)


def changes_by_exclusion(participation: Participation) -> tuple[Change, ...]:
    """What would become of the scores, computed from all judgments of the project as they stand."""
    if _selects(participation) or not _own(participation).exists():
        return ()
    return tuple(_changes(participation))


def _own(participation: Participation) -> QuerySet[Judgment]:
    return counted(judgments_of(participation.project)).filter(assignment__participation=participation)


def _selects(participation: Participation) -> bool:
    return isinstance(participation.design, SelectionDesign)


def _changes(participation: Participation) -> Iterator[Change]:
    before = take_snapshot(participation.project)
    after = _without(before, participation)
    for one, other in zip(all_stacks(before), all_stacks(after), strict=True):
        if len(one.ratings.values) > len(other.ratings.values):
            number = len(before.items.keys)
            alphas = [krippendorff_alpha(own.ratings.items, own.ratings.values, "interval") for own in (one, other)]
            yield _change(one.round, one.context, one.means(number), other.means(number), alphas)
    if before.counted_choices.judgments > after.counted_choices.judgments:
        scores = [best_worst_scores(count_choices(one.counted_choices)) for one in (before, after)]
        seed = participation.project.seed
        yield _change(participation.round, "", *scores, [_reliability(one, seed) for one in (before, after)])


def _without(snapshot: Snapshot, participation: Participation) -> Snapshot:
    """The same judgments, those of this person in this round not counted."""
    pseudonyms, rounds = snapshot.raters.pseudonyms, snapshot.facts.rounds
    rater, round_ = pseudonyms.index(participation.annotator.pseudonym), rounds.index(participation.round)
    ratings, choices = snapshot.ratings, snapshot.choices
    others: Booleans = (ratings.raters != rater) | (ratings.rounds != round_)
    return replace(
        snapshot,
        ratings=replace(ratings, counted=ratings.counted & others),
        choices=replace(choices, counted=choices.counted & (choices.annotators != rater)),
    )


def _reliability(snapshot: Snapshot, seed: int) -> float:
    choices = snapshot.counted_choices
    if not choices.judgments:
        return float("nan")
    spearman, _ = split_half(choices, np.random.default_rng(seed), splits=SPLITS).summary()
    return spearman.mean


def _change(round_key: str, context: str, before: Floats, after: Floats, reliability: list[float]) -> Change:
    moved = np.abs(after - before)
    moved = moved[~np.isnan(moved) & (moved > LEAST)]
    known = [None if np.isnan(value) else float(value) for value in reliability]
    return Change(
        round=round_key,
        context=context,
        choices=not context,
        changed=len(moved),
        lost=int((~np.isnan(before) & np.isnan(after)).sum()),
        mean=float(moved.mean()) if len(moved) else None,
        largest=float(moved.max()) if len(moved) else None,
        before=known[0],
        after=known[1],
    )
