"""The values of a row, each checked: what is wrong becomes a problem of its line and column."""

import json
import re
from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.material.rows import Problems, Row
from annotation.models.project import LANGUAGE_PATTERN

LONGEST_TEXT = 20_000  # characters
LONGEST_KEY = 200
IN_PROJECT = 0
"""Stands for the line of an ID that the project already has."""
YES_OR_NO = {"1": True, "0": False, "true": True, "false": False}
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
ESCAPED_NUL = re.compile(r"(?<!\\)(\\\\)*\\u0000")


def text_of(
    row: Row, column: str, line: int, problems: Problems, *, needed: bool = True, longest: int = LONGEST_TEXT
) -> str:
    """Return the text of a column, or "" for a missing, overlong or non-text value, which becomes a problem."""
    value = row.get(column)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    text = value.strip() if isinstance(value, str) else ""
    if value is not None and not isinstance(value, str):
        problems.add(line, column, _("The value must be text."))
    elif needed and not any(sign.isprintable() and not sign.isspace() for sign in text):
        problems.add(line, column, _("The value is missing."))
    elif len(text) > longest:
        reason = _("The text is too long: %(number)s characters, and the maximum is %(longest)s.")
        problems.add(line, column, reason % {"number": len(text), "longest": longest})
    elif UNSTORABLE.search(text):
        problems.add(
            line,
            column,
            _("The text contains a character that can't be stored (NUL or an incomplete character). Remove it."),
        )
    else:
        return text
    return ""


def list_of(value: Any, column: str, line: int, problems: Problems) -> list[Any]:
    """Return the list; anything else becomes a problem and an empty list."""
    if isinstance(value, list):
        return value
    problems.add(line, column, _("This must be a list."))
    return []


def language_of(row: Row, line: int, problems: Problems) -> str:
    """Return the language tag of a row, or "" if it has none."""
    text = text_of(row, "language", line, problems, needed=False)
    if text and (len(text) > 35 or not re.fullmatch(LANGUAGE_PATTERN, text)):
        problems.add(
            line, "language", _("“%(text)s” is not a language tag. Use a tag such as en, cs or ar-EG.") % {"text": text}
        )
        return ""
    return text


def number_of(row: Row, column: str, line: int, problems: Problems, *, needed: bool = True) -> int | None:
    """Return a whole number of at most nine digits, or None for anything else, which becomes a problem."""
    text = text_of(row, column, line, problems, needed=needed)
    if text.isdecimal() and len(text) <= 9:
        return int(text)
    if text:
        problems.add(line, column, _("“%(text)s” is not a whole number of up to nine digits.") % {"text": text[:40]})
    return None


def read_flag(row: Row, column: str, line: int, problems: Problems, *, default: bool = False) -> bool:
    """Return yes or no, or the default where the column is empty; anything else becomes a problem."""
    value = row.get(column)
    text = "" if value is None else str(value).strip().lower()
    if text and text not in YES_OR_NO:
        problems.add(line, column, _("“%(text)s” is not 1 or 0.") % {"text": text[:40]})
    return YES_OR_NO.get(text, default)


def used_before(key: str, line: int) -> str:
    """Return the reason why an ID is refused. Parameters: line, where it is used first, or IN_PROJECT."""
    if line == IN_PROJECT:
        return _("The project already has the ID “%(key)s”. Change it or remove it from the file.") % {"key": key}
    return _("The ID “%(key)s” is already used on line %(line)s. Change one of them.") % {"key": key, "line": line}


def extra_of(row: Row, known: Collection[str], line: int, problems: Problems) -> Row:
    """Return the further columns, as they are kept with an item."""
    extra = {name: value for name, value in row.items() if name not in known}
    try:
        text = json.dumps(extra, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = "\0"
    if UNSTORABLE.search(text) or ESCAPED_NUL.search(text):
        problems.add(line, ", ".join(extra), _("One of these columns has a value that can't be stored. Remove it."))
    return extra
