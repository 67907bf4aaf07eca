"""Tuples of imported choices: found by their items, or stored."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Max

from annotation.domain.importing.answers import Circumstances, Given
from annotation.domain.importing.finished import BATCH
from annotation.models import Assignment, Project, Tuple, TuplePlace
from annotation.protocols.spec import BlockKind, Context

Members = tuple[str, tuple[int, ...]]
"""A round, and the ids of the items that one of its tuples holds, in ascending order."""
Key = tuple[Members, int]
"""Which of the tuples with these items, from 1."""
Thing = tuple[Members, int, str]
"""A tuple, and who judged it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One row, checked. items: ids, in the order shown; designed: in that of the tuple; name: of the tuple."""

    thing: Thing
    session: int
    name: str
    context: Context
    items: tuple[int, ...]
    designed: tuple[int, ...]
    best: int
    worst: int
    hard_to_say: bool
    invalid: bool
    circumstances: Circumstances

    @property
    def key(self) -> Key:
        return self.thing[:2]


@dataclass(frozen=True)
class Designed:
    """A stored tuple. items: ids, in the order of its places."""

    pk: int
    items: tuple[int, ...]

    def order_of(self, shown: Iterable[int]) -> str:
        """The order shown, as the places of the tuple, in digits."""
        left: list[int | None] = list(self.items)
        digits = []
        for item in shown:
            place = left.index(item)
            left[place] = None
            digits.append(str(place + 1))
        return "".join(digits)


def designed_tuples(project: Project) -> dict[Key, Designed]:
    """All tuples of a project, by round and items; those with the same items in the order of the design."""
    items: dict[tuple[int, str], list[int]] = defaultdict(list)
    rows = TuplePlace.objects.filter(tuple__project=project).order_by("tuple__round", "tuple__position", "position")
    for pk, round_, item in rows.values_list("tuple", "tuple__round", "item").iterator():
        items[pk, round_].append(item)
    copies: Counter[Members] = Counter()
    found = {}
    for (pk, round_), own in items.items():
        members = round_, tuple(sorted(own))
        copies[members] += 1
        found[members, copies[members]] = Designed(pk, tuple(own))
    return found


def choices_stored(project: Project) -> Iterator[Thing]:
    """Who has judged which tuple, by outside ids."""
    keys = {designed.pk: key for key, designed in designed_tuples(project).items()}
    screens = Assignment.objects.filter(participation__project=project, tuple__isnull=False)
    for pk, annotator in screens.values_list("tuple", "participation__annotator__external_id").iterator():
        yield (*keys[pk], annotator)


def store_tuples(project: Project, choices: Sequence[Choice]) -> list[Given]:
    """Stores tuples that are not there yet, each planned and given as often as it was judged.

    Returns: the choices, to be stored with them.
    """
    numbers = Counter(choice.key for choice in choices)
    designed = designed_tuples(project)
    first: dict[Key, Choice] = {}
    for choice in choices:
        first.setdefault(choice.key, choice)
    _count_more(project, {designed[key].pk: numbers[key] for key in first if key in designed})
    new = [choice for key, choice in first.items() if key not in designed]
    designed |= _store_new(project, _in_order(new), numbers)
    return [_given(choice, designed[choice.key]) for choice in choices]


def _in_order(new: list[Choice]) -> list[Choice]:
    """Tuples that are named by numbers, as in a release, in the order of these; others as they came up."""
    if all(choice.name.isdecimal() for choice in new):
        return sorted(new, key=lambda choice: (choice.thing[0][0], int(choice.name)))
    return new


def _count_more(project: Project, numbers: dict[int, int]) -> None:
    """More answers of tuples that are stored."""
    known = [one for one in project.tuples.all() if one.pk in numbers]
    for one in known:
        one.planned += numbers[one.pk]
        one.given += numbers[one.pk]
    Tuple.objects.bulk_update(known, ["planned", "given"], batch_size=BATCH)


def _store_new(project: Project, new: Sequence[Choice], numbers: Counter[Key]) -> dict[Key, Designed]:
    """Parameters: new, the first choice of each tuple, which gives the order of its places."""
    last = Counter(dict(project.tuples.order_by().values_list("round").annotate(last=Max("position"))))
    tuples = []
    for choice in new:
        (round_, _), number = choice.thing[0], numbers[choice.key]
        last[round_] += 1
        tuples.append(Tuple(project=project, round=round_, position=last[round_], planned=number, given=number))
    Tuple.objects.bulk_create(tuples, batch_size=BATCH)
    TuplePlace.objects.bulk_create(
        (
            TuplePlace(tuple=stored, item_id=item, position=position, again=item in choice.designed[: position - 1])
            for stored, choice in zip(tuples, new, strict=True)
            for position, item in enumerate(choice.designed, start=1)
        ),
        batch_size=BATCH,
    )
    return {choice.key: Designed(stored.pk, choice.designed) for stored, choice in zip(tuples, new, strict=True)}


def _given(choice: Choice, designed: Designed) -> Given:
    (round_, _), _, annotator = choice.thing
    return Given(
        choice.thing,
        annotator,
        round_,
        choice.session,
        choice.circumstances,
        shown={
            "tuple_id": designed.pk,
            "order": designed.order_of(choice.items),
            "block": BlockKind.MAIN,
            "context": choice.context,
        },
        answered={
            "best_id": choice.best,
            "worst_id": choice.worst,
            "hard_to_say": choice.hard_to_say,
            "invalid": choice.invalid,
        },
    )
