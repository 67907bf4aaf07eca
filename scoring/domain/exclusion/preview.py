"""Preview of what an exclusion would do to the scores.

Only what the scores need is read, and the database counts ratings value by value, so that the page answers at once; the
scores are those that a run would give without the person.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from django.db.models import Count, Q, QuerySet

from annotation.domain.participation.lifecycle import missing_screens
from annotation.models import Judgment, Participation, SelectedPair, State
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import counted, counted_pairs
from annotation.queries.judgments import judgment_rows, judgments_of
from annotation.queries.people import free_seats
from scoring.domain.runs.places import Places, integers
from scoring.domain.runs.reading import read_tuples
from scoring.domain.runs.snapshots import one_moment
from scoring.queries import BY_SCREEN, items_in_order
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.reliability import full_length, split_half
from scoring.summaries.tables import Booleans, Floats, Integers

SPLITS = 100
LEAST = 1e-12  # of a difference; below it is the rounding of sums
Counted = tuple[int, float, int, int]
"""An item, a value, and the number of such ratings: by everybody, and by the excluded people."""


@dataclass(frozen=True)
class Change:
    """Scores and their reliability before and after, for one round and context, or for choices.

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

    @property
    def full_lengths(self) -> tuple[float | None, float | None] | None:
        """Return the full-length reliabilities of split halves before and after, each None if it is not defined; None
        of ratings, or without both halves."""
        if not self.choices or self.before is None or self.after is None:
            return None
        return _defined(full_length(self.before)), _defined(full_length(self.after))


@dataclass(frozen=True)
class Loss:
    """What an exclusion removes. judgments: that would no longer count. short: items or tuples with fewer judgments
    than planned until somebody else judges them. pairs: selected pairs that would go."""

    judgments: int
    short: int
    pairs: int


@dataclass(frozen=True)
class Takeover:
    """Who takes over after an exclusion. screens: their number, 0 where nothing is missing. place: the number of the
    place made when the person left, None where none was. taken: whether somebody has that place, so that it stays as it
    is and a new free place takes over; otherwise it takes over the screens too."""

    screens: int
    place: int | None
    taken: bool


def takeover_by_exclusion(participation: Participation) -> Takeover | None:
    """Return who would take over; None in an open round, whose screens return to the pool, and after an exclusion."""
    if participation.design.is_open or participation.state == State.EXCLUDED:
        return None
    screens = missing_screens(participation, State.EXCLUDED, before=participation.state)
    refill = participation.refill
    if refill is None:
        return Takeover(len(screens), None, taken=False)
    return Takeover(len(screens), refill.seat, taken=not free_seats(participation.refills.all()).exists())


def loss_by_exclusion(participation: Participation) -> Loss:
    """Return what an exclusion would remove; nothing is changed, and only this person's answers are read."""
    return loss_by_exclusions([participation])


def loss_by_exclusions(people: Sequence[Participation]) -> Loss:
    """Return what the exclusion of several people of a project would remove."""
    answers = _answers_of(people)
    judged = answers.order_by().values("assignment__item", "assignment__tuple", "assignment__sentence").distinct()
    pairs = counted_pairs(SelectedPair.objects.filter(judgment__assignment__participation__in=people))
    selected = pairs.count() if any(person.design.selects for person in people) else 0
    return Loss(judgments=answers.count(), short=judged.count(), pairs=selected)


def changes_by_exclusion(participation: Participation) -> tuple[Change, ...]:
    """Return what an exclusion would change in the scores, computed from all judgments of the project."""
    return changes_by_exclusions([participation])


def changes_by_exclusions(people: Sequence[Participation]) -> tuple[Change, ...]:
    """Return what the exclusion of several people of a project would change in the scores, round by round."""
    rounds: dict[str, list[Participation]] = defaultdict(list)
    for person in people:
        rounds[person.round].append(person)
    return tuple(chain.from_iterable(map(_changes_in_round, rounds.values())))


