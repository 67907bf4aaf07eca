"""Tables of text from any program: encodings, separators, quotes, names of columns, and the line of every row."""

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from io import BufferedReader, TextIOWrapper
from itertools import chain, count

from annotation.corpora.errors import CorpusError

DELIMITERS = ",\t;"
LONGEST_FIELD = 10_000_000  # characters; a quotation mark that is never closed makes longer ones
LONGEST_ROW = 2 * LONGEST_FIELD  # characters, over all its lines
MOST_COLUMNS = 2_000
MOST_CELLS = 50_000_000
csv.field_size_limit(LONGEST_FIELD)
UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)
# A byte that is not UTF-8 is read as one of these, so that its place can be named.
UNDECODED = re.compile("[\udc80-\udcff]")
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
Rows = Iterator[tuple[int, list[str]]]


class Unreadable(ValueError):
    """A text that cannot be read from this line on."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class NotUtf16(Unreadable):
    """A text that begins as UTF-16 and is something else."""


class TooLarge(Unreadable):
    """A table beyond one of the limits above; `sentence` can be translated."""

    def __init__(self, line: int, sentence: CorpusError) -> None:
        super().__init__(line, str(sentence))
        self.sentence = sentence


class NotCsv(Unreadable):
    """Quotation marks that do not pair, or a value that is too long; in the words of Python's reader."""


def text_lines(file: BufferedReader) -> Iterator[str]:
    """Yield the lines of UTF-8, or of UTF-16 with a byte-order mark as spreadsheets save “Unicode text”.

    Raises:
        NotUtf16: a byte-order mark of UTF-16 before something else.
        TooLarge: a line longer than a row may be.
    """
    decoding = ("utf-16", "strict") if file.peek(2)[:2] in UTF_16 else ("utf-8-sig", "surrogateescape")
    text = TextIOWrapper(file, *decoding, newline="")
    for number in count(1):
        try:
            line = text.readline(LONGEST_ROW + 1)
        except UnicodeDecodeError as error:
            raise NotUtf16(number, str(error)) from error
        check_length(number, len(line))
        if not line:
            return
        yield line


def check_length(line: int, characters: int) -> None:
    """Raise TooLarge if a row has more characters than are read."""
    if characters > LONGEST_ROW:
        raise TooLarge(
            line,
            CorpusError(
                "A row has more than %(most)s characters. Check for missing quotation marks.", most=LONGEST_ROW
            ),
        )


def check_width(line: int, columns: int) -> None:
    """Raise TooLarge if a row has more columns than are read."""
    if columns > MOST_COLUMNS:
        sentence = CorpusError(
            "The file has too many columns: %(number)s. The maximum is %(most)s.", number=columns, most=MOST_COLUMNS
        )
        raise TooLarge(line, sentence)


def undecoded_byte(line: str) -> int:
    """Return the place of the first byte of a line that is not UTF-8, from 1; 0 where all are."""
    found = None if line.isascii() else UNDECODED.search(line)
    return len(line[: found.start()].encode()) + 1 if found else 0


def delimiter_of(header: str) -> str:
    """Return the separator that the first line of a table has the most often."""
    return max(DELIMITERS, key=header.count)


def column_names(header: Iterable[str]) -> list[str]:
    """Return the names as they are compared: in small letters, without spaces around them."""
    return [name.strip().lower() for name in header]


def read_table(lines: Iterator[str]) -> tuple[list[str], Rows]:
    """Return the names of the columns, none of an empty text, and the rows, each with the line on which it begins.

    Empty rows are left out, and so is the header where it comes again, as in files put together from several; in a
    single column it is a value like any other. Rows may be wider or narrower than the header.

    Raises:
        NotCsv, TooLarge: while the rows are read.
    """
    records = ((line, record) for line, record in _limited(_records(lines)) if any(value.strip() for value in record))
    columns = column_names(next(records, (1, []))[1])
    return columns, (row for row in records if len(columns) == 1 or column_names(row[1]) != columns)


def _limited(records: Rows) -> Rows:
    cells = 0
    for line, record in records:
        check_width(line, len(record))
        cells += len(record)
        if cells > MOST_CELLS:
            raise TooLarge(
                line,
                CorpusError("The file has more than %(most)s values. Split it and import the parts.", most=MOST_CELLS),
            )
        yield line, record


def _records(lines: Iterator[str]) -> Rows:
    first = next(lines, "")
    delimiter, together = delimiter_of(first), chain([first], lines)
    if delimiter == "\t":
        yield from ((number, _tab_separated(line)) for number, line in enumerate(together, start=1))
        return
    row = _Row(together)
    reader = csv.reader(row, delimiter=delimiter, strict=True)
    while True:
        row.line, row.characters = reader.line_num + 1, 0
        try:
            yield row.line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise NotCsv(row.line, str(error)) from error


class _Row:
    """Lines for a reader, counted as those of the row that began on `line`: quoted values may have line breaks."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines, self.line, self.characters = lines, 1, 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        text = next(self.lines)
        self.characters += len(text)
        check_length(self.line, self.characters)
        return text


def _tab_separated(line: str) -> list[str]:
    """Return the values of a line; TAB-separated values need no quotes: only those around a whole value are removed."""
    quoted = ((value, QUOTED.fullmatch(value)) for value in line.rstrip("\r\n").split("\t"))
    return [found[1].replace('""', '"') if found else value for value, found in quoted]
