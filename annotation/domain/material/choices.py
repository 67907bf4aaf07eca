"""Best-worst choices that were collected elsewhere: item1..itemK, best, worst, and perhaps tuple and annotator."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from annotation.domain.material.answers import (
    JUDGED_BEFORE,
    Rounds,
    add_unknown_item,
    as_known,
    is_left_out,
    read_circumstances,
    reason_in,
)
from annotation.domain.material.policy import Invalid, JudgmentImport, Repetition
from annotation.domain.material.rows import Problem, Problems, Row, read_rows
from annotation.domain.material.tuples import Choice, Members, Thing, choices_stored
from annotation.domain.material.values import LONGEST_KEY, read_flag, text_of
from annotation.models import Item
from annotation.protocols.counting import NotCounted
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.spec import Round
from annotation.protocols.terms import JudgmentKind
from annotation.unknown import is_unknown, unknown_person

ITEM = re.compile("item ?([0-9]{1,3})")
Fault = tuple[str, str]
"""A column, and what is wrong there."""
ALIASES = {"bestitem": "best", "worstitem": "worst"}
MEND = (
    "Correct the row, or choose under “Invalid choices” to leave such rows out, to count them or to store "
    "them without counting."
)


def read_choices(path: Path, under_way: JudgmentImport) -> Iterator[Choice]:
    """Yield the choices of a file, checked."""
    reader, problems = _Reader(under_way), under_way.problems
    rows = ((line, _renamed(row)) for line, row in read_rows(path, required=(), problems=problems))
    first = next(rows, None)
    if first is None or _lacks_columns(first[1], problems):
        return
    for line, row in chain([first], rows):
        if is_left_out(row, under_way.counts):
            continue
        if choice := reader.read(line, row):
            yield choice
        if problems.full:
            return


def _renamed(row: Row) -> Row:
    return {name if ALIASES.get(name, name) in row else ALIASES[name]: value for name, value in row.items()}


def _lacks_columns(row: Row, problems: Problems) -> bool:
    missing = [name for name in ("best", "worst") if name not in row]
    if len(item_columns(row)) < 2:
        missing.insert(0, "item1, item2, …")
    for name in missing:
        problems.add(1, name, "This column is missing.")
    return bool(missing)


def item_columns(row: Row) -> list[str]:
    """Return the columns item1, item2, ... of a row, in order."""
    numbered = [(int(found[1]), name) for name in row if (found := ITEM.fullmatch(name))]
    return [name for _, name in sorted(numbered)]


class _Reader:
    """Checks rows one after the other and remembers them."""

    def __init__(self, under_way: JudgmentImport) -> None:
        project, self.now, self.problems = under_way.project, under_way.now, under_way.problems
        self.invalid, self.counts = under_way.policy.invalid, under_way.counts
        rounds = project.protocol.rounds_of(JudgmentKind.CHOICE)
        self.rounds = Rounds(project, "choices", rounds, under_way.default_round)
        self.items = {item.key: item for item in project.items.only("project", "key", "group", "calibration_order")}
        self.repetition = Repetition(choices_stored(project), under_way.policy.repeated, self.counts)
        self.unsigned: Counter[tuple[Members, int]] = Counter()
        self.names = _TupleNames()

    def read(self, line: int, row: Row) -> Choice | None:
        before = self.problems.number
        keys = self._keys(row, line)
        best, worst = (
            as_known(text_of(row, name, line, self.problems, needed=False, longest=LONGEST_KEY), self.items)
            for name in ("best", "worst")
        )
        invalid = list(_invalid(keys, best, worst))
        if (invalid or not (best and worst)) and self.invalid is Invalid.DROP:
            self.counts.invalid += 1
            return None
        round_ = self.rounds.read(row, line, self.problems)
        refused = invalid if self.invalid is Invalid.REFUSE else []
        self._add_wrong_items(keys, line)
        for column, reason in chain(_wrong_choice(keys, best, worst), refused):
            self.problems.add(line, column, reason)
        circumstances = read_circumstances(row, line, round_, self.now, self.problems)
        hard_to_say = read_flag(row, "hard_to_say", line, self.problems)
        if self.problems.number > before or round_ is None:
            return None
        items = [self.items[key] for key in keys.values()]
        thing = self._thing(row, line, round_, items)
        if thing is None or not (session := self.repetition.take(thing)):
            return None
        self.counts.invalid += bool(invalid)
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
            set_aside=bool(invalid) and (self.invalid is Invalid.MARK or reason_in(row) == NotCounted.INVALID),
            circumstances=circumstances,
        )

    def _keys(self, row: Row, line: int) -> dict[str, str]:
        """Return the items as written, by column; a column left empty belongs to a larger tuple."""
        keys = {
            name: as_known(text_of(row, name, line, self.problems, needed=False, longest=LONGEST_KEY), self.items)
            for name in item_columns(row)
        }
        return {name: key for name, key in keys.items() if key}

    def _add_wrong_items(self, keys: Mapping[str, str], line: int) -> None:
        for column, key in keys.items():
            if key not in self.items:
                add_unknown_item(self.problems, line, column, key)
            elif self.items[key].calibration_order is not None:
                self.problems.add(line, column, f"“{key}” is a calibration pair and can't be part of a tuple.")

    def _thing(self, row: Row, line: int, round_: Round, items: Sequence[Item]) -> Thing | None:
        """Return which tuple was judged by whom; None where the row is refused."""
        before = self.problems.number
        members = round_.key, tuple(sorted(item.pk for item in items))
        text_of(row, "tuple", line, self.problems, needed=False, longest=LONGEST_KEY)
        wrong_name = self.names.wrong(members, _tuple_name(row), line)
        for column, reason in chain(_wrong_tuple(round_.design, items), wrong_name):
            self.problems.add(line, column, reason)
        if self.problems.number > before:
            return None
        copy = self.names.copy_of(members, _tuple_name(row))
        signed = "annotator" in row
        annotator = text_of(row, "annotator", line, self.problems, longest=LONGEST_KEY) if signed else ""
        if not signed or is_unknown(annotator):
            self.counts.unsigned += 1
            return members, copy, self._somebody(members, copy)
        thing = members, copy, annotator
        if annotator and self.repetition.refused(thing):
            reason = f"{annotator} has already judged these items in this round."
            self.problems.add_alike(Problem(line, "annotator", reason), f"line {line} by {annotator}", JUDGED_BEFORE)
        return thing if self.problems.number == before else None

    def _somebody(self, members: Members, copy: int) -> str:
        """Return somebody unknown who has not judged this tuple yet, for a row that does not say who chose."""
        while True:
            self.unsigned[members, copy] += 1
            name = unknown_person(self.unsigned[members, copy])
            if not self.repetition.known((members, copy, name)):
                return name


class _TupleNames:
    """The names in the column `tuple`: a name has the same items everywhere, two names are two tuples."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str], tuple[Members, int]] = {}
        self.copies: dict[Members, dict[str, int]] = {}

    def wrong(self, members: Members, name: str, line: int) -> Iterator[Fault]:
        first, where = self.first.setdefault((members[0], name), (members, line)) if name else (members, line)
        if first != members:
            yield "tuple", f"“{name}” has different items on line {where}. Use one name per tuple."

    def copy_of(self, members: Members, name: str) -> int:
        """Return which of the tuples with these items it is, from 1, in the order of their names; 1 without a name."""
        if not name:
            return 1
        copies = self.copies.setdefault(members, {})
        return copies.setdefault(name, len(copies) + 1)


