"""A summary of all findings by kind, shown before the user agrees to changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.corpora.cleaning.kinds import Finding, Kind

EXAMPLES = 5


@dataclass(frozen=True)
class Summary:
    """The findings of one kind: their number, the number of rows with them, and the first ones."""

    kind: Kind
    findings: int
    rows: int
    examples: tuple[Finding, ...]


@dataclass(frozen=True)
class Report:
    """The number of rows checked, the number of rows with findings, and a summary of each kind that was found."""

    rows: int
    rows_found: int
    summaries: tuple[Summary, ...]


def report(findings: Sequence[Finding], *, rows: int, examples: int = EXAMPLES) -> Report:
    """Count the findings by kind, in the order of the kinds.

    Parameters: rows, the number of rows checked; examples, how many findings of each kind are kept.
    """
    by_kind = {kind: [finding for finding in findings if finding.kind is kind] for kind in Kind}
    return Report(
        rows=rows,
        rows_found=len({finding.row for finding in findings}),
        summaries=tuple(
            Summary(kind, len(members), len({finding.row for finding in members}), tuple(members[:examples]))
            for kind, members in by_kind.items()
            if members
        ),
    )
