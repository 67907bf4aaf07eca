"""Which fields of a task are its ID and its texts; every program leaves their names to its users."""

from collections.abc import Mapping
from typing import Any

ITEM = ("item_id", "pair_id", "pairid", "pair", "item", "key", "id")
PAIRS = (
    ("sentence1", "sentence2"),
    ("sentence_1", "sentence_2"),
    ("text1", "text2"),
    ("text_1", "text_2"),
    ("text_a", "text_b"),
    ("s1", "s2"),
    ("premise", "hypothesis"),
    ("question1", "question2"),
    ("source", "target"),
    ("left", "right"),
)
SINGLE = ("text", "sentence", "content", "utterance", "word", "phrase")
BETWEEN = ("<hr>", "<br>", "<br/>", "|||", "\t", "\n")
"""What users put between two texts, where a program shows only one."""
Fields = Mapping[str, Any]


def item_id(fields: Fields, otherwise: object = "") -> str:
    """Return the ID of a task's item: of its own fields, else the program's number of the task."""
    found = (text_of(fields.get(name)) for name in ITEM)
    return next((value for value in found if value), text_of(otherwise))


def texts_of(fields: Fields) -> tuple[str, ...]:
    """Return the two texts or the one text of a task; none if no field has a usual name."""
    for first, second in PAIRS:
        both = text_of(fields.get(first)), text_of(fields.get(second))
        if all(both):
            return both
    single = next((text for name in SINGLE if (text := text_of(fields.get(name)))), "")
    for sign in BETWEEN:
        parts = [part.strip() for part in single.split(sign)]
        if len(parts) == 2 and all(parts):
            return tuple(parts)
    return (single,) if single else ()


def text_of(value: object) -> str:
    """Return a text or a number as text; "" for anything else."""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
