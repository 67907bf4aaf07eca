"""Best-worst choices that were collected elsewhere: item1..itemK, best, worst, and perhaps tuple and annotator."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path

from annotation.domain.importing.answers import Rounds, as_known, read_circumstances, read_flag
from annotation.domain.importing.handling import Handling, Invalid, Met, Repetition
from annotation.domain.importing.rows import Problems, Row, read_rows
from annotation.domain.importing.tuples import Choice, Members, Thing, choices_stored
from annotation.domain.importing.values import LONGEST_KEY, text_of
from annotation.models import Item, Project
from annotation.protocols.spec import BestWorstDesign, Round
from annotation.unknown import is_unknown, unknown_person

ITEM = re.compile("item ?([0-9]{1,3})")
Fault = tuple[str, str]
"""A column, and what is wrong there."""
ALIASES = {"bestitem": "best", "worstitem": "worst"}
MEND = "(--invalid drop leaves such rows out, --invalid keep counts them as they stand)"


def read_choices(
    project: Project,
    path: Path,
    default_round: str | None,
    now: datetime,
    handling: Handling,
    met: Met,
    problems: Problems,
) -> Iterator[Choice]:
    """The choices of a file, checked."""
    reader = _Reader(project, default_round, now, handling, met, problems)
    rows = ((line, _renamed(row)) for line, row in read_rows(path, required=(), problems=problems))
    first = next(rows, None)
    if first is None or _lacks_columns(first[1], problems):
        return
    for line, row in chain([first], rows):
        if choice := reader.read(line, row):
            yield choice
        if problems.full:
            return


def _renamed(row: Row) -> Row:
    return {
        name if name not in ALIASES or ALIASES[name] in row else ALIASES[name]: value for name, value in row.items()
    }


def _lacks_columns(row: Row, problems: Problems) -> bool:
    missing = [name for name in ("best", "worst") if name not in row]
    if len(_item_columns(row)) < 2:
        missing.insert(0, "item1, item2, …")
    for name in missing:
        problems.add(1, name, "this column is missing.")
    return bool(missing)


def _item_columns(row: Row) -> list[str]:
    numbered = [(int(found[1]), name) for name in row if (found := ITEM.fullmatch(name))]
    return [name for _, name in sorted(numbered)]


class _Reader:
    """Checks rows one after the other; remembers what it has seen."""

    def __init__(
        self,
        project: Project,
        default_round: str | None,
        now: datetime,
        handling: Handling,
        met: Met,
        problems: Problems,
    ) -> None:
        self.now, self.handling, self.met, self.problems = now, handling, met, problems
        compared = [one for one in project.protocol.rounds if isinstance(one.design, BestWorstDesign)]
        self.rounds = Rounds(project, "choices", compared, default_round)
        self.items = {one.key: one for one in project.items.only("project", "key", "group", "calibration_order")}
        self.repetition = Repetition(choices_stored(project), handling.repeated, met)
        self.unsigned: Counter[tuple[Members, int]] = Counter()
        self.names = _TupleNames()

    def read(self, line: int, row: Row) -> Choice | None:
        before = len(self.problems.found)
        keys = self._keys(row, line)
        best, worst = (
            as_known(text_of(row, name, line, self.problems, needed=False, longest=LONGEST_KEY), self.items)
            for name in ("best", "worst")
        )
        invalid = list(_invalid(keys, best, worst))
        if (invalid or not (best and worst)) and self.handling.invalid is Invalid.DROP:
            self.met.invalid += 1
            return None
        round_ = self.rounds.read(row, line, self.problems)
        refused = invalid if self.handling.invalid is Invalid.REFUSE else []
        for column, reason in chain(self._wrong_items(keys), _wrong_choice(keys, best, worst), refused):
            self.problems.add(line, column, reason)
        circumstances = read_circumstances(row, line, round_, self.now, self.problems)
        hard_to_say = read_flag(row, "hard_to_say", line, self.problems)
        if len(self.problems.found) > before or round_ is None:
            return None
        items = [self.items[key] for key in keys.values()]
        thing = self._thing(row, line, round_, items)
        if thing is None or not (session := self.repetition.take(thing)):
            return None
        self.met.invalid += bool(invalid)
        ids = tuple(item.pk for item in items)
        return Choice(
            thing=thing,
            session=session,
            name=_tuple_name(row),
            context=round_.sessions[0],
            items=ids,
            designed=_designed(row, ids),
            best=self.items[best].pk,
            worst=self.items[worst].pk,
            hard_to_say=hard_to_say,
            invalid=bool(invalid),
            circumstances=circumstances,
        )

    def _keys(self, row: Row, line: int) -> dict[str, str]:
        """The items as written, by column; a column left empty belongs to a larger tuple."""
        keys = {
            name: as_known(text_of(row, name, line, self.problems, needed=False, longest=LONGEST_KEY), self.items)
            for name in _item_columns(row)
        }
        return {name: key for name, key in keys.items() if key}

    def _wrong_items(self, keys: Mapping[str, str]) -> Iterator[Fault]:
        for column, key in keys.items():
            if key not in self.items:
                yield column, f"the project has no item “{key}”."
            elif self.items[key].calibration_order is not None:
                yield column, f"“{key}” is a calibration pair, which is in no tuple."

    def _thing(self, row: Row, line: int, round_: Round, items: Sequence[Item]) -> Thing | None:
        """Which tuple was judged by whom; None where the row is refused."""
        before = len(self.problems.found)
        members = round_.key, tuple(sorted(item.pk for item in items))
        text_of(row, "tuple", line, self.problems, needed=False, longest=LONGEST_KEY)
        wrong_name = self.names.wrong(members, _tuple_name(row), line)
        assert isinstance(round_.design, BestWorstDesign)  # of no other are rounds found
        for column, reason in chain(_wrong_tuple(round_.design, items), wrong_name):
            self.problems.add(line, column, reason)
        if len(self.problems.found) > before:
            return None
        copy = self.names.copy_of(members, _tuple_name(row))
        signed = "annotator" in row
        annotator = text_of(row, "annotator", line, self.problems, longest=LONGEST_KEY) if signed else ""
        if not signed or is_unknown(annotator):
            self.met.unsigned += 1
            return members, copy, self._somebody(members, copy)
        thing = members, copy, annotator
        if annotator and self.repetition.refused(thing):
            self.problems.add(line, "annotator", f"{annotator} has judged these items in this round before.")
        return thing if len(self.problems.found) == before else None

    def _somebody(self, members: Members, copy: int) -> str:
        """Where the file does not tell who chose: somebody unknown who has not judged this tuple yet."""
        while True:
            self.unsigned[members, copy] += 1
            name = unknown_person(self.unsigned[members, copy])
            if not self.repetition.known((members, copy, name)):
                return name


class _TupleNames:
    """What stands in the column `tuple`: a name is of the same items everywhere, two names are two tuples."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str], tuple[Members, int]] = {}
        self.copies: dict[Members, dict[str, int]] = {}

    def wrong(self, members: Members, name: str, line: int) -> Iterator[Fault]:
        first, where = self.first.setdefault((members[0], name), (members, line)) if name else (members, line)
        if first != members:
            yield "tuple", f"“{name}” has other items than on line {where}."

    def copy_of(self, members: Members, name: str) -> int:
        """Which of the tuples with these items it is, from 1: in the order of their names; without one, the first."""
        if not name:
            return 1
        copies = self.copies.setdefault(members, {})
        return copies.setdefault(name, len(copies) + 1)


