"""Findings in a file before it is imported: counts and examples, as they are stored with the job (SemRel2024 3.3)."""

from collections import Counter
from collections.abc import Collection
from itertools import zip_longest
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.corpora.cleaning import (
    Distribution,
    Finding,
    Kind,
    find_in_rows,
    find_in_text,
    length_balance,
    overlap_balance,
    visible,
)
from annotation.domain.errors import Refusal
from annotation.domain.material.items import EMPTY, look_through
from annotation.domain.material.repetition import Seen
from annotation.domain.material.row_filters import RowFilter, TextRow
from annotation.models import Project
from annotation.protocols.terms import Material

EXAMPLES = 20  # of each kind
AROUND = 40  # characters shown on either side of what was found
LONGEST = 200  # characters of a whole row that are shown
BARS = 12  # of a figure; all that lies beyond is one more
MOST_LABELS = 1000  # that are counted separately: a column may have another value in every row
OTHERS = gettext_noop("all others")
Figure = dict[str, Any]


def find_in_file(
    project: Project, path: Path, *, overlap: bool = True, expletives: Collection[str] = ()
) -> dict[str, Any]:
    """Return all that is found in a file of items; nothing is stored.

    Parameters: overlap, whether to add the distribution of the overlap of pairs; expletives, unwanted words besides
        those of ENGLISH_EXPLETIVES.

    Raises:
        FileRefused: with every bad row.
        Refusal: the project cannot take items, or the file has none.
    """
    profiler = FileProfiler(overlap=overlap and project.protocol.material == Material.PAIRS, expletives=expletives)
    if not look_through(project=project, path=path, sieve=profiler):
        raise Refusal(EMPTY)
    return profiler.findings()


class FileProfiler(RowFilter):
    """Lets every row through unchanged, and counts what is in it."""

    def __init__(self, *, overlap: bool, expletives: Collection[str] = ()) -> None:
        self.overlap, self.expletives = overlap, expletives
        self.rows = self.texts = 0
        self._counts: Counter[Kind] = Counter()
        self._found_in: Counter[Kind] = Counter()
        self._examples: dict[Kind, list[dict[str, Any]]] = {kind: [] for kind in Kind}
        self._seen = Seen()
        self._figures: dict[str, Distribution] = {}
        self._categories: dict[str, Counter[str]] = {}
        self._looked_for = 0

    def row(self, row: TextRow) -> TextRow:
        self.rows += 1
        self.texts += len(row.texts)
        unwanted = row.unwanted(self.expletives)
        self._looked_for += bool(unwanted)
        found = [*find_in_rows([row.texts], expletives=unwanted), *_beside(row), *self._repetition(row)]
        for finding in found:
            self._note(finding, row)
        self._found_in.update({finding.kind for finding in found})
        self._measure(row)
        return row

    def findings(self) -> dict[str, Any]:
        """Return everything in the form in which it is stored."""
        kinds = [
            {"kind": kind.value, "count": count, "rows": self._found_in[kind], "examples": self._examples[kind]}
            for kind in Kind
            if (count := self._counts[kind])
        ]
        return {
            "rows": self.rows,
            "texts": self.texts,
            "kinds": kinds,
            "balance": self._balance(),
            "expletives": {"rows": self._looked_for, "found": self._found_in[Kind.EXPLETIVE]},
        }

    def _repetition(self, row: TextRow) -> list[Finding]:
        repeats = self._seen.row(row.texts, row.line)
        whole = [Finding(repeats[0], 0, " / ".join(row.texts), twin=repeats[1])] if repeats else []
        twins = [(place, text, self._seen.text(text, row.line)) for place, text in enumerate(row.texts)]
        if repeats and repeats[0] is Kind.REPEATED:
            return whole
        twins = [(place, text, twin) for place, text, twin in twins if twin != row.line]
        return whole + [Finding(Kind.REPEATED_TEXT, 0, text, text=place, twin=twin) for place, text, twin in twins]

    def _note(self, finding: Finding, row: TextRow) -> None:
        self._counts[finding.kind] += 1
        examples = self._examples[finding.kind]
        if len(examples) < EXAMPLES:
            examples.append(_example(finding, row))

    def _measure(self, row: TextRow) -> None:
        self._add(_("words per text"), length_balance([row.texts]))
        if self.overlap:
            self._add(_("share of words that both texts have in common"), overlap_balance([row.texts]))
        for name, value in row.categories.items():
            counter = self._categories.setdefault(name, Counter())
            counter[value if value in counter or len(counter) < MOST_LABELS else _(OTHERS)] += 1

    def _add(self, name: str, counted: Distribution) -> None:
        before = self._figures.get(name, Distribution((), ()))
        counts = tuple(map(sum, zip_longest(before.counts, counted.counts, fillvalue=0)))
        self._figures[name] = Distribution(max(before.labels, counted.labels, key=len), counts)

    def _balance(self) -> list[Figure]:
        figures = [figure(name, list(zip(one.labels, one.counts, strict=True))) for name, one in self._figures.items()]
        return figures + [
            figure(name, [(value or _("not specified"), number) for value, number in counter.most_common()])
            for name, counter in self._categories.items()
            if set(counter) != {""}
        ]


def figure(name: str, bars: list[tuple[str, int]]) -> Figure:
    """Return a distribution as it is stored; what lies beyond the last bar is put together."""
    shown, rest = bars[:BARS], sum(count for _, count in bars[BARS:])
    if rest:
        shown = [*shown, (_(OTHERS), rest)]
    return {"name": name, "bars": shown, "most": max((count for _, count in shown), default=0)}


def _beside(row: TextRow) -> list[Finding]:
    """Return what is found in the contexts, which follow the texts."""
    places = enumerate(row.beside, start=len(row.texts))
    return [
        Finding(spot.kind, 0, spot.excerpt, spot.becomes, place, spot.start)
        for place, text in places
        for spot in find_in_text(text)
        if spot.becomes is not None
    ]


def _example(finding: Finding, row: TextRow) -> dict[str, Any]:
    """Return the text around what was found: before, and after the change where there would be one."""
    text = finding.excerpt if finding.text is None else [*row.texts, *row.beside][finding.text]
    start, end = _stretch(finding, text)
    twin = {} if finding.twin is None else {"twin": finding.twin}
    becomes = {} if finding.becomes is None else {"becomes": finding.becomes}
    left = text[max(start - AROUND, 0) : start] if end else text[:LONGEST]
    shown = {
        "left": "…" * (start > AROUND) + visible(left) + "…" * (not end and len(text) > LONGEST),
        "what": visible(text[start:end]),
        "right": visible(text[end : end + AROUND]) + "…" * (len(text) > end + AROUND) if end else "",
    }
    return {"line": row.line, "language": row.language} | twin | shown | becomes


def _stretch(finding: Finding, text: str) -> tuple[int, int]:
    """Return where the marked stretch begins and ends, with the space that is removed along with it."""
    if finding.kind is Kind.EXPLETIVE:
        start = max(text.casefold().find(finding.excerpt), 0)
        return start, start + len(finding.excerpt) * (finding.excerpt in text.casefold())
    if finding.start is None:
        return 0, 0
    start, end = finding.start, finding.start + len(finding.excerpt)
    if finding.becomes == "" and text[end : end + 1] == " " and (not start or text[start - 1].isspace()):
        end += 1
    return start, end