def _changes_in_round(people: Sequence[Participation]) -> Iterator[Change]:
    design = people[0].design
    if design.selects or not _answers_of(people).exists():
        return
    if design.compares:
        yield _change_of_choices(people)
    else:
        yield from _changes_of_ratings(people)


def _answers_of(people: Sequence[Participation]) -> QuerySet[Judgment]:
    return counted(judgments_of(people[0].project)).filter(assignment__participation__in=people)


def _changes_of_ratings(people: Sequence[Participation]) -> Iterator[Change]:
    found, round_key = _ratings(people), people[0].round
    for context in dict.fromkeys(people[0].project.round(round_key).sessions):
        if any(by_people for *_, by_people in found[context.value]):
            yield _change_of_ratings(round_key, context.value, found[context.value])


def _ratings(people: Sequence[Participation]) -> dict[str, list[Counted]]:
    """Return, by context, the ratings of the people's round that scores are made of, in a fixed order."""
    ratings = counted(judgments_of(people[0].project)).filter(
        assignment__participation__round=people[0].round,
        assignment__block=BlockKind.MAIN,
        value__isnull=False,
    )
    by_people = Count("pk", filter=Q(assignment__participation__in=[person.pk for person in people]))
    rows = ratings.order_by().values_list("assignment__context", "assignment__item", "value")
    found: dict[str, list[Counted]] = defaultdict(list)
    for context, *row in sorted(rows.annotate(times=Count("pk"), own=by_people)):
        found[context].append(tuple(row))
    return found


def _change_of_ratings(round_key: str, context: str, rows: list[Counted]) -> Change:
    items, values, times, by_people = (np.array(column) for column in zip(*rows, strict=True))
    places, both = np.unique(items, return_inverse=True)[1], (times, times - by_people)
    alphas = [krippendorff_alpha(np.repeat(places, counts), np.repeat(values, counts), "interval") for counts in both]
    return _change(round_key, context, *(_means(places, values, counts) for counts in both), alphas)


def _means(items: Integers, values: Floats, times: Integers) -> Floats:
    """Return the means of repeated values, shape (items,); NaN where nobody rated the item."""
    sums, numbers = np.bincount(items, values * times), np.bincount(items, times)
    return np.divide(sums, numbers, out=np.full(len(sums), np.nan), where=numbers > 0)


def _change_of_choices(excluded: Sequence[Participation]) -> Change:
    before, by_people = _choices(excluded)
    both = before, before.keep(~by_people)
    scores = [best_worst_scores(count_choices(choices)) for choices in both]
    reliability = [_reliability(choices, excluded[0].project.seed) for choices in both]
    return _change(excluded[0].round, "", *scores, reliability)


def _choices(excluded: Sequence[Participation]) -> tuple[Choices, Booleans]:
    """Return the choices that count, in the order of a run, and whether they are those of the people.

    The items of each are in the order of its tuple: no score depends on the order shown.
    """
    project = excluded[0].project
    with one_moment():
        items = Places(integers(items_in_order(project).values_list("pk", flat=True)))
        tuples, shown = read_tuples(project, items)
        choices = counted(judgments_of(project)).filter(best__isnull=False).order_by(*BY_SCREEN)
        rows = judgment_rows(choices, "tuple_id", "best_id", "worst_id", "participation")
        ids = integers(chain.from_iterable(rows))
    tuple_ids, best_ids, worst_ids, people = ids.reshape(-1, 4).T
    judged = tuples.of(tuple_ids)
    return Choices(shown[judged], items.of(best_ids), items.of(worst_ids), judged, None, len(items)), (
        np.isin(people, [person.pk for person in excluded])
    )


def _reliability(choices: Choices, seed: int) -> float:
    if not choices.judgments:
        return float("nan")
    spearman, _ = split_half(choices, np.random.default_rng(seed), splits=SPLITS).summary()
    return spearman.mean


def _change(round_key: str, context: str, before: Floats, after: Floats, reliability: list[float]) -> Change:
    moved = np.abs(after - before)
    moved = moved[~np.isnan(moved) & (moved > LEAST)]
    known = [_defined(value) for value in reliability]
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


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