def _tuple_name(row: Row) -> str:
    value = row.get("tuple")
    return "" if value is None else str(value).strip()


def _designed(row: Row, shown: tuple[int, ...]) -> tuple[int, ...]:
    """The items in the order of the tuple, where a row tells it as a release does: for each shown, its place there."""
    places = str(row.get("order") or "")
    if sorted(places) != [str(place) for place in range(1, len(shown) + 1)]:
        return shown
    return tuple(item for _, item in sorted(zip(places, shown, strict=True)))


def _invalid(keys: Mapping[str, str], best: str, worst: str) -> Iterator[Fault]:
    """What no collection here would hold, and what files of others may."""
    met: set[str] = set()
    for column, key in keys.items():
        if key in met:
            yield column, f"“{key}” stands twice in this row {MEND}."
        met.add(key)
    if best and best == worst:
        yield "worst", f"“{worst}” is the best of this row, too {MEND}."


def _wrong_choice(keys: Mapping[str, str], best: str, worst: str) -> Iterator[Fault]:
    for name, chosen in (("best", best), ("worst", worst)):
        if not chosen:
            yield name, "nothing was chosen (--invalid drop leaves such rows out)."
        elif chosen not in keys.values():
            yield name, f"“{chosen}” is none of the items of this row."


def _wrong_tuple(design: BestWorstDesign, items: Sequence[Item]) -> Iterator[Fault]:
    number = len(items)
    if number != design.tuple_size:
        reason = f"{number} items, where a tuple of this project has {design.tuple_size}"
        yield "", f"{reason}; create_project makes one for such tuples with --set tuple_size={number}."
    if design.grouped and len({item.group_id for item in items}) > 1:
        yield "", "these items do not belong to the same dialogue."
