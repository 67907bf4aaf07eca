"""Tables of a run's results; a figure that is not defined is shown as such, with its reason below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from scoring.figures.wording import MINUS

Tree = Mapping[str, Any]
Path = str | tuple[str, ...]
UNDEFINED = "n. d."
ABSENT = "–"


@dataclass(frozen=True)
class Cell:
    """text: as it is printed. reason: of a figure that is not defined; mark: of the note below that tells it."""

    text: str
    reason: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Row:
    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """columns: the names of all but the first one. reasons: of figures that are not defined, by mark."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""

    @property
    def reasons(self) -> dict[str, str]:
        return {cell.mark: cell.reason for row in self.rows for cell in row.cells if cell.mark}


@dataclass(frozen=True)
class Line:
    """One figure: what it is called, where it stands below a tree, and with how many decimals it is printed.

    interval: whether NAME_low and NAME_high beside it follow in brackets.
    """

    label: str
    path: Path
    decimals: int = 3
    interval: bool = False


def whole(label: str, path: Path) -> Line:
    """A number of things."""
    return Line(label, path, 0)


def around(label: str, path: Path, decimals: int = 3) -> Line:
    """A figure with its interval."""
    return Line(label, path, decimals, interval=True)


def distribution(path: str = "", decimals: int = 3) -> list[Line]:
    """The lines of a distribution, the mean with its interval if it has one."""
    names = {"mean": "Mean", "sd": "Standard deviation", "min": "Least", "q25": "First quartile", "median": "Median"}
    names |= {"q75": "Third quartile", "max": "Greatest"}
    return [
        Line(label, (path, name) if path else name, decimals, interval=name == "mean") for name, label in names.items()
    ]


def across(title: str, columns: Mapping[str, Tree], lines: Sequence[Line], note: str = "") -> Table:
    """Figures one below the other, a column for each tree."""
    rows = [(line.label, [figure(tree, line) for tree in columns.values()]) for line in lines]
    return marked(title, tuple(columns), rows, note)


def down(title: str, rows: Mapping[str, Tree], lines: Sequence[Line], note: str = "") -> Table:
    """Trees one below the other, a column for each figure."""
    found = [(label, [figure(tree, line) for line in lines]) for label, tree in rows.items()]
    return marked(title, tuple(line.label for line in lines), found, note)


def marked(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, Sequence[Cell]]], note: str = "") -> Table:
    """Each reason gets a letter, the first one met the first letter."""
    reasons = dict.fromkeys(cell.reason for _, cells in rows for cell in cells if cell.reason)
    marks = {reason: _letters(place) for place, reason in enumerate(reasons)}
    finished = tuple(
        Row(label, tuple(Cell(cell.text, cell.reason, marks.get(cell.reason, "")) for cell in cells))
        for label, cells in rows
    )
    return Table(title, columns, finished, note)


def figure(tree: Tree, line: Line) -> Cell:
    """The figure of a line below a tree; one that is null has its reason under NAME_reason beside it."""
    steps = (line.path,) if isinstance(line.path, str) else line.path
    value: Any = tree
    for step in steps:
        if not isinstance(value, Mapping) or step not in value:
            return Cell(ABSENT)
        holder, value = value, value[step]
        if value is None:
            return Cell(UNDEFINED, holder.get(f"{step}_reason") or holder.get("reason") or "no reason was noted")
    return _with_interval(value, holder, steps[-1], line) if line.interval else Cell(printed(value, line.decimals))


def _with_interval(value: float, holder: Tree, name: str, line: Line) -> Cell:
    """The figure alone where no interval was computed; one that is not defined has its reason."""
    text, ends = printed(value, line.decimals), [f"{name}_low", f"{name}_high"]
    if not all(end in holder for end in ends):
        return Cell(text)
    if holder[ends[0]] is None:
        return Cell(f"{text} ({UNDEFINED})", holder[f"{ends[0]}_reason"])
    low, high = (printed(holder[end], line.decimals) for end in ends)
    return Cell(f"{text} ({low} to {high})")


def printed(value: float | int | bool | str, decimals: int = 3) -> str:
    """A number as tables have it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return f"{value:,.{0 if isinstance(value, int) else decimals}f}".replace("-", MINUS)


def _letters(place: int) -> str:
    """a to z, then aa, ab and so on."""
    before, own = divmod(place, len(ascii_lowercase))
    return (_letters(before - 1) if before else "") + ascii_lowercase[own]
