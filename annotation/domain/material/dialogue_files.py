"""Files of dialogues: JSON Lines with a dialogue a line, or CSV and TSV with a turn or an utterance a row."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.domain.material.rows import Problems, Row, looks_like_json, read_rows
from annotation.domain.material.values import LONGEST_KEY, extra_of, language_of, list_of, number_of, text_of

COLUMNS = ("dialogue", "domain", "kind", "position", "speaker", "text")
WHOLE = {"id", "domain", "language", "turns", "utterances"}
OF_A_TURN = {*COLUMNS, "language"}
OF_AN_UTTERANCE = {*OF_A_TURN, "id"} - {"speaker"}
LONGEST_NAME = 200  # of a domain or a speaker
LONGEST_ID = 49  # of an utterance: behind the dialogue's it makes the key of an item
TAKEN = {
    "turn": _(
        "The dialogue “%(dialogue)s” already has a turn at position %(position)s. Number its turns 1, 2, 3 and so on."
    ),
    "utterance": _(
        "The dialogue “%(dialogue)s” already has an utterance at position %(position)s. Number its "
        "utterances 1, 2, 3 and so on."
    ),
}


@dataclass(frozen=True)
class Part:
    """A turn or an utterance; `column` says where on its line it stands."""

    line: int
    column: str
    text: str
    key: str = ""
    speaker: str = ""
    extra: Row = field(default_factory=dict)


@dataclass
class Draft:
    """A dialogue as read, before it is checked as a whole."""

    key: str
    line: int
    domain: str = ""
    language: str = ""
    extra: Row = field(default_factory=dict)
    turns: list[Part] = field(default_factory=list)
    utterances: list[Part] = field(default_factory=list)


def read_drafts(path: Path, problems: Problems) -> Iterator[Draft]:
    """Yield the dialogues of a file one by one; of CSV, consecutive rows with the same ID make one."""
    is_json = looks_like_json(path)
    rows = read_rows(path, required=() if is_json else COLUMNS, problems=problems)
    if is_json:
        yield from (_from_json(row, line, problems) for line, row in rows)
    else:
        for _, together in groupby(rows, key=lambda numbered: numbered[1]["dialogue"].strip()):
            yield _from_csv(list(together), problems)


def _from_json(row: Row, line: int, problems: Problems) -> Draft:
    turns, utterances = (
        [
            _json_part(value, number, name, line, problems)
            for number, value in enumerate(list_of(row.get(name), name, line, problems), start=1)
        ]
        for name in ("turns", "utterances")
    )
    return Draft(
        key=text_of(row, "id", line, problems, longest=LONGEST_KEY),
        line=line,
        domain=text_of(row, "domain", line, problems, needed=False, longest=LONGEST_NAME),
        language=language_of(row, line, problems),
        extra=_merged(turns) | extra_of(row, WHOLE, line, problems),
        turns=turns,
        utterances=utterances,
    )


def _json_part(value: Any, number: int, name: str, line: int, problems: Problems) -> Part:
    column = f"{name}[{number}]"
    if not isinstance(value, dict):
        reason = _("This must be a JSON object with “%(name)s” and “text”.")
        problems.add(line, column, reason % {"name": "speaker" if name == "turns" else "id"})
        return Part(line, column, "")
    known = {"speaker", "text"} if name == "turns" else {"id", "text"}
    named = {f"{column}.{key}": part for key, part in value.items()}
    return Part(
        line,
        column,
        text_of(named, f"{column}.text", line, problems),
        key=_key(named | {f"{column}.id": value.get("id", number)}, f"{column}.id", line, problems),
        speaker=text_of(named, f"{column}.speaker", line, problems, needed=False, longest=LONGEST_NAME),
        extra=extra_of(value, known, line, problems),
    )


def _from_csv(rows: list[tuple[int, Row]], problems: Problems) -> Draft:
    line, row = rows[0]
    draft = Draft(text_of(row, "dialogue", line, problems, longest=LONGEST_KEY), line)
    places: dict[str, dict[int, Part]] = {"turn": {}, "utterance": {}}
    for line, row in rows:
        domain = text_of(row, "domain", line, problems, needed=False, longest=LONGEST_NAME)
        draft.domain = _agreed(draft.domain, domain, "domain", line, problems)
        draft.language = _agreed(draft.language, language_of(row, line, problems), "language", line, problems)
        kind = text_of(row, "kind", line, problems).lower()
        if kind and kind not in places:
            problems.add(line, "kind", _("“%(kind)s” is not a valid kind. Use turn or utterance.") % {"kind": kind})
        position = number_of(row, "position", line, problems)
        place = places.get(kind, {})
        if position in place:
            problems.add(line, "position", TAKEN[kind] % {"position": position, "dialogue": draft.key})
        if position is not None:
            place[position] = _csv_part(row, kind, position, line, problems)
    draft.turns, draft.utterances = ([place[position] for position in sorted(place)] for place in places.values())
    draft.extra = _merged(draft.turns)
    return draft


def _csv_part(row: Row, kind: str, position: int, line: int, problems: Problems) -> Part:
    is_turn = kind == "turn"
    extra = extra_of(row, OF_A_TURN if is_turn else OF_AN_UTTERANCE, line, problems)
    return Part(
        line,
        "text",
        text_of(row, "text", line, problems),
        key="" if is_turn else _key({"id": row.get("id") or str(position)}, "id", line, problems),
        speaker=text_of(row, "speaker", line, problems, needed=False, longest=LONGEST_NAME),
        extra={name: value for name, value in extra.items() if value},
    )


def _key(row: Row, column: str, line: int, problems: Problems) -> str:
    """Return the ID of an utterance; the dialogue's ID, a slash and this make the key of the item."""
    text = text_of(row, column, line, problems, longest=LONGEST_ID)
    if "/" in text:
        reason = _(
            "The ID “%(text)s” contains a slash. Remove the slash: it separates the dialogue's ID from the utterance's."
        )
        problems.add(line, column, reason % {"text": text})
    return text


def _agreed(present: str, value: str, column: str, line: int, problems: Problems) -> str:
    """Return the value on which all rows of a dialogue that have one agree."""
    if present and value and present != value:
        reason = _(
            "Earlier rows of this dialogue have “%(present)s”, this row has “%(given)s”. Use the same "
            "value in all its rows."
        )
        problems.add(line, column, reason % {"given": value, "present": present})
    return present or value


def _merged(turns: Collection[Part]) -> Row:
    """Return the further columns of all turns: one value where they agree, else a list with a value for each."""
    names = dict.fromkeys(name for turn in turns for name in turn.extra)
    columns = {name: [turn.extra.get(name, "") for turn in turns] for name in names}
    return {name: row[0] if all(value == row[0] for value in row) else row for name, row in columns.items()}
