"""Exports of Label Studio (JSON, JSON-MIN, CSV, TSV): ratings, numbers, single choices, comparisons of two texts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.corpora.elsewhere.export import Choice, Export, Rating, milliseconds, only_question
from annotation.corpora.elsewhere.parts import Part, Record
from annotation.corpora.elsewhere.texts import item_id, text_of, texts_of

VALUES = ("rating", "number", "choices", "selected")
"""The keys of an answer's value, by the kind of question: Rating, Number, Choices and Pairwise."""
SIDES = {"left": 0, "right": 1}
FLAT = ("annotation_id", "annotator", "lead_time")
"""Columns of the exports with a row for each annotation."""
Fields = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One annotation of one task. answers: values by the name of the question."""

    record: Record
    task: str
    fields: Fields
    person: str
    answers: dict[str, Fields]
    at: str
    seconds: object


def recognises(parts: Sequence[Part]) -> bool:
    first = parts[0].first if len(parts) == 1 else {}
    return isinstance(first.get("annotations"), list) or set(FLAT) <= set(first)


def read(parts: Sequence[Part], question: str) -> Export:
    """Return the answers to one question; annotations that were cancelled or have no answer to it are counted."""
    answers = [answer for part in parts for record in part.records for answer in _answers(record)]
    name = only_question(sorted({name for answer in answers for name in answer.answers}), question)
    export = Export()
    for answer in answers:
        value = answer.answers.get(name)
        if value is None:
            export.skipped += 1
        elif "selected" in value:
            _add_choice(export, answer, text_of(value["selected"]))
        else:
            _add_rating(export, answer, value)
    return export


def _answers(record: Record) -> Iterator[Answer]:
    values = record.values
    if not isinstance(values.get("annotations"), list):
        yield _flat(record)
        return
    fields = values["data"] if isinstance(values.get("data"), dict) else {}
    for annotation in values["annotations"]:
        results = [] if annotation.get("was_cancelled") else annotation.get("result") or []
        found = {result.get("from_name", ""): result.get("value") for result in results}
        yield Answer(
            record,
            text_of(values.get("id")),
            fields,
            _person(annotation.get("completed_by")),
            {name: value for name, value in found.items() if _is_read(value)},
            text_of(annotation.get("created_at")),
            annotation.get("lead_time"),
        )


def _flat(record: Record) -> Answer:
    """Return the annotation of a row of JSON-MIN, CSV or TSV, whose values are lists, in tables written as JSON."""
    fields = record.values
    values = {name: _only_value(value) for name, value in fields.items()}
    return Answer(
        record,
        text_of(fields.get("id")),
        fields,
        _person(fields.get("annotator")),
        {name: value for name, value in values.items() if value is not None},
        text_of(fields.get("created_at")),
        fields.get("lead_time"),
    )


def _only_value(value: object) -> Fields | None:
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    found = value[0] if isinstance(value, list) and len(value) == 1 else None
    return found if _is_read(found) else None


def _is_read(value: object) -> bool:
    return isinstance(value, dict) and any(name in value for name in VALUES)


def _person(found: object) -> str:
    """Return the number or the address of a person; earlier versions export both."""
    return text_of(found.get("email") or found.get("id")) if isinstance(found, dict) else text_of(found)


def _add_rating(export: Export, answer: Answer, value: Fields) -> None:
    rated = next(value[name] for name in VALUES if name in value)
    if isinstance(rated, list):
        rated = rated[0] if len(rated) == 1 else ""
    item = item_id(answer.fields, answer.task)
    export.describe(item, texts_of(answer.fields))
    times = answer.at, milliseconds(answer.seconds)
    export.ratings.append(Rating(answer.record.place, item, answer.person, text_of(rated), *times))


def _add_choice(export: Export, answer: Answer, side: str) -> None:
    """Add a comparison of two texts: the selected one is the best, the other the worst."""
    if side not in SIDES:
        export.skipped += 1
        return
    texts = texts_of(answer.fields)
    items = tuple(text_of(answer.fields.get(f"id{number}")) or text for number, text in enumerate(texts, start=1))
    for item, text in zip(items, texts, strict=True):
        export.describe(item, (text,))
    if len(items) == 2:
        best, worst = items[SIDES[side]], items[1 - SIDES[side]]
        times = answer.at, milliseconds(answer.seconds)
        export.choices.append(Choice(answer.record.place, "", items, best, worst, answer.person, *times))
