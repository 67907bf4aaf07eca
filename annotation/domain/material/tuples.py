"""Tuples of imported choices: found by their items, or stored."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.material.answers import Circumstances, Collected
from annotation.domain.material.finished import BATCH
from annotation.models import Assignment, Judgment, Project, Tuple, TuplePlace
from annotation.protocols.terms import BlockKind, Context
from annotation.unknown import is_unknown

Members = tuple[str, tuple[int, ...]]
"""A round, and the ids of the items that one of its tuples holds, in ascending order."""
Key = tuple[Members, int]
"""Which of the tuples with these items, from 1."""
Thing = tuple[Members, int, str]
"""A tuple, and who judged it."""
Chosen = tuple[Key, str, int, int]
"""A tuple, who judged it, and the best and the worst of it."""


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
    set_aside: bool
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
        """Return the order shown, as the places of the tuple, in digits."""
        left: list[int | None] = list(self.items)
        digits = []
        for item in shown:
            place = left.index(item)
            left[place] = None
            digits.append(str(place + 1))
        return "".join(digits)


def designed_tuples(project: Project) -> dict[Key, Designed]:
    """Return all tuples of a project, by round and items; those with the same items in the order of the design."""
    items: dict[tuple[int, str], list[int]] = defaultdict(list)
    rows = TuplePlace.objects.filter(tuple__project=project).order_by("tuple__round", "tuple__position", "position")
    for pk, round_, item in rows.values_list("tuple", "tuple__round", "item").iterator():
        items[pk, round_].append(item)
    copies: Counter[Members] = Counter()
    found = {}
    for (pk, round_), ids in items.items():
        members = round_, tuple(sorted(ids))
        copies[members] += 1
        found[members, copies[members]] = Designed(pk, tuple(ids))
    return found


def choices_stored(project: Project) -> Iterator[Thing]:
    """Yield which tuple was judged by whom, by outside ids."""
    keys = {designed.pk: key for key, designed in designed_tuples(project).items()}
    screens = Assignment.objects.filter(participation__project=project, tuple__isnull=False)
    for pk, annotator in screens.values_list("tuple", "participation__annotator__external_id").iterator():
        yield (*keys[pk], annotator)


def guard_imported_before(project: Project, choices: Sequence[Choice]) -> None:
    """Refuse a file that would double judgments; where nobody is named, nothing else distinguishes two of them.

    Raises:
        Refusal: of people with or without a name, all choices are stored; or all stored ones without a name are there.
    """
    offered = Counter((choice.key, _named(choice.thing[2]), choice.best, choice.worst) for choice in choices)
    (new_named, new_unnamed), (named, unnamed) = _by_name(offered), _by_name(_chosen(project))
    same = unnamed and new_unnamed and (new_unnamed <= unnamed or unnamed <= new_unnamed)
    if same or (new_named and new_named <= named):
        raise Refusal(
            _(
                "The project already has the same judgments, so this file has probably been imported before. "
                "To import it all the same, choose “Import again”."
            )
        )


def _by_name(chosen: Counter[Chosen]) -> tuple[Counter[Chosen], Counter[Chosen]]:
    """Return the choices of people with a name, and of people without one."""
    named = Counter({row: times for row, times in chosen.items() if row[1]})
    return named, chosen - named


def _chosen(project: Project) -> Counter[Chosen]:
    """Return how often each choice of people from elsewhere is stored."""
    keys = {designed.pk: key for key, designed in designed_tuples(project).items()}
    judgments = Judgment.objects.filter(assignment__participation__project=project, assignment__tuple__isnull=False)
    person = "assignment__participation__annotator__external_id"
    rows = judgments.exclude(**{person: ""}).values_list("assignment__tuple", person, "best", "worst")
    return Counter((keys[pk], _named(name), best, worst) for pk, name, best, worst in rows.iterator())


def _named(person: str) -> str:
    """Return who judged, by an outside id; "" for people whom nobody knows."""
    return "" if is_unknown(person) else person


def store_tuples(project: Project, choices: Sequence[Choice]) -> list[Collected]:
    """Store tuples that are not there yet, each planned and given as often as it was judged. Return the judgments."""
    numbers = Counter(choice.key for choice in choices)
    designed = designed_tuples(project)
    first: dict[Key, Choice] = {}
    for choice in choices:
        first.setdefault(choice.key, choice)
    _count_more(project, {designed[key].pk: numbers[key] for key in first if key in designed})
    new = [choice for key, choice in first.items() if key not in designed]
    designed |= _store_new(project, _in_order(new), numbers)
    return [_collected(choice, designed[choice.key]) for choice in choices]


def _in_order(new: list[Choice]) -> list[Choice]:
    """Return tuples that are named by numbers, as in a release, in the order of these; others as they came up."""
    if all(choice.name.isdecimal() for choice in new):
        return sorted(new, key=lambda choice: (choice.thing[0][0], int(choice.name)))
    return new


def _count_more(project: Project, numbers: dict[int, int]) -> None:
    """Count further answers of tuples that are stored."""
    known = [stored for stored in project.tuples.all() if stored.pk in numbers]
    for stored in known:
        stored.planned += numbers[stored.pk]
        stored.given += numbers[stored.pk]
    Tuple.objects.bulk_update(known, ["planned", "given"], batch_size=BATCH)


def _store_new(project: Project, new: Sequence[Choice], numbers: Counter[Key]) -> dict[Key, Designed]:
    """Store tuples. Parameters: new, the first choice of each tuple, which gives the order of its places."""
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


def _collected(choice: Choice, designed: Designed) -> Collected:
    (round_, _), _, annotator = choice.thing
    shown = {"tuple_id": designed.pk, "order": designed.order_of(choice.items)}
    shown |= {"block": BlockKind.MAIN, "context": choice.context}
    answered = {"best_id": choice.best, "worst_id": choice.worst}
    answered |= {"hard_to_say": choice.hard_to_say, "invalid": choice.invalid, "set_aside": choice.set_aside}
    return Collected(choice.thing, annotator, round_, choice.session, choice.circumstances, shown, answered)
