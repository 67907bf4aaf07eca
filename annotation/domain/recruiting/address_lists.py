"""Lists of addresses to invite, read from a file with the faults of its lines."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from io import StringIO

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from annotation.corpora.tables import delimiter_of
from annotation.domain.recruiting.guests import known_language

COLUMNS = ("address", "name", "language")
HEADINGS = {"address", "email", "e-mail", "mail"}
MOST = 5000  # addresses at once
LONGEST = {"address": 254, "name": 100}


@dataclass(frozen=True)
class Row:
    address: str
    name: str = ""
    language: str = ""


@dataclass(frozen=True)
class Fault:
    line: int
    reason: str


@dataclass
class AddressList:
    """The rows that can be invited, once each, and the faults of the others."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    repeated: int = 0


def read_addresses(text: str) -> AddressList:
    """Return rows of `address[,name][,language]`, with or without headings, separated by comma, semicolon or TAB."""
    found, seen = AddressList(), set()
    columns = COLUMNS
    for line, cells in _lines(text):
        if not found.rows and not found.faults and cells[0].lower() in HEADINGS:
            columns = tuple("address" if cell.lower() in HEADINGS else cell.lower() for cell in cells)
            continue
        row = dict(zip(columns, cells, strict=False))
        if fault := _fault_of(row, len(cells) > len(columns)):
            found.faults.append(Fault(line, fault))
        elif row["address"].lower() in seen:
            found.repeated += 1
        else:
            seen.add(row["address"].lower())
            found.rows.append(Row(row["address"].lower(), row.get("name", ""), known_language(row.get("language", ""))))
    if len(found.rows) > MOST:
        found.faults.append(Fault(0, _("You can invite up to %(most)s addresses at once.") % {"most": MOST}))
        del found.rows[MOST:]
    return found


def _lines(text: str) -> Iterable[tuple[int, list[str]]]:
    lines = text.removeprefix("\ufeff").splitlines()
    reader = csv.reader(lines, delimiter=delimiter_of("".join(lines[:1])), skipinitialspace=True)
    for cells in reader:
        stripped = [cell.strip() for cell in cells]
        if any(stripped):
            yield reader.line_num, stripped


def _fault_of(row: dict[str, str], too_long: bool) -> str:
    """Return what is wrong with a row, as a sentence; "" if nothing is."""
    try:
        validate_email(row.get("address", ""))
    except ValidationError:
        return _("“%(address)s” is not an email address.") % {"address": row.get("address", "")[:60]}
    if too_long:
        return _("A line can only have an address, a name and a language.")
    if any(len(row.get(name, "")) > most for name, most in LONGEST.items()):
        return _("The address or name is too long.")
    if row.get("language") and not known_language(row["language"]):
        return _("“%(language)s” is not available. Use en, cs, de, es or ar.") % {"language": row["language"][:20]}
    return ""


def as_text(rows: Iterable[Row]) -> str:
    """Return the rows as the lines of a file."""
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows((row.address, row.name, row.language) for row in rows)
    return file.getvalue()
