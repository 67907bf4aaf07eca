"""Incidents with their summaries and reports, split into sentences."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.material.row_filters import RowFilter, TextRow
from annotation.domain.material.rows import Problems, Row, looks_like_json, read_rows
from annotation.domain.material.values import (
    IN_PROJECT,
    LONGEST_KEY,
    extra_of,
    language_of,
    list_of,
    number_of,
    text_of,
    used_before,
)
from annotation.models import Document, DocumentKind, Incident, ItemImport, Project, Sentence
from annotation.protocols.terms import JudgmentKind

COLUMNS = ("incident", "document", "kind", "position", "sentence")
KNOWN = {"id", "title", "language", "summary", "reports"}


@dataclass
class Draft:
    """An incident as read, before it is checked as a whole."""

    key: str
    line: int
    title: str = ""
    language: str = ""
    extra: Row = field(default_factory=dict)
    documents: list["DocumentDraft"] = field(default_factory=list)

    def sentences(self, kind: DocumentKind) -> int:
        return sum(len(document.sentences) for document in self.documents if document.kind == kind)


@dataclass
class DocumentDraft:
    kind: DocumentKind
    key: str
    title: str
    sentences: list[str]


def read_incidents(project: Project, path: Path, problems: Problems, sieve: RowFilter) -> Iterator[Draft]:
    """Yield the incidents of a file, checked."""
    for draft in _checked(project, path, problems):
        if problems.found or _sieved(draft, sieve, project.language):
            yield draft
        if problems.full:
            return


def _sieved(draft: Draft, sieve: RowFilter, language: str) -> bool:
    """Filter the sentences of an incident. Return whether it stays."""
    texts = [text for document in draft.documents for text in document.sentences]
    left = sieve.row(TextRow(draft.line, texts, language=draft.language or language))
    if left is None:
        return False
    rest = iter(left.texts)
    for document in draft.documents:
        document.sentences = [next(rest) for _ in document.sentences]
    return True


def _checked(project: Project, path: Path, problems: Problems) -> Iterator[Draft]:
    taken = dict.fromkeys(project.incidents.values_list("key", flat=True), IN_PROJECT)
    choices = max(len(round_.design.roles) for round_ in project.protocol.rounds_of(JudgmentKind.SELECTION))
    for draft in _drafts(path, problems):
        named = {"incident": draft.key, "choices": choices}
        if draft.key and draft.key in taken:
            problems.add(draft.line, "id", used_before(draft.key, taken[draft.key]))
        taken.setdefault(draft.key, draft.line)
        if not draft.sentences(DocumentKind.SUMMARY):
            problems.add(
                draft.line,
                "summary",
                _("The incident “%(incident)s” has no summary sentences. Add at least one.") % named,
            )
        if [document.kind for document in draft.documents].count(DocumentKind.SUMMARY) > 1:
            problems.add(
                draft.line,
                "summary",
                _("The incident “%(incident)s” has more than one summary. Keep only one.") % named,
            )
        if draft.sentences(DocumentKind.REPORT) < choices:
            reason = _(
                "The reports of the incident “%(incident)s” have too few sentences to choose from. They need "
                "at least %(choices)s in all."
            )
            problems.add(draft.line, "reports", reason % named)
        yield draft


def _drafts(path: Path, problems: Problems) -> Iterator[Draft]:
    if looks_like_json(path):
        for line, row in read_rows(path, required=(), problems=problems):
            yield _from_json(row, line, problems)
    else:
        yield from _from_csv(path, problems)


def _from_json(row: Row, line: int, problems: Problems) -> Draft:
    draft = Draft(
        key=text_of(row, "id", line, problems, longest=LONGEST_KEY),
        line=line,
        title=text_of(row, "title", line, problems, needed=False),
        language=language_of(row, line, problems),
        extra=extra_of(row, KNOWN, line, problems),
    )
    summary = _texts(row.get("summary"), "summary", line, problems)
    draft.documents.append(DocumentDraft(DocumentKind.SUMMARY, "summary", "", summary))
    for number, report in enumerate(list_of(row.get("reports"), "reports", line, problems), start=1):
        column = f"reports[{number}]"
        if not isinstance(report, dict):
            problems.add(line, column, _("A report must be a JSON object with “id”, “title” and “sentences”."))
            continue
        key = text_of({"id": number} | report, "id", line, problems, longest=LONGEST_KEY)
        title = text_of(report, "title", line, problems, needed=False)
        sentences = _texts(report.get("sentences"), f"{column}.sentences", line, problems)
        draft.documents.append(DocumentDraft(DocumentKind.REPORT, key, title, sentences))
    return draft


def _texts(value: Any, column: str, line: int, problems: Problems) -> list[str]:
    texts = list_of(value, column, line, problems)
    return [text_of({column: text}, column, line, problems) for text in texts]


def _from_csv(path: Path, problems: Problems) -> Iterator[Draft]:
    """Yield incidents from a row for each sentence, in any order; they are whole only at the end of the file."""
    drafts: dict[str, Draft] = {}
    sentences: dict[tuple[str, str, str], dict[int, str]] = {}
    for line, row in read_rows(path, required=COLUMNS, problems=problems):
        keys = (text_of(row, name, line, problems, longest=LONGEST_KEY) for name in ("incident", "document"))
        incident, document = keys
        kind = text_of(row, "kind", line, problems).lower()
        if kind not in DocumentKind.values:
            problems.add(line, "kind", _("“%(kind)s” is not a valid kind. Use summary or report.") % {"kind": kind})
        draft = drafts.setdefault(incident, Draft(incident, line))
        draft.language = draft.language or language_of(row, line, problems)
        extra = extra_of(row, (*COLUMNS, "language"), line, problems)
        draft.extra = {name: value for name, value in extra.items() if value} | draft.extra
        place = sentences.setdefault((incident, kind, document), {})
        position, text = number_of(row, "position", line, problems), text_of(row, "sentence", line, problems)
        if position in place:
            reason = _(
                "The document “%(document)s” already has a sentence at position %(position)s. Number its "
                "sentences 1, 2, 3 and so on."
            )
            problems.add(line, "position", reason % {"position": position, "document": document})
        if position is not None:
            place[position] = text
    for (incident, kind, document), texts in sentences.items():
        ordered = [texts[position] for position in sorted(texts)]
        if kind in DocumentKind.values:
            drafts[incident].documents.append(DocumentDraft(DocumentKind(kind), document, "", ordered))
    yield from drafts.values()


def store_incidents(project: Project, drafts: list[Draft], item_import: ItemImport | None) -> int:
    """Store incidents with their documents and sentences. Return the number of incidents."""
    incidents = Incident.objects.bulk_create(
        Incident(
            project=project,
            key=draft.key,
            title=draft.title,
            language=draft.language,
            extra=draft.extra,
            item_import=item_import,
        )
        for draft in drafts
    )
    documents, texts = [], []
    for incident, draft in zip(incidents, drafts, strict=True):
        ordered = sorted(draft.documents, key=lambda document: document.kind != DocumentKind.SUMMARY)
        for position, read in enumerate(ordered):
            values = {"kind": read.kind, "key": read.key, "title": read.title, "position": position}
            documents.append(Document(incident=incident, **values))
            texts.append(read.sentences)
    Document.objects.bulk_create(documents, batch_size=2000)
    Sentence.objects.bulk_create(
        (
            Sentence(document=document, position=position, text=text)
            for document, sentences in zip(documents, texts, strict=True)
            for position, text in enumerate(sentences)
        ),
        batch_size=2000,
    )
    return len(incidents)
