"""What was collected in each round, from the counted judgments, and what the protocol requires."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from annotation.planning.tuples import count_tuples
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.errors import TranslatableError
from annotation.protocols.spec import Design, Protocol, Round
from annotation.protocols.terms import BlockKind, Context, JudgmentKind
from scoring.exports.report.waves import Look
from scoring.exports.snapshot_view import SnapshotView
from scoring.summaries.tables import BLOCKS, NONE, Integers

CONTEXTS = {Context.FREE: "without context", Context.DEPENDENT: "with context"}
COLUMNS = (
    *(f"ratings.{name}" for name in ("items", "raters", "rounds", "contexts", "blocks", "values", "counted")),
    *(f"choices.{name}" for name in ("tuples", "annotators", "counted")),
    *(f"participations.{name}" for name in ("raters", "rounds", "pools")),
    *("raters.pseudonyms", "items.keys", "items.calibration", "items.groups", "tuples"),
)


@dataclass(frozen=True)
class Amount:
    """Judgments of one context and pool, which `name` gives in words; empty if there is only one of each.

    things: items or tuples with a judgment. wanted: judgments of each thing by the protocol. each: the fewest, the
    median and the most judgments of a thing. person: the fewest and the most of a person. people, person: None if some
    judgments have no known annotator.
    """

    name: str
    judgments: int
    things: int
    wanted: int
    each: tuple[int, float, int]
    people: int | None
    person: tuple[int, int] | None

    @property
    def as_wanted(self) -> bool:
        return self.each[0] == self.each[2] == self.wanted


@dataclass(frozen=True)
class Collected:
    """The judgments of a round. planned: whether it was planned here.

    brought_in: the judgments of a planned round that were imported before, and the number of their annotators.

    things: the items or tuples that there are to judge, without withdrawn ones; 0 where the design takes only some.
    wanted: how many there should be by the protocol; 0 if it depends on people. a_person: how many of them every
    person judges by the protocol; 0 if people judge different numbers. items: those that there are, without withdrawn
    ones; compared: those in tuples, without tuples that hold a withdrawn one. withdrawn: withdrawn pairs, or tuples
    with a withdrawn item. repeated: ratings that count of pairs that people rated again. places: planned, without
    replacements. shortened: people whose pause was shortened. people, incidents, sentences: of a round that selects,
    the fewest and the most incidents of a person. looks: those of a round in waves.
    """

    planned: bool = True
    brought_in: tuple[int, int] = (0, 0)
    amounts: Sequence[Amount] = ()
    empty: Sequence[str] = ()
    things: int = 0
    wanted: int = 0
    a_person: int = 0
    items: int = 0
    compared: int = 0
    withdrawn: int = 0
    repeated: int = 0
    places: int = 0
    shortened: int = 0
    people: int = 0
    incidents: tuple[int, int] = (0, 0)
    sentences: int = 0
    looks: Sequence[Look] = ()

    @property
    def imported(self) -> bool:
        return not self.planned and bool(self.amounts or self.sentences)

    @property
    def as_wanted(self) -> bool:
        """Return whether nothing was withdrawn or imported, everything has the judgments that the protocol wants, and
        everybody judged as much as it wants."""
        return (
            bool(self.amounts and self.wanted and not self.empty and not self.withdrawn and not any(self.brought_in))
            and all(one.as_wanted and one.things == self.wanted for one in self.amounts)
            and self.things in (0, self.wanted)
            and (not self.a_person or all(one.person == (self.a_person, self.a_person) for one in self.amounts))
        )


def collected_amounts(view: SnapshotView, protocol: Protocol) -> dict[str, Collected]:
    """Return what was collected in each round that rates or chooses."""
    gone = np.isin(view["items.keys"], view.facts.withdrawn)
    items = int((~view["items.calibration"] & ~gone).sum())
    withdrawn_items = int((~view["items.calibration"] & gone).sum())
    found = {}
    for round_ in protocol.rounds_of(JudgmentKind.RATING):
        amounts = tuple(_of_ratings(view, round_))
        found[round_.key] = Collected(
            amounts=amounts,
            empty=_without_judgments(round_, amounts),
            things=items if round_.design.rates_all else 0,
            wanted=items if round_.design.rates_all else _validated_pairs(round_, protocol),
            a_person=items if round_.design.complete else 0,
            items=items,
            withdrawn=withdrawn_items if round_.design.rates_all else 0,
            repeated=_repeated(view, round_),
        )
    choosing = protocol.rounds_of(JudgmentKind.CHOICE)
    if len(choosing) == 1:  # a snapshot does not tell of which round a tuple is
        (round_,) = choosing
        shown = view["tuples"]
        kept = shown[~(gone[shown] & (shown != NONE)).any(axis=1)] if len(shown) else shown
        withdrawn = len(shown) - len(kept)
        found[round_.key] = Collected(
            amounts=tuple(_of_choices(view, round_.design)),
            things=len(shown) - withdrawn,
            wanted=max(_wanted_tuples(round_.design, view) - withdrawn, 0),
            items=items,
            compared=len(np.unique(kept[kept != NONE])),
            withdrawn=withdrawn,
        )
    return found


def brought_in(view: SnapshotView, round_: Round, pseudonyms: Collection[str]) -> tuple[int, int]:
    """Return how many judgments of a round that count are by these annotators, and how many of these have some."""
    if round_.design.compares:
        people = view["choices.annotators"][view["choices.counted"]]
    else:
        contexts = [view.rows_of(round_.key, context.value) for context in dict.fromkeys(round_.sessions)]
        people = view["ratings.raters"][np.any(contexts, axis=0)]
    own = people[np.isin(people, [at for at, name in enumerate(view["raters.pseudonyms"]) if name in pseudonyms])]
    return len(own), len(np.unique(own))


def _repeated(view: SnapshotView, round_: Round) -> int:
    """Return how many ratings of the block of repeated pairs count."""
    own = view["ratings.counted"] & (view["ratings.rounds"] == view.facts.rounds.index(round_.key))
    return int((own & (view["ratings.blocks"] == BLOCKS.index(BlockKind.INTRA.value))).sum())


def _validated_pairs(round_: Round, protocol: Protocol) -> int:
    """Return how many selected pairs the round validates; 0 if it depends on people."""
    selections = round_.design.selections_validated
    return selections * len(protocol.selection(round_).roles) if selections else 0


def _wanted_tuples(design: BestWorstDesign, view: SnapshotView) -> int:
    """Return the number of tuples that a design of all items has; 0 if they are too few for a tuple."""
    groups = view["items.groups"][~view["items.calibration"]]
    sizes = np.unique(groups, return_counts=True)[1].tolist() if design.grouped else [len(groups)]
    try:
        return sum(_tuples_of(design, size) for size in sizes)
    except TranslatableError:
        return 0


def _tuples_of(design: BestWorstDesign, items: int) -> int:
    wanted = count_tuples(items, size=design.tuple_size, factor=design.factor)
    return min(wanted, comb(items, design.tuple_size)) if design.grouped else wanted


def _of_ratings(view: SnapshotView, round_: Round) -> Iterator[Amount]:
    pools = _pools_of(view, round_)
    for context in dict.fromkeys(round_.sessions):
        rows = np.flatnonzero(view.rows_of(round_.key, context.value))
        own = np.array([pools.get(rater, "") for rater in view["ratings.raters"][rows].tolist()])
        for pool, title, wanted in _groups_of(round_.design):
            kept = rows if not pool else rows[own == pool]
            names = [CONTEXTS[context] if len(round_.sessions) > 1 else "", title]
            yield from _amount(
                ", ".join(filter(None, names)), view["ratings.items"][kept], view["ratings.raters"][kept], wanted
            )


def _without_judgments(round_: Round, amounts: Sequence[Amount]) -> tuple[str, ...]:
    """Return the names of the contexts and pools that have no judgment, where others have some."""
    contexts = [CONTEXTS[context] if len(round_.sessions) > 1 else "" for context in dict.fromkeys(round_.sessions)]
    titles = [title for _, title, _ in _groups_of(round_.design)]
    names = [", ".join(filter(None, (context, title))) for context in contexts for title in titles]
    known = {amount.name for amount in amounts}
    return tuple(name for name in names if name not in known) if amounts else ()


def _groups_of(design: Design) -> list[tuple[str, str, int]]:
    """Return key, title and wanted ratings of an item, of every pool; a single group of raters has no key."""
    if len(design.rater_pools) > 1:
        return [(pool.key, pool.title.lower(), pool.people) for pool in design.rater_pools]
    return [("", "", design.answers_each)]


def _pools_of(view: SnapshotView, round_: Round) -> Mapping[int, str]:
    if len(round_.design.rater_pools) < 2:
        return {}
    own = view["participations.rounds"] == view.facts.rounds.index(round_.key)
    raters = view["participations.raters"].tolist()
    return {raters[row]: view["participations.pools"][row] for row in np.flatnonzero(own).tolist()}


def _of_choices(view: SnapshotView, design: BestWorstDesign) -> Iterator[Amount]:
    kept = view["choices.counted"]
    tuples, people = view["choices.tuples"][kept], view["choices.annotators"][kept]
    yield from _amount("", tuples, people, design.answers_each, unsigned=bool(view.unknown[people].any()))


def _amount(name: str, things: Integers, people: Integers, wanted: int, *, unsigned: bool = False) -> Iterator[Amount]:
    if not len(things):
        return
    each, person = (np.unique(column[column != NONE], return_counts=True)[1] for column in (things, people))
    yield Amount(
        name=name,
        judgments=len(things),
        things=len(each),
        wanted=wanted,
        each=(int(each.min()), float(np.median(each)), int(each.max())),
        people=None if unsigned else len(person),
        person=None if unsigned else (int(person.min()), int(person.max())),
    )
