"""Tables of the report in Markdown, for the data card."""

from collections.abc import Iterator

from scoring.exports.report.tables import Cell, Table


def as_markdown(table: Table) -> Iterator[str]:
    """Yield the lines of a table under its title; what is not defined has its reason below."""
    yield from (f"### {table.title}\n", _row("Figure", *table.columns), _row("---", *["---:"] * len(table.columns)))
    yield from (_row(row.label, *map(_text, row.cells)) for row in table.rows)
    for mark, reason in table.reasons.items():
        yield f"\n({mark}) Not defined: {reason}."
    if table.note:
        yield f"\n{table.note}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _text(cell: Cell) -> str:
    return f"{cell.text} ({cell.mark})" if cell.mark else cell.text
