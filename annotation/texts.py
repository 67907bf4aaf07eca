"""Texts for the page: direction, the marked sentence, the words of S, and Markdown."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
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


class Place(NamedTuple):
    """Where a word is in a sentence, the word as words are compared, and its stem."""

    start: int
    end: int
    word: str
    form: str


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


def highlighted(
    sentences: Sequence[str], source: str, *, language: str = "", alike: bool = False, inflected: bool = False
) -> list[list[Part]]:
    """Return every sentence in parts, with the words that also occur in the source marked (Czech News 4.1).

    Function words of the language, and words in many of the sentences, say little and are marked faintly.

    Parameters: alike, whether all shared words are marked alike instead, as in the paper; inflected, whether other
    forms of the words are marked too, in a language that has a stemmer.
    """
    stem = stemmer(language) if inflected else str
    function_words = stop_words(language)
    wanted = words(source)
    shared, telling = set(map(stem, wanted)), {stem(word) for word in wanted if word not in function_words}
    found = _places(tuple(sentences), language if inflected else None)
    spread = Counter(form for places in found for form in {place.form for place in places} & shared)

    def mark(place: Place) -> str:
        says_much = place.form in telling and place.word not in function_words
        return "word" if alike or (says_much and spread[place.form] <= COMMON * len(sentences)) else "common"

    return [
        list(_parts(sentence, [(place, mark(place)) for place in places if place.form in shared]))
        for sentence, places in zip(sentences, found, strict=True)
    ]


@lru_cache(maxsize=8)  # the screens of an incident follow each other
def _places(sentences: tuple[str, ...], stemmed_as: str | None) -> list[list[Place]]:
    """Return where the words of each sentence are; a word's form is its stem in the language `stemmed_as`, if any."""
    stem = str if stemmed_as is None else stemmer(stemmed_as)
    return [
        [Place(found.start(), found.end(), word := _folded(found[0]), stem(word)) for found in WORD.finditer(sentence)]
        for sentence in sentences
    ]


@lru_cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a BCP 47 language; none for a language without a list in `stop_words/`."""
    subtag = _first_subtag(language)
    path = STOP_WORDS / f"{subtag}.txt"
    known = subtag.isalpha() and path.is_file()
    return frozenset(words(path.read_text(encoding="utf-8"))) if known else frozenset()


def stemmer(language: str) -> Callable[[str], str]:
    """Return the function from a word to its stem in a BCP 47 language (Snowball); to itself if there is no stemmer.

    It remembers stems and must not be shared by threads.
    """
    from Stemmer import Stemmer  # noqa: PLC0415 only screens of selections need it

    try:
        found: Callable[[str], str] = Stemmer(_first_subtag(language)).stemWord
    except KeyError:
        return str
    return found


def _first_subtag(language: str) -> str:
    return language.lower().replace("_", "-").split("-")[0]


def _parts(sentence: str, marks: Iterable[tuple[Place, str]]) -> Iterable[Part]:
    end = 0
    for place, mark in marks:
        if place.start > end:
            yield Part(sentence[end : place.start])
        yield Part(sentence[place.start : place.end], mark)
        end = place.end
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
