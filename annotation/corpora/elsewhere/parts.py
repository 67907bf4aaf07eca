"""The files of an export, alone or together in a ZIP archive, and the records in each."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from annotation.corpora.archives import unpacked
from annotation.corpora.errors import CorpusError
from annotation.corpora.tables import UTF_16, check_width, column_names, delimiter_of

MOST_BYTES = 300_000_000  # of all parts, unpacked
MOST_PARTS = 20_000
READ = (".csv", ".tsv", ".txt", ".json", ".jsonl")
Values = dict[str, Any]


@dataclass(frozen=True)
class Record:
    """A task or an answer. place: the line where it begins, or in a JSON array its number, from 1."""

    place: int
    values: Values


@dataclass
class Part:
    """A file of an export. name: with its folders in an archive, or as it was uploaded."""

    name: str
    content: str

    @property
    def stem(self) -> str:
        """Return the name without folders and without the ending."""
        return PurePosixPath(self.name).stem

    @property
    def is_json(self) -> bool:
        return self.content.lstrip()[:1] in ("{", "[")

    @cached_property
    def records(self) -> list[Record]:
        """Return the records: lines of JSON, the objects of a JSON array, or rows of a table by lower-case columns.

        Raises:
            CorpusError: it is neither valid JSON nor a table.
        """
        try:
            return list(self._json_records() if self.is_json else self._rows())
        except (ValueError, RecursionError, csv.Error) as error:
            raise CorpusError("“%(name)s” can't be read: %(error)s.", name=self.name, error=str(error)) from error

    @property
    def first(self) -> Values:
        """Return the first record, by which a format is recognised; an empty one if there is none."""
        try:
            return self.records[0].values if self.records else {}
        except CorpusError:
            return {}

    def json_object(self) -> Values:
        """Return the one JSON object of the file; an empty one if it holds anything else."""
        try:
            found = json.loads(self.content)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _json_records(self) -> Iterator[Record]:
        if self.content.lstrip()[:1] == "[":
            objects = list(enumerate(json.loads(self.content), start=1))
        else:
            lines = enumerate(self.content.split("\n"), start=1)
            objects = [(number, json.loads(line)) for number, line in lines if line.strip()]
        return (Record(number, found) for number, found in objects if isinstance(found, dict))

    def _rows(self) -> Iterator[Record]:
        # Not `read_table`: these programs put quotation marks around line breaks in TAB-separated values, too.
        delimiter = delimiter_of(self.content.partition("\n")[0])
        reader = csv.reader(StringIO(self.content, newline=""), delimiter=delimiter)
        columns = column_names(next(reader, []))
        line = reader.line_num
        check_width(line, len(columns))
        for row in reader:
            if any(value.strip() for value in row):
                yield Record(line + 1, dict(zip(columns, row, strict=False)))
            line = reader.line_num


def read_parts(path: Path, name: str) -> list[Part]:
    """Return the texts that an upload holds, in the order of their names.

    Parameters: name, as the file was named where it comes from; some programs name it after a person.

    Raises:
        CorpusError: it is too large, or not text in UTF-8 or UTF-16.
    """
    if not is_zipfile(path):
        _guard_size(path.stat().st_size, 1)
        return [Part(name, _decoded(name, path.read_bytes()))]
    try:
        with ZipFile(path) as archive:
            inside = sorted(archive.infolist(), key=lambda part: part.filename)
            wanted = [part for part in inside if part.filename.lower().endswith(READ)]
            _guard_size(sum(part.file_size for part in wanted), len(wanted))
            read = ((part.filename, b"".join(unpacked(archive, part))) for part in wanted)
            return [Part(name, _decoded(name, content)) for name, content in read]
    except (BadZipFile, NotImplementedError, RuntimeError) as error:
        raise CorpusError("“%(name)s” can't be read: %(error)s.", name=name, error=str(error)) from error


def _guard_size(size: int, number: int) -> None:
    if size > MOST_BYTES or number > MOST_PARTS:
        raise CorpusError("The export is too large. Export fewer tasks at a time, and import the files one by one.")


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError("“%(name)s” can't be read: %(error)s.", name=name, error=str(error)) from error
