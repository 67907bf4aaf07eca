"""Words that should not be in texts shown to people (SemRel2024 3.3). Which words depends on the language."""

from collections.abc import Collection, Iterator, Sequence

import regex

from annotation.corpora.cleaning.kinds import Finding, Kind, Row
from annotation.corpora.errors import CorpusError
from annotation.texts import words

ENGLISH_EXPLETIVES = frozenset(
    "arsehole asshole bastard bitch bollocks bullshit crap cunt damn dickhead fuck fucker fucking goddamn "
    "motherfucker piss shit shitty slut twat wanker whore".split()
)


def find_expletives(rows: Sequence[Row], expletives: Collection[str]) -> Iterator[Finding]:
    """Yield the first expletive of each text that has one; an expletive may be of several words."""
    entries = sorted({_normalized(entry) for entry in expletives} - {""})
    pattern = regex.compile(r"(?<!\S)\L<entries>(?!\S)(?<=\S)", entries=entries)
    for row, texts in enumerate(rows):
        for place, text in enumerate(texts):
            match = pattern.search(_normalized(text))
            if match:
                yield Finding(Kind.EXPLETIVE, row, match[0], text=place)


def expletive_share(texts: Sequence[str], expletives: Collection[str]) -> float:
    """Return the share of the texts that hold at least one of these words, 0 to 1.

    Raises:
        CorpusError: there are no texts.
    """
    if not texts:
        raise CorpusError("The share of texts with expletives is undefined without texts.")
    return len(list(find_expletives([[text] for text in texts], expletives))) / len(texts)


def _normalized(text: str) -> str:
    return " ".join(words(text))
