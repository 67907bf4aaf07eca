"""Exports of Potato: CSV, TSV or JSON Lines of sliders, Likert scales and best-worst tuples.

An export names a task only by its ID. With the texts and the tuples, as Potato reads or makes them, it comes in a ZIP
archive: tuples as JSON Lines with `_bws_items`, texts in any table with the project's ID and text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.corpora.elsewhere.export import Choice, Export, Rating, only_question
from annotation.corpora.elsewhere.parts import Part, Record
from annotation.corpora.elsewhere.texts import item_id, text_of, texts_of
from annotation.corpora.errors import CorpusError

TASK, PERSON, LABELS, TUPLE = "instance_id", "user_id", "labels", "_bws_items"
SPANS = "_spans"
"""What is no label, but stands where a table has labels."""
Places = dict[str, tuple[str, str]]
"""The ID and the text of the item at each place of a tuple."""


@dataclass(frozen=True)
class Answer:
    """What one person answered to one question. labels: values by the name of the label."""

    record: Record
    question: str
    labels: dict[str, str]

    @property
    def task(self) -> str:
        return text_of(self.record.values.get(TASK))

    @property
    def person(self) -> str:
        return text_of(self.record.values.get(PERSON))


def recognises(parts: Sequence[Part]) -> bool:
    return any(_is_export(part) for part in parts)


def read(parts: Sequence[Part], question: str) -> Export:
    """Return the answers to one question."""
    records = [record for part in parts if _is_export(part) for record in part.records]
    answers = [answer for record in records for answer in _answers(record)]
    name = only_question(sorted({answer.question for answer in answers}), question)
    tuples, texts = _data([part for part in parts if not _is_export(part)])
    export = Export()
    for answer in answers:
        if answer.question != name:
            continue
        if {"best", "worst"} & set(answer.labels):
            _add_choice(export, answer, tuples)
        elif len(answer.labels) == 1:
            export.describe(answer.task, texts.get(answer.task, ()))
            value = next(iter(answer.labels.values()))
            export.ratings.append(Rating(answer.record.place, answer.task, answer.person, value))
        else:
            export.skipped += 1
    return export


def _is_export(part: Part) -> bool:
    return {TASK, PERSON} <= set(part.first)


def _answers(record: Record) -> Iterator[Answer]:
    """Yield the answers of a record; a table has them in columns such as `similarity.slider`."""
    labels = record.values.get(LABELS)
    if not isinstance(labels, dict):
        labels = {}
        for column, value in record.values.items():
            question, dot, label = column.rpartition(".")
            if dot:
                labels.setdefault(question, {})[label] = value
    for question, found in labels.items():
        values = found if isinstance(found, dict) else {"": found}
        given = {label: text for label, value in values.items() if (text := text_of(value)) and label != SPANS}
        if given:
            yield Answer(record, question, given)


def _data(parts: Sequence[Part]) -> tuple[dict[str, Places], dict[str, tuple[str, ...]]]:
    """Return the tuples by their IDs, and the texts of other tasks."""
    tuples: dict[str, Places] = {}
    texts: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for record in part.records:
            key, members = item_id(record.values), record.values.get(TUPLE)
            if isinstance(members, list):
                tuples[key] = {
                    text_of(member.get("position")): (text_of(member.get("source_id")), text_of(member.get("text")))
                    for member in members
                }
            elif key:
                texts[key] = texts_of(record.values)
    return tuples, texts


def _add_choice(export: Export, answer: Answer, tuples: dict[str, Places]) -> None:
    if answer.task not in tuples:
        raise CorpusError(
            "Potato's export names the places of a tuple, not its items: “%(tuple)s” is unknown. Upload a ZIP archive "
            "with the export and the tuples.",
            tuple=answer.task,
        )
    places = tuples[answer.task]
    best, worst = (places.get(answer.labels.get(name, ""), ("", ""))[0] for name in ("best", "worst"))
    items = tuple(item for item, _text in places.values())
    for item, text in places.values():
        export.describe(item, (text,) if text else ())
    export.choices.append(Choice(answer.record.place, answer.task, items, best, worst, answer.person))
