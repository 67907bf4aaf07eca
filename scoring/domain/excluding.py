"""What an exclusion would do to the scores, before anybody is excluded.

Only what the scores need is read, ratings counted by the database value by value, so that the page has its answer in a
moment; the scores are those that a run would give without the person.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from django.db.models import Count, Q, QuerySet

from annotation.models import Judgment, Participation, SelectedPair
from annotation.protocols.spec import BestWorstDesign, BlockKind, SelectionDesign
from annotation.queries import counted, counted_pairs, judgments_of
from scoring.domain.running.answers import integers, places_of
from scoring.domain.running.reading import read_tuples
from scoring.domain.running.snapshots import one_moment
from scoring.queries import BY_SCREEN, CHUNK, items_in_order
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.reliability import split_half
from scoring.summaries.tables import Booleans, Floats, Integers

SPLITS = 100
LEAST = 1e-12  # of a difference; below it is the rounding of sums
Counted = tuple[int, float, int, int]
"""An item, a value, and how often it was given: by everybody, and by the person."""


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
    if isinstance(participation.design, BestWorstDesign):
        return (_change_of_choices(participation),)
    return tuple(_changes_of_ratings(participation))


def _own(participation: Participation) -> QuerySet[Judgment]:
    return counted(judgments_of(participation.project)).filter(assignment__participation=participation)


def _selects(participation: Participation) -> bool:
    return isinstance(participation.design, SelectionDesign)


def _changes_of_ratings(participation: Participation) -> Iterator[Change]:
    found = _ratings(participation)
    for context in dict.fromkeys(participation.project.round(participation.round).sessions):
        if any(own for *_, own in found[context.value]):
            yield _change_of_ratings(participation.round, context.value, found[context.value])


def _ratings(participation: Participation) -> dict[str, list[Counted]]:
    """By context, the ratings of the person's round that scores are made of, in a fixed order."""
    ratings = counted(judgments_of(participation.project)).filter(
        assignment__participation__round=participation.round,
        assignment__block=BlockKind.MAIN,
        assignment__item__calibration_order__isnull=True,
        value__isnull=False,
    )
    own = Count("pk", filter=Q(assignment__participation=participation))
    rows = ratings.order_by().values_list("assignment__context", "assignment__item", "value")
    found: dict[str, list[Counted]] = defaultdict(list)
    for context, *row in sorted(rows.annotate(times=Count("pk"), own=own)):
        found[context].append(tuple(row))
    return found


def _change_of_ratings(round_key: str, context: str, rows: list[Counted]) -> Change:
    items, values, times, own = (np.array(column) for column in zip(*rows, strict=True))
    places, both = np.unique(items, return_inverse=True)[1], (times, times - own)
    alphas = [krippendorff_alpha(np.repeat(places, one), np.repeat(values, one), "interval") for one in both]
    return _change(round_key, context, *(_means(places, values, one) for one in both), alphas)


def _means(items: Integers, values: Floats, times: Integers) -> Floats:
    """Of values given so many times, shape (items,); NaN where nobody rated the item."""
    sums, numbers = np.bincount(items, values * times), np.bincount(items, times)
    return np.divide(sums, numbers, out=np.full(len(sums), np.nan), where=numbers > 0)


def _change_of_choices(participation: Participation) -> Change:
    before, own = _choices(participation)
    both = before, before.keep(~own)
    scores = [best_worst_scores(count_choices(one)) for one in both]
    reliability = [_reliability(one, participation.project.seed) for one in both]
    return _change(participation.round, "", *scores, reliability)


def _choices(participation: Participation) -> tuple[Choices, Booleans]:
    """Those that count, in the order in which a run reads them, and whether they are the person's.

    The items of each stand as its tuple has them: no score depends on the order shown.
    """
    project = participation.project
    with one_moment():
        items = places_of(items_in_order(project).values_list("pk", flat=True))
        tuples, shown = read_tuples(project, items)
        rows = counted(judgments_of(project)).filter(best__isnull=False).order_by(*BY_SCREEN)
        columns = rows.values_list("assignment__tuple", "best", "worst", "assignment__participation")
        ids = integers(chain.from_iterable(columns.iterator(chunk_size=CHUNK)))
    tuple_ids, best_ids, worst_ids, people = ids.reshape(-1, 4).T.tolist()
    judged = integers(tuples[pk] for pk in tuple_ids)
    best, worst = (integers(items[pk] for pk in chosen) for chosen in (best_ids, worst_ids))
    return Choices(shown[judged], best, worst, judged, None, len(items)), np.array(people) == participation.pk


def _reliability(choices: Choices, seed: int) -> float:
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
