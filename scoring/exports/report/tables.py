"""Tables of a run's results; a figure that is not defined is shown as such, with its reason below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from scoring.figures.wording import MINUS

Tree = Mapping[str, Any]
Path = str | tuple[str, ...]
UNDEFINED = "n/a"
ABSENT = "–"
SMALLEST_P = 0.001


@dataclass(frozen=True)
class Cell:
    """text: the printed text. reason: of a figure that is not defined; mark: of the note below that explains it."""

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
        return {cell.mark: cell.reason.rstrip(".") for row in self.rows for cell in row.cells if cell.mark}


@dataclass(frozen=True)
class Line:
    """One figure: its label, its path in a tree, and the number of decimals printed.

    interval: whether the interval NAME_low to NAME_high follows in brackets. significance: whether it is a p-value,
    after which NAME_degrees, of freedom, follow in brackets if the tree has them.
    """

    label: str
    path: Path
    decimals: int = 3
    interval: bool = False
    significance: bool = False


def whole(label: str, path: Path) -> Line:
    """Return the line of a whole number."""
    return Line(label, path, 0)


def around(label: str, path: Path, decimals: int = 3) -> Line:
    """Return the line of a figure with its interval."""
    return Line(label, path, decimals, interval=True)


def p_value(label: str, path: Path) -> Line:
    """Return the line of a two-sided p-value."""
    return Line(label, path, significance=True)


def tested(label: str, path: Path) -> list[Line]:
    """Return the lines of a correlation: with its interval, and its p-value with the degrees of freedom."""
    steps = (path,) if isinstance(path, str) else path
    return [around(label, path), p_value("p (df)", (*steps[:-1], f"{steps[-1]}_p"))]


def distribution(path: str = "", decimals: int = 3) -> list[Line]:
    """Return the lines of a distribution, the mean with its interval if it has one."""
    names = {"mean": "Mean", "sd": "Standard deviation", "min": "Minimum", "q25": "First quartile", "median": "Median"}
    names |= {"q75": "Third quartile", "max": "Maximum"}
    return [
        Line(label, (path, name) if path else name, decimals, interval=name == "mean") for name, label in names.items()
    ]


def across(title: str, columns: Mapping[str, Tree], lines: Sequence[Line], note: str = "") -> Table:
    """Return a table with figures one below the other, and a column for each tree."""
    rows = [(line.label, [figure(tree, line) for tree in columns.values()]) for line in lines]
    return marked(title, tuple(columns), rows, note)


def down(title: str, rows: Mapping[str, Tree], lines: Sequence[Line], note: str = "") -> Table:
    """Return a table with trees one below the other, and a column for each figure."""
    found = [(label, [figure(tree, line) for line in lines]) for label, tree in rows.items()]
    return marked(title, tuple(line.label for line in lines), found, note)


def marked(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, Sequence[Cell]]], note: str = "") -> Table:
    """Return the table with a letter for each reason, in the order in which they occur."""
    reasons = dict.fromkeys(cell.reason for _, cells in rows for cell in cells if cell.reason)
    marks = {reason: _letters(place) for place, reason in enumerate(reasons)}
    finished = tuple(
        Row(label, tuple(Cell(cell.text, cell.reason, marks.get(cell.reason, "")) for cell in cells))
        for label, cells in rows
    )
    return Table(title, columns, finished, note)


def figure(tree: Tree, line: Line) -> Cell:
    """Return the cell of a line of a tree; a figure that is null has its reason under NAME_reason."""
    steps = (line.path,) if isinstance(line.path, str) else line.path
    value: Any = tree
    for step in steps:
        if not isinstance(value, Mapping) or step not in value:
            return Cell(ABSENT)
        holder, value = value, value[step]
        if value is None:
            return Cell(UNDEFINED, holder.get(f"{step}_reason") or holder.get("reason") or "no reason was recorded")
    if line.significance:
        degrees = holder.get(f"{steps[-1].removesuffix('_p')}_degrees")
        return Cell(printed_p(value) + (f" ({printed(degrees, 0)})" if degrees is not None else ""))
    return _with_interval(value, holder, steps[-1], line) if line.interval else Cell(printed(value, line.decimals))


def _with_interval(value: float, holder: Tree, name: str, line: Line) -> Cell:
    """Return the figure, with its interval if one was computed; one that is not defined has its reason."""
    text, ends = printed(value, line.decimals), [f"{name}_low", f"{name}_high"]
    if not all(end in holder for end in ends):
        return Cell(text)
    if holder[ends[0]] is None:
        return Cell(f"{text} ({UNDEFINED})", holder[f"{ends[0]}_reason"])
    low, high = (printed(holder[end], line.decimals) for end in ends)
    return Cell(f"{text} ({low} to {high})")


def printed(value: float | int | bool | str, decimals: int = 3) -> str:
    """Return a number as tables print it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return f"{value:z,.{0 if isinstance(value, int) else decimals}f}".replace("-", MINUS)


def printed_p(value: float) -> str:
    """Return a p-value as papers print it: none is 0."""
    return printed(value) if value >= SMALLEST_P else f"< {SMALLEST_P}"


def _letters(place: int) -> str:
    """Return the letter of a place: a to z, then aa, ab and so on."""
    before, own = divmod(place, len(ascii_lowercase))
    return (_letters(before - 1) if before else "") + ascii_lowercase[own]
