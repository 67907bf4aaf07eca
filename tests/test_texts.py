import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.project.protocol_files import LONGEST_PAGE
from annotation.texts import Part, direction, highlighted, page_from_markdown, stop_words, with_sentence_marked, words


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("", "auto"),
        ("en", "ltr"),
        ("cs-CZ", "ltr"),
        ("ar", "rtl"),
        ("AR-EG", "rtl"),
        ("he_IL", "rtl"),
        ("ur", "rtl"),
        ("am", "ltr"),
        ("te", "ltr"),
        ("ar-Latn", "ltr"),
        ("az-Arab-IR", "rtl"),
        ("pa-Guru", "ltr"),
        ("de-1996", "ltr"),
    ],
)
def test_direction(language, expected):
    assert direction(language) == expected


@pytest.mark.parametrize(
    ("context", "parts"),
    [
        ("", [Part("S", "sent")]),
        ("Before. <sent>S</sent> After.", [Part("Before. "), Part("S", "sent"), Part(" After.")]),
        ("<sent>S</sent>", [Part("S", "sent")]),
        ("<sent>S\nT</sent> After.", [Part("S\nT", "sent"), Part(" After.")]),
        ("Title", [Part("Title "), Part("S", "sent")]),
    ],
)
def test_sentence_marked_in_its_context(context, parts):
    assert with_sentence_marked(context, "S") == parts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Die STRASSE, die Straße!", ["die", "strasse", "die", "strasse"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("తెలుగు భాష.", ["తెలుగు", "భాష"]),
        ("السَّلام عليكم", ["السَّلام", "عليكم"]),
        ("ሰላም፡ዓለም", ["ሰላም", "ዓለም"]),
        ("COVID-19: 2 lidé", ["covid", "19", "2", "lidé"]),
        ("…", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_words_of_the_source_are_highlighted():
    sentences = ["The MAYOR resigned.", "A mayor, it rains", "Sun", "Sun!", "Sun?", "Rain"]
    marked = highlighted(sentences, "Mayor resigned")
    assert marked == [
        [Part("The "), Part("MAYOR", "common"), Part(" "), Part("resigned", "word"), Part(".")],
        [Part("A "), Part("mayor", "common"), Part(", it rains")],
        *[[Part(text)] for text in sentences[2:]],
    ]


def test_words_are_weighed_by_content():
    sentences = ["It was closed from Friday.", *["Rain."] * 8]
    source = "From Friday it was said to be closed."
    faint = [("It", "common"), ("was", "common"), ("closed", "word"), ("from", "common"), ("Friday", "word")]

    def marks(**options):
        return [(part.text, part.mark) for part in highlighted(sentences, source, **options)[0] if part.mark]

    assert marks(language="en-GB") == faint
    assert marks(language="en", alike=True) == [(text, "word") for text, _ in faint]
    assert marks(language="am") == [(text, "word") for text, _ in faint]  # a language without a list


@pytest.mark.parametrize(
    ("language", "source", "sentence", "marked"),
    [
        ("cs", "Starosta města odvolal radu", "Starostovi ve městech odvolali radní", "Starostovi městech odvolali"),
        ("cs-CZ", "Vláda vyhlásila volby", "O volbách vládou vyhlášených", "volbách vládou"),
        ("cs", "Řeka zaplavila nemocnici", "V nemocnicích u řeky", "nemocnicích řeky"),
        ("cs", "Soud a matky", "Matkou soudů", "Matkou soudů"),
        ("cs", "Praha", "V Praze", ""),  # a limit of stems: the consonant of the ending changes
        ("cs", "vlak", "vlas vlk vláda", ""),
        ("en", "Mayors resigned", "A mayor resigns", "mayor resigns"),
        ("de", "Städte", "die Stadt", "Stadt"),
        ("es", "niños", "el niño", "niño"),
        ("ar", "المدرسة", "مدرسة", "مدرسة"),
        ("am", "ቤቶች", "ቤት ቤቶች", "ቤቶች"),  # no stemmer
        ("", "mayors", "mayor mayors", "mayors"),
    ],
)
def test_inflected_forms_are_marked(language, source, sentence, marked):
    parts = highlighted([sentence, *["…"] * 8], source, language=language, inflected=True)[0]

    assert " ".join(part.text for part in parts if part.mark == "word") == marked


def test_forms_of_function_words_and_frequent_stems_are_marked_faintly():
    sentences = ["Starosta byl doma.", "Starosty volili.", "Řeka.", "Řeky."]
    marked = highlighted(sentences, "Starostu viděli, byli tam.", language="cs", inflected=True)

    assert [(part.text, part.mark) for parts in marked for part in parts if part.mark] == [
        ("Starosta", "common"),
        ("byl", "common"),
        ("Starosty", "common"),
    ]


def test_inflected_forms_only_where_they_are_asked_for():
    assert highlighted(["Starostové"], "starosta", language="cs") == [[Part("Starostové")]]


@pytest.mark.parametrize(
    ("language", "function", "content"),
    [
        ("en", "was had from its", "river"),
        ("cs", "byla se kteří podle", "řeka"),
        ("de", "wurde nach über", "Fluss"),
        ("es", "fue desde también", "río"),
        ("ar", "كان إلى هذه", "نهر"),
        ("../en", "", "was"),
    ],
)
def test_stop_words_of_a_language(language, function, content):
    assert set(words(function)) <= stop_words(language)
    assert not set(words(content)) & stop_words(language)


def test_nothing_to_highlight():
    assert highlighted(["", "Sun"], "…") == [[], [Part("Sun")]]


@given(
    sentences=st.lists(st.text(max_size=30), max_size=5),
    source=st.text(max_size=30),
    language=st.sampled_from(["", "ar", "cs", "en"]),
)
def test_highlighting_loses_no_character(sentences, source, language):
    marked = highlighted(sentences, source, language=language, inflected=True)

    assert ["".join(part.text for part in parts) for parts in marked] == sentences


def test_page_from_markdown():
    page = page_from_markdown("# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert "<h2>Title</h2>" in page  # below the heading of the page itself
    assert "<td>1</td>" in page


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "<a onclick='alert(1)'>x</a>"]
)
def test_page_from_markdown_runs_nothing(text):
    page = page_from_markdown(text)

    assert not any(mark in page for mark in ("<script", "href=", "onclick"))  # shown as text, if at all


MARKDOWN_BOMBS = {
    "brackets": "[",
    "pictures": "![",
    "links": "[a](",
    "emphasis": "*a _b ",
    "comments": "<!--",
    "tags": "<div>",
    "quotes": "> ",
    "lists": "- ",
    "definitions": "[a]: b '\n",
    "wide tables": "|a" * 100 + "\n" + "|-" * 100 + "\n" + "a\n" * 15_000,
    "different tags": "".join(f"<font size={size}>" for size in range(900)) + "<p>" * 5_000,
}


@pytest.mark.parametrize("name", MARKDOWN_BOMBS)
def test_no_text_keeps_a_page_waiting(name):
    bomb = MARKDOWN_BOMBS[name]
    text = (bomb * (LONGEST_PAGE // len(bomb) + 1))[:LONGEST_PAGE]
    began = time.process_time()
    page_from_markdown(text)

    assert time.process_time() - began < 3  # half a minute and more with a parser that looks back at every sign
