"""The layout of a file before it is read: what it is, its encoding, and which of its columns is which."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.corpora.archives import has_at_most
from annotation.corpora.formats import Format, beginning_of, encodings_of, format_of, is_utf, write_table
from annotation.corpora.tables import Unreadable
from annotation.domain.errors import Refusal
from annotation.domain.material.pairs import CONTEXTS, PAIR, TEXT
from annotation.domain.material.rows import looks_like_json
from annotation.models import Project
from annotation.protocols.terms import Material

NOT_TABLES = {
    Format.OLD_EXCEL: gettext_lazy("This is an old Excel file (.xls). Save it as .xlsx or CSV and upload it again."),
    Format.OPEN_DOCUMENT: gettext_lazy("This is an OpenDocument file. Save it as .xlsx or CSV and upload it again."),
    Format.WORD: gettext_lazy("This is a Word document. Save its table as .xlsx or CSV and upload that."),
    Format.ZIP: gettext_lazy("This is a ZIP archive. Unzip it and upload the file inside."),
    Format.GZIP: gettext_lazy("This is a compressed file (gzip). Unzip it and upload the file inside."),
    Format.PDF: gettext_lazy("This is a PDF. Upload the original table as .xlsx or CSV instead."),
    Format.HTML: gettext_lazy(
        "This is a web page (HTML), not a table. Perhaps the download required signing in. Download the file again."
    ),
}
OTHER_NAMES = {
    "id": "id pair_id pairid key no nr number index item",
    "sentence1": "sentence1 text1 sentence_1 text_1 s1 sentencea sentence_a texta text_a premise question1 first",
    "sentence2": "sentence2 text2 sentence_2 text_2 s2 sentenceb sentence_b textb text_b hypothesis question2 target"
    " second",
    "text": "text sentence content body tweet post word phrase term",
    "language": "language lang",
    "source": "source origin corpus dataset",
    "gold": "gold label gold_label",
    "context1": "context1 context_1 contexta",
    "context2": "context2 context_2 contextb",
}
"""Names under which other programs know the columns."""
MOST_UNPACKED = 1_000_000_000  # bytes of a workbook
MOST_PARTS = 10_000  # files in a workbook: one for each sheet, picture and comment
OPTIONAL = ("language", "source", "gold", "calibration")
Values = dict[str, Any]


def wanted_columns(project: Project) -> tuple[str, ...]:
    """Return the columns that a table of the project's material needs; none where columns cannot be renamed."""
    if project.protocol.material == Material.TEXTS:
        return TEXT
    if project.protocol.material == Material.PAIRS:
        return (*PAIR, *CONTEXTS) if project.protocol.in_context else PAIR
    return ()


def question_about(project: Project, path: Path, *, encoding: str, renames: bool) -> Values | None:
    """Return what has to be asked before a file can be read, as it is stored with the job; None if it can be read.

    Parameters: encoding, as it was confirmed; renames, whether columns are asked for: not of a corpus.

    Raises:
        Refusal: it is a file of another kind, or no encoding fits.
    """
    found = format_of(path)
    if found in NOT_TABLES:
        raise Refusal(NOT_TABLES[found])
    if found == Format.EXCEL:
        _guard_workbook(path)
    candidates = []
    if found == Format.TEXT and not encoding and not is_utf(path):
        candidates = encodings_of(path, project.language)
        if not candidates:
            raise Refusal(_("The encoding of this file could not be detected. Save it as UTF-8 and upload it again."))
        encoding = candidates[0].encoding
    columns = _columns_to_ask(project, path, encoding) if renames else None
    if not candidates and columns is None:
        return None
    return {"encodings": [asdict(candidate) for candidate in candidates], "columns": columns}


def _guard_workbook(path: Path) -> None:
    """Raise Refusal for a workbook that is too large unpacked, before anything unpacks it as a whole."""
    if not has_at_most(path, size=MOST_UNPACKED, parts=MOST_PARTS):
        raise Refusal(_("This workbook is too large. Save the sheet as CSV and upload that."))


def _columns_to_ask(project: Project, path: Path, encoding: str) -> Values | None:
    """Return the columns of a table that lacks some that are needed, with its first rows and a guess at each."""
    wanted = wanted_columns(project)
    if not wanted or (format_of(path) == Format.TEXT and not encoding and looks_like_json(path)):
        return None
    try:
        beginning = beginning_of(path, encoding)
    except (Unreadable, UnicodeError):
        return None
    names = ["id" if name == "pair" and "id" not in beginning.columns else name for name in beginning.columns]
    if not beginning.rows or set(wanted) <= set(names):
        return None
    return {
        "found": list(beginning.columns),
        "rows": [list(row) for row in beginning.rows],
        "wanted": list(wanted),
        "guess": _guessed([*wanted, *OPTIONAL], beginning.columns),
    }


def _guessed(wanted: list[str], found: Any) -> dict[str, str]:
    """Return the column that each wanted one may be, by its name."""
    guess: dict[str, str] = {}
    for name in wanted:
        known = [name, *OTHER_NAMES.get(name, "").split()]
        free = [one for one in known if one in found and one not in guess.values()]
        guess[name] = free[0] if free else ""
    return guess


@contextmanager
def as_table(path: Path, *, encoding: str, columns: Mapping[str, str]) -> Iterator[Path]:
    """Give the file as it can be read: Excel, other encodings and other columns are written as CSV in UTF-8.

    Raises:
        Refusal: it is a workbook that is too large.
    """
    is_workbook = format_of(path) == Format.EXCEL
    if is_workbook:
        _guard_workbook(path)
    if not is_workbook and not columns:
        if not encoding:
            yield path
            return
        with NamedTemporaryFile(suffix=path.suffix) as decoded:
            _recode(path, Path(decoded.name), encoding)
            yield Path(decoded.name)
        return
    with NamedTemporaryFile(suffix=".csv") as table:
        write_table(path, Path(table.name), encoding=encoding, columns=columns)
        yield Path(table.name)


def _recode(source: Path, target: Path, encoding: str) -> None:
    with source.open(encoding=encoding, newline="") as old, target.open("w", encoding="utf-8", newline="") as new:
        while part := old.read(1 << 20):
            new.write(part)
