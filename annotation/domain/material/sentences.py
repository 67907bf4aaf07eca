"""A corpus from a file: plain text with a sentence a line, or CSV, TSV or JSON Lines with a column `text`."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from annotation.corpora.tables import column_names, delimiter_of
from annotation.domain.material.rows import Problems, Row, looks_like_json, read_lines, read_rows
from annotation.domain.material.values import language_of, number_of, text_of, used_before

LONGEST_ID = 70  # two of them, and the name of the corpus, make the id of a pair
TABLES = (".csv", ".tsv", ".json", ".jsonl")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a corpus; its ID is the number of its line where the file has none."""

    key: str
    line: int
    text: str
    document: Hashable = None
    position: int | None = None
    language: str = ""
    source: str = ""


def read_sentences(path: Path) -> list[Sentence]:
    """Return the sentences of a corpus, in the order of the file.

    In a plain text an empty line ends a document; in a table the column `document` names it, if there is one.

    Raises:
        FileRefused: with everything that is wrong with the file.
    """
    problems = Problems()
    sentences = list((_from_table if _is_table(path) else _from_text)(path, problems))
    if not sentences and not problems.found:
        problems.add(0, "", _("The file contains no sentences."))
    problems.refuse()
    return sentences


def _is_table(path: Path) -> bool:
    if path.suffix.lower() == ".txt":
        return False
    if path.suffix.lower() in TABLES or looks_like_json(path):
        return True
    with path.open("rb") as file:
        first = file.readline().decode("utf-8-sig", errors="replace")
    return "text" in [name.strip('"') for name in column_names(first.split(delimiter_of(first)))]


def _from_text(path: Path, problems: Problems) -> Iterator[Sentence]:
    document = 1
    for line, text in read_lines(path, problems):
        if not text.strip():
            document = line
            continue
        yield Sentence(str(line), line, text_of({"": text}, "", line, problems), document, line)
        if problems.full:
            return


def _from_table(path: Path, problems: Problems) -> Iterator[Sentence]:
    first: dict[str, int] = {}
    for line, row in read_rows(path, required=["text"], problems=problems):
        sentence = _from_row(row, line, problems)
        if first.setdefault(sentence.key, line) != line:
            problems.add(line, "id", used_before(sentence.key, first[sentence.key]))
        yield sentence
        if problems.full:
            return


def _from_row(row: Row, line: int, problems: Problems) -> Sentence:
    def optional(column: str) -> str:
        return text_of(row, column, line, problems, needed=False)

    key = text_of(row, "id", line, problems, needed=False, longest=LONGEST_ID)
    position = number_of(row, "position", line, problems, needed=False)
    return Sentence(
        key=key or str(line),
        line=line,
        text=text_of(row, "text", line, problems),
        document=optional("document") or ("no document", line) if "document" in row else None,
        position=line if position is None else position,
        language=language_of(row, line, problems),
        source=optional("source"),
    )


def read_choice(path: Path, sentences: list[Sentence]) -> tuple[tuple[int, int], ...]:
    """Return the places of the pairs chosen by hand, from CSV, TSV or JSON Lines with `id1,id2`, two sentences' IDs.

    Raises:
        FileRefused: with every row that names no two sentences of the corpus.
    """
    problems = Problems()
    places = {sentence.key: place for place, sentence in enumerate(sentences)}
    chosen = []
    for line, row in read_rows(path, required=["id1", "id2"], problems=problems):
        keys = [text_of(row, column, line, problems, longest=LONGEST_ID) for column in ("id1", "id2")]
        for column, key in zip(("id1", "id2"), keys, strict=True):
            if key and key not in places:
                problems.add(line, column, _("The corpus has no sentence “%(key)s”.") % {"key": key})
        chosen.append((places.get(keys[0], 0), places.get(keys[1], 0)))
    problems.refuse()
    return tuple(chosen)
