"""Exports of doccano's text classification, with the values of a scale as labels: JSONL, JSON or CSV for each person.

doccano writes a file for each member, named after them, into a ZIP archive. The file `all` of a project whose
annotations are shared does not say whose label is whose.
"""

from collections.abc import Sequence

from annotation.corpora.elsewhere.export import Export, Rating
from annotation.corpora.elsewhere.parts import Part, Values
from annotation.corpora.elsewhere.texts import item_id, text_of, texts_of
from annotation.corpora.errors import CorpusError

COLUMNS = {"id", "text", "label"}
COMMENTS = ("Comments", "comments")  # as JSON has it, and as the columns of a table are compared
BETWEEN = "#"
"""What stands between several labels in CSV."""
SHARED = "all"


def recognises(parts: Sequence[Part]) -> bool:
    first = [part.first for part in parts if part.content]
    return bool(first) and all(set(row) >= COLUMNS and any(name in row for name in COMMENTS) for row in first)


def read(parts: Sequence[Part], question: str) -> Export:
    """Return the labels as ratings; a text without a label, or with several, is counted as skipped."""
    if any(part.stem == SHARED for part in parts):
        raise CorpusError(
            "This export does not say who chose which label, because the project shares its annotations. Turn off "
            "“Share annotations across all users” in doccano and export again."
        )
    export = Export()
    for part in parts:
        for record in part.records:
            labels = _labels(record.values)
            if len(labels) != 1:
                export.skipped += 1
                continue
            item = item_id(record.values)
            export.describe(item, texts_of(record.values))
            export.ratings.append(Rating(record.place, item, part.stem, labels[0]))
    return export


def _labels(values: Values) -> list[str]:
    label = values.get("label")
    found = label if isinstance(label, list) else text_of(label).split(BETWEEN)
    return [text for text in map(text_of, found) if text]