def _tuple_name(row: Row) -> str:
    value = row.get("tuple")
    return "" if value is None else str(value).strip()


def _designed(row: Row, shown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the items in the order of the tuple, where a row has the place there of each, as a release does."""
    places = str(row.get("order") or "")
    if sorted(places) != [str(place) for place in range(1, len(shown) + 1)]:
        return shown
    return tuple(item for _, item in sorted(zip(places, shown, strict=True)))


def _invalid(keys: Mapping[str, str], best: str, worst: str) -> Iterator[Fault]:
    """Yield what Semblance would never collect, but files of others may hold."""
    seen: set[str] = set()
    for column, key in keys.items():
        if key in seen:
            yield column, f"“{key}” appears twice in this row. {MEND}"
        seen.add(key)
    if best and best == worst:
        yield "worst", f"“{worst}” is both best and worst. {MEND}"


def _wrong_choice(keys: Mapping[str, str], best: str, worst: str) -> Iterator[Fault]:
    for name, chosen in (("best", best), ("worst", worst)):
        if not chosen:
            yield name, "Nothing was chosen. Fill this in, or choose under “Invalid choices” to leave such rows out."
        elif chosen not in keys.values():
            yield name, f"“{chosen}” is not one of the items of this row."


def _wrong_tuple(design: BestWorstDesign, items: Sequence[Item]) -> Iterator[Fault]:
    if (number := len(items)) != design.tuple_size:
        reason = f"The row has {number} items, but tuples of this project have {design.tuple_size}."
        yield "", f"{reason} They belong in a project with {number} items per comparison."
    if design.grouped and len({item.group_id for item in items}) > 1:
        yield "", "These items belong to different dialogues."
