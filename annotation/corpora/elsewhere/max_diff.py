"""MaxDiff tables of survey tools: one row for each respondent and task, or one for each item shown in a task."""

import re
from collections.abc import Iterator, Mapping, Sequence

from annotation.corpora.elsewhere.export import Choice, Export
from annotation.corpora.elsewhere.parts import Part, Record, Values
from annotation.corpora.elsewhere.texts import text_of

RESPONDENT = ("respondent", "respondent_id", "responseid", "response_id", "resp_id", "resp", "participant", "id")
TASK = ("task", "set", "question", "block", "screen", "trial")
LABEL = ("item", "label", "alternative", "attribute", "option")
BEST, WORST = ("best", "most"), ("worst", "least")
CHOICE = ("choice", "value", "response")
SHOWN = re.compile("(?:item|alt|alternative|option|attribute|label)[ ._-]?([0-9]{1,2})")
MARKED = ("1", "true", "yes", "x")


def recognises(parts: Sequence[Part]) -> bool:
    first = parts[0].first if len(parts) == 1 else {}
    known = bool(_name(first, RESPONDENT) and _name(first, TASK))
    marks = bool(_name(first, BEST) and _name(first, WORST))
    wide = len(_shown(first)) > 1 and marks
    return known and (wide or bool(_name(first, LABEL) and (marks or _name(first, CHOICE))))


def read(parts: Sequence[Part], question: str) -> Export:
    """Return the choices; a task without a best and a worst item is counted as skipped."""
    records = [record for part in parts for record in part.records]
    choices = list(_wide(records) if records and len(_shown(records[0].values)) > 1 else _long(records))
    answered = [choice for choice in choices if choice.best or choice.worst]
    return Export(choices=answered, skipped=len(choices) - len(answered))


def _wide(records: Sequence[Record]) -> Iterator[Choice]:
    for record in records:
        values = record.values
        items = tuple(text for column in _shown(values) if (text := text_of(values[column])))
        best, worst = (_chosen(text_of(values.get(_name(values, names))), items) for names in (BEST, WORST))
        yield Choice(record.place, "", items, best, worst, _respondent(values))


def _chosen(answer: str, items: Sequence[str]) -> str:
    """Return the chosen item, which a table names by itself or by its place in the row."""
    if answer in items or not answer.isdecimal():
        return answer
    return items[int(answer) - 1] if 1 <= int(answer) <= len(items) else answer


def _long(records: Sequence[Record]) -> Iterator[Choice]:
    """Yield the choice of each task, whose items are the rows with the same respondent and task."""
    tasks: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        key = _respondent(record.values), text_of(record.values.get(_name(record.values, TASK)))
        tasks.setdefault(key, []).append(record)
    for (respondent, _number), rows in tasks.items():
        label = _name(rows[0].values, LABEL)
        items = tuple(text_of(row.values.get(label)) for row in rows)
        best, worst = (_marked(rows, items, names, sign) for names, sign in ((BEST, "1"), (WORST, "-1")))
        yield Choice(rows[0].place, "", items, best, worst, respondent)


def _marked(rows: Sequence[Record], items: Sequence[str], names: Sequence[str], sign: str) -> str:
    """Return the item marked in a column of its own, or by 1 (best) and -1 (worst) in one column for both."""
    column = _name(rows[0].values, names)
    signs = MARKED if column else (sign,)
    column = column or _name(rows[0].values, CHOICE)
    found = (item for row, item in zip(rows, items, strict=True) if _number(row.values.get(column)) in signs)
    return next(found, "")


def _number(value: object) -> str:
    return re.sub(r"\.0+$", "", text_of(value).lower())


def _respondent(values: Values) -> str:
    return text_of(values.get(_name(values, RESPONDENT)))


def _shown(values: Mapping[str, object]) -> list[str]:
    """Return the columns of the items that a row shows, in the order of their numbers."""
    numbered = [(int(found[1]), name) for name in values if (found := SHOWN.fullmatch(name))]
    return [name for _, name in sorted(numbered)]


def _name(values: Mapping[str, object], names: Sequence[str]) -> str:
    """Return which of some names a table uses for a column; "" for none."""
    return next((name for name in names if name in values), "")
