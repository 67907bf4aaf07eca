"""Pairs that come ready, such as paraphrases or pairs with a similarity score (SemRel2024 3.1.1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path

from django.utils.translation import gettext as _

from annotation.domain.material.rows import Problems, Row, read_rows
from annotation.domain.material.sentences import LONGEST_ID, Sentence
from annotation.domain.material.values import language_of, text_of, used_before

SIDES = ("sentence1", "sentence2")


@dataclass(frozen=True)
class ReadyPair:
    """Two sentences, and the score that they came with; NaN for none."""

    first: Sentence
    second: Sentence
    score: float


def has_ready_pairs(path: Path) -> bool:
    """Return whether a file is a table of pairs, and not of sentences."""
    if path.suffix.lower() == ".txt":
        return False
    _line, first = next(read_rows(path, required=[], problems=Problems()), (0, {}))
    return set(SIDES) <= first.keys()


def read_ready_pairs(path: Path) -> list[ReadyPair]:
    """Return the pairs of CSV, TSV or JSON Lines with `sentence1,sentence2`, and maybe `id, score, language, source`.

    Raises:
        FileRefused: with everything that is wrong with the file.
    """
    problems = Problems()
    pairs = list(_read(path, problems))
    if not pairs and not problems.found:
        problems.add(0, "", _("The file contains no pairs."))
    problems.refuse()
    return pairs


def _read(path: Path, problems: Problems) -> Iterator[ReadyPair]:
    first: dict[str, int] = {}
    for line, row in read_rows(path, required=list(SIDES), problems=problems):
        key = text_of(row, "id", line, problems, needed=False, longest=LONGEST_ID - len(".1")) or f"p{line}"
        if first.setdefault(key, line) != line:
            problems.add(line, "id", used_before(key, first[key]))
        language = language_of(row, line, problems)
        source = text_of(row, "source", line, problems, needed=False)
        sides = [
            Sentence(
                key=f"{key}.{side}",
                line=line,
                text=text_of(row, column, line, problems),
                document=("ready pair", line, side),
                language=language,
                source=source,
            )
            for side, column in enumerate(SIDES, start=1)
        ]
        yield ReadyPair(*sides, _score(row, line, problems))
        if problems.full:
            return


def _score(row: Row, line: int, problems: Problems) -> float:
    """Return the score of a pair, NaN without one; anything but a finite number becomes a problem."""
    text = text_of(row, "score", line, problems, needed=False)
    if not text:
        return nan
    try:
        score = float(text)
    except ValueError:
        score = nan
    if not isfinite(score):
        problems.add(line, "score", _("“%(text)s” is not a number.") % {"text": text[:40]})
    return score
