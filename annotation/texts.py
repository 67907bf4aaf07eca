"""Texts for the page: direction, the marked sentence, the words of S, and Markdown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

import nh3
import regex
from markdown_it import MarkdownIt

WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
SENT = regex.compile(r"<sent>(.*?)</sent>", regex.DOTALL)
RIGHT_TO_LEFT_LANGUAGES = frozenset("ar arc arq ary arz ckb dv fa he iw ks ku-arab nqo ps sd syr ug ur yi".split())
RIGHT_TO_LEFT_SCRIPTS = frozenset("adlm arab hebr mand nkoo rohg samr syrc thaa".split())
MARKDOWN = MarkdownIt("commonmark").enable("table")
STOP_WORDS = Path(__file__).parent / "stop_words"
COMMON = 0.25  # a word in more than this share of the sentences says little, and is marked faintly


@dataclass(frozen=True)
class Part:
    """A stretch of text; `mark` is empty, `word`, `common` or `sent`."""

    text: str
    mark: str = ""


def direction(language: str) -> str:
    """Return the `dir` of a text in a BCP 47 language; `auto` if the language is empty."""
    subtags = language.lower().replace("_", "-").split("-")
    if not language:
        return "auto"
    scripts = [subtag for subtag in subtags[1:] if len(subtag) == 4 and subtag.isalpha()]
    if scripts:
        return "rtl" if scripts[0] in RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if subtags[0] in RIGHT_TO_LEFT_LANGUAGES else "ltr"


def with_sentence_marked(context: str, sentence: str) -> list[Part]:
    """Return a context with its key sentence marked; without a context or marks, also the sentence itself."""
    found = SENT.search(context)
    if found is None:
        return [Part(context + " ")] * bool(context) + [Part(sentence, "sent")]
    parts = [Part(context[: found.start()]), Part(found[1], "sent"), Part(context[found.end() :])]
    return [part for part in parts if part.text]


def words(text: str) -> list[str]:
    """Return the words of a text in any script, case-folded; combining marks belong to their words."""
    return [_folded(word) for word in WORD.findall(text)]


def _folded(word: str) -> str:
    """Return a word in the form in which words are compared: an accent may be part of its letter or follow it."""
    return normalize("NFC", word.casefold())


def highlighted(sentences: Sequence[str], source: str, *, language: str = "", alike: bool = False) -> list[list[Part]]:
    """Return every sentence in parts, with the words that also occur in the source marked (Czech News 4.1).

    Function words of the language, and words in many of the sentences, say little and are marked faintly.

    Parameters: alike, whether all shared words are marked alike instead, as in the paper.
    """
    wanted = set(words(source))
    spread = Counter(word for sentence in sentences for word in set(words(sentence)) & wanted)
    faint = {word for word, count in spread.items() if count > COMMON * len(sentences)} | stop_words(language)
    marks = {word: "common" if word in faint and not alike else "word" for word in spread}
    return [list(_parts(sentence, marks)) for sentence in sentences]


@lru_cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a BCP 47 language; none for a language without a list in `stop_words/`."""
    subtag = language.lower().replace("_", "-").split("-")[0]
    path = STOP_WORDS / f"{subtag}.txt"
    known = subtag.isalpha() and path.is_file()
    return frozenset(words(path.read_text(encoding="utf-8"))) if known else frozenset()


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


@lru_cache(maxsize=64)  # guidelines are part of every screen and rarely change
def page_from_markdown(text: str) -> str:
    """Return Markdown as HTML in which nothing can run; its headings are below the page's own."""
    tokens, references = MARKDOWN.parse(text), dict[str, object]()
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    return nh3.clean(MARKDOWN.renderer.render(tokens, MARKDOWN.options, references))
