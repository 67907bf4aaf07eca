"""All findings in short, kind by kind, to be shown before anybody consents."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.corpora.cleaning.kinds import Finding, Kind

EXAMPLES = 5


@dataclass(frozen=True)
class Summary:
    """One kind: how often it was found, in how many rows, and the first of them."""

    kind: Kind
    findings: int
    rows: int
    examples: tuple[Finding, ...]


@dataclass(frozen=True)
class Report:
    """How many rows were looked at, in how many something was found, and each kind that was found."""

    rows: int
    rows_found: int
    summaries: tuple[Summary, ...]


def report(findings: Sequence[Finding], *, rows: int, examples: int = EXAMPLES) -> Report:
    """The findings counted by kind, in the order of the kinds.

    Parameters: rows, how many rows were looked at; examples, how many findings of each kind are kept.
    """
    by_kind = {kind: [one for one in findings if one.kind is kind] for kind in Kind}
    return Report(
        rows=rows,
        rows_found=len({one.row for one in findings}),
        summaries=tuple(
            Summary(kind, len(found), len({one.row for one in found}), tuple(found[:examples]))
            for kind, found in by_kind.items()
            if found
        ),
    )
