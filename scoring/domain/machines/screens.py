"""The screens of a model: the material that people judge in the round, in orders drawn as for a person."""

from collections.abc import Iterator, Sequence
from itertools import chain
from zlib import crc32

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import Assignment, Item, Tuple, TuplePlace
from annotation.planning.dealing import deal_tuples, draw_order
from annotation.planning.screens import lay_out
from annotation.protocols.terms import BlockKind
from scoring.models import Machine, MachineScreen

BATCH = 2000


def lay_out_screens(machine: Machine) -> None:
    """Store the screens of a model that has none yet; what is imported later is not among them."""
    if not machine.screens.exists():
        MachineScreen.objects.bulk_create(planned_screens(machine, material_of(machine)), batch_size=BATCH)


def planned_screens(machine: Machine, material: Sequence[int]) -> Iterator[MachineScreen]:
    """Yield the screens of a model, in order, not stored. Raise Refusal if its tuples differ in size."""
    members = _members(machine, material)
    design = machine.asked.design
    for repeat, backwards in machine.passes:
        generator = np.random.default_rng([machine.seed, crc32(machine.round.encode()), repeat, backwards])
        (hand,) = deal_tuples(members, people=1, answers=1, generator=generator)
        blocks = [(BlockKind.MAIN, [material[place] for place in hand.tolist()])]
        for screen in lay_out(blocks, machine.asked.sessions):
            own = {"tuple_id": screen.item, "order": draw_order(members.shape[1], generator)}
            yield MachineScreen(
                machine=machine,
                repeat=repeat,
                reversed=backwards,
                session=screen.session,
                context=screen.context.value,
                position=screen.position,
                **(own if design.compares else {"item_id": screen.item}),
            )


def number_of_screens(machine: Machine, material: Sequence[int]) -> int:
    """Return how many screens the model will have."""
    return len(material) * len(machine.asked.sessions) * len(machine.passes)


def material_of(machine: Machine) -> list[int]:
    """Return the ids of the items or tuples to judge, or of the sample of them that the seed draws.

    Raises:
        Refusal: people select sentences in the round, or nothing is planned in it yet.
    """
    design = machine.asked.design
    if design.selects:
        raise Refusal(_("Models can rate pairs and compare tuples, but they cannot select sentences."))
    rows = _tuples(machine) if design.compares else _items(machine)
    ids = list(rows.values_list("pk", flat=True))
    if not ids:
        raise Refusal(_("Nothing is planned in this round yet. Plan the round first."))
    if machine.sample is None:
        return ids
    return some_of(ids, machine.sample, np.random.default_rng([machine.seed, crc32(b"sample")]))


def some_of(material: list[int], number: int, generator: np.random.Generator) -> list[int]:
    """Return a random sample of the material in its order, or all of it if there is not more."""
    if number >= len(material):
        return material
    drawn = generator.choice(len(material), number, replace=False)
    return [material[place] for place in sorted(drawn.tolist())]


def _items(machine: Machine) -> QuerySet[Item]:
    """Return the items that people rate in the round, without calibration pairs and withdrawn items."""
    planned = Assignment.objects.filter(
        item=OuterRef("pk"), participation__round=machine.round, block=BlockKind.MAIN, lapsed_at__isnull=True
    )
    pooled = machine.project.pooled_items.filter(item=OuterRef("pk"), round=machine.round)
    items = machine.project.items.filter(withdrawn_at__isnull=True, calibration_order__isnull=True)
    return items.filter(Exists(planned) | Exists(pooled)).order_by("position", "pk")


def _tuples(machine: Machine) -> QuerySet[Tuple]:
    withdrawn = TuplePlace.objects.filter(tuple=OuterRef("pk"), item__withdrawn_at__isnull=False)
    return machine.project.tuples.filter(~Exists(withdrawn), round=machine.round).order_by("position")


def _members(machine: Machine, material: Sequence[int]) -> np.ndarray:
    """Return the items of each tuple, shape (tuples, size); of items, one column."""
    if not machine.asked.design.compares:
        return np.arange(len(material))[:, np.newaxis]
    places = TuplePlace.objects.filter(tuple__project=machine.project, tuple__round=machine.round)
    if len(material) <= BATCH:
        places = places.filter(tuple__in=material)
    found: dict[int, list[int]] = {}
    for tuple_id, item in places.order_by("tuple", "position").values_list("tuple", "item").iterator():
        found.setdefault(tuple_id, []).append(item)
    size = max(len(found[one]) for one in material)
    if any(len(found[one]) != size for one in material):
        raise Refusal(_("The tuples of this round differ in size. Models can only compare tuples of one size."))
    return np.array(list(chain.from_iterable(found[one] for one in material)), dtype=np.int64).reshape(-1, size)
