"""Texts made ready for the page: direction, the marked sentence, the words of S, and Markdown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import normalize

import nh3
import regex
from markdown import markdown
from markdown.extensions.toc import TocExtension

WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
SENT = regex.compile(r"<sent>(.*?)</sent>", regex.DOTALL)
RIGHT_TO_LEFT_LANGUAGES = frozenset("ar arc arq ary arz ckb dv fa he iw ks ku-arab nqo ps sd syr ug ur yi".split())
RIGHT_TO_LEFT_SCRIPTS = frozenset("adlm arab hebr mand nkoo rohg samr syrc thaa".split())
COMMON = 0.25  # a word in more than this share of the sentences says little, and is marked faintly


@dataclass(frozen=True)
class Part:
    """A stretch of text; `mark` is empty, `word`, `common` or `sent`."""

    text: str
    mark: str = ""


def direction(language: str) -> str:
    """The `dir` of a text in a BCP 47 language; `auto` where no language is given."""
    subtags = language.lower().replace("_", "-").split("-")
    if not language:
        return "auto"
    scripts = [subtag for subtag in subtags[1:] if len(subtag) == 4 and subtag.isalpha()]
    if scripts:
        return "rtl" if scripts[0] in RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if subtags[0] in RIGHT_TO_LEFT_LANGUAGES else "ltr"


def with_sentence_marked(context: str, sentence: str) -> list[Part]:
    """A context with its key sentence; without a context, or without marks in it, the sentence itself."""
    found = SENT.search(context)
    if found is None:
        return [Part(context + " ")] * bool(context) + [Part(sentence, "sent")]
    parts = [Part(context[: found.start()]), Part(found[1], "sent"), Part(context[found.end() :])]
    return [part for part in parts if part.text]


def words(text: str) -> list[str]:
    """The words of a text in any script, case-folded; combining marks belong to their words."""
    return [_folded(word) for word in WORD.findall(text)]


def _folded(word: str) -> str:
    """A word as it is compared: an accent may be part of its letter or stand behind it."""
    return normalize("NFC", word.casefold())


def highlighted(sentences: Sequence[str], source: str) -> list[list[Part]]:
    """Every sentence in parts, the words that also stand in the source marked (Czech News 4.1)."""
    wanted = set(words(source))
    spread = Counter(word for sentence in sentences for word in set(words(sentence)) & wanted)
    marks = {word: "common" if count > COMMON * len(sentences) else "word" for word, count in spread.items()}
    return [list(_parts(sentence, marks)) for sentence in sentences]


def _parts(sentence: str, marks: dict[str, str]) -> Iterable[Part]:
    end = 0
    for found in WORD.finditer(sentence):
        mark = marks.get(_folded(found[0]))
        if mark:
            if found.start() > end:
                yield Part(sentence[end : found.start()])
            yield Part(found[0], mark)
            end = found.end()
    if end < len(sentence):
        yield Part(sentence[end:])


def page_from_markdown(text: str) -> str:
    """Markdown as HTML in which nothing can run; its headings stand below the page's own."""
    return nh3.clean(markdown(text, extensions=["tables", "sane_lists", "fenced_code", TocExtension(baselevel=2)]))
