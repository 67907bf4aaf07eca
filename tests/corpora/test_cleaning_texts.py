import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.cleaning import CHANGED, Kind, Spot, clean, find_in_text, visible

FAMILY = "👩\u200d👩\u200d👧"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
PIECES = st.sampled_from(
    [
        *"ab 1.@/+-(:",
        *"\u200b\u200d\u00ad\ufeff\u200f\ufffd\x0c\x00\ud83d",
        "schÃ¶n",
        "â€™",
        "https://a.org/b",
        "www.",
        "bob@mail.example",
        "@bob",
        "123456789",
        "u/bob_1",
        "user_12345",
        "می\u200cخواهم",
        "नमस्ते",
        FAMILY,
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(st.characters(), max_size=30)


def found(text):
    return [(spot.kind, spot.excerpt, spot.becomes) for spot in find_in_text(text)]


@settings(deadline=None)
@given(text=TEXTS, kinds=st.frozensets(st.sampled_from(Kind)))
def test_cleaning_twice_changes_no_more_than_once(text, kinds):
    once = clean(text, kinds)
    assert clean(once, kinds) == once
    assert not [spot for spot in find_in_text(once) if spot.kind in kinds & CHANGED]


@settings(deadline=None)
@given(text=TEXTS)
def test_nothing_is_changed_without_consent(text):
    assert clean(text, ()) == text
    assert all(text[spot.start : spot.end] == spot.excerpt for spot in find_in_text(text))


@settings(deadline=None)
@given(text=TEXTS)
def test_text_without_findings_stays_as_it_is(text):
    if not find_in_text(text):
        assert clean(text, CHANGED) == text


@pytest.mark.parametrize(
    "text",
    [
        "An ordinary one, of 2024-11-21, with 1,000,000,000 or 1 000 000 000 people, 3.141592653589 and $1000000000.",
        "From 1990-1995 and/or at 5:30 p.m. @ home, yes.No/maybe; Amazon.com is a firm; 12 345 678 too.",
        "می\u200cخواهم به خانه بروم",
        "हिन्दी में र\u200dक और क\u094d\u200dष",
        "తెలుగు వాక్\u200cయం",
        "ሰላም ለዓለም። ዛሬ ደህና ነው?",
        "مَرْحَبًا بِكَ\u200c يا صديقي",
        "ភាសា\u200bខ្មែរ",
        f"A family {FAMILY} from Scotland {SCOTLAND}, ❤️\u200d🔥",
        "l’été, «Größe», na čaj, ñandú",
        "@<username> wrote <url>",
    ],
)
def test_good_text_has_no_findings(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "excerpt", "becomes", "cleaned"),
    [
        ("zero\u200bwidth", Kind.INVISIBLE, "\u200b", "", "zerowidth"),
        ("\ufeffstart", Kind.INVISIBLE, "\ufeff", "", "start"),
        ("Auf\u200clage", Kind.INVISIBLE, "\u200c", "", "Auflage"),
        ("soft\u00adhyphen", Kind.INVISIBLE, "\u00ad", "", "softhyphen"),
        ("form\x0cfeed", Kind.INVISIBLE, "\x0c", " ", "form feed"),
        ("a \u2060 b", Kind.INVISIBLE, "\u2060", "", "a b"),
        ("قال\u200f: نعم", Kind.DIRECTION, "\u200f", "", "قال: نعم"),
        ("wie schÃ¶n das ist", Kind.ENCODING, "Ã¶", "ö", "wie schön das ist"),
        ("Ù…Ø±Ø\xadØ¨Ø§", Kind.ENCODING, "Ù…Ø±Ø\xadØ¨Ø§", "مرحبا", "مرحبا"),
        ("write to bob.b+1@mail.example.org today", Kind.EMAIL, "bob.b+1@mail.example.org", "", "write to today"),
        ("write to bob@mail.example", Kind.EMAIL, "bob@mail.example", "", "write to"),
        ("bob@mail.example wrote", Kind.EMAIL, "bob@mail.example", "", "wrote"),
        ("see https://a.org/@bob?id=123456789.", Kind.URL, "https://a.org/@bob?id=123456789", "<url>", "see <url>."),
        ("انظر www.example.com/a؟", Kind.URL, "www.example.com/a", "<url>", "انظر <url>؟"),
        ("one<br/>two", Kind.MARKUP, "<br/>", " ", "one two"),
        ("(t.co/Ab1)", Kind.URL, "t.co/Ab1", "<url>", "(<url>)"),
        ("danke @anna_1! ", Kind.MENTION, "@anna_1", "@<username>", "danke @<username>! "),
        ("so @anna.b-c.Then she", Kind.MENTION, "@anna.b-c", "@<username>", "so @<username>.Then she"),
        ("شكرا @محمد", Kind.MENTION, "@محمد", "@<username>", "شكرا @<username>"),
        ("hi @bob@social.example.", Kind.MENTION, "@bob@social.example", "@<username>", "hi @<username>."),
        ("the user 1234567890123 left", Kind.ID, "1234567890123", "", "the user left"),
        ("رقم ٠٧٩١٢٣٤٥٦٧٨ هنا", Kind.ID, "٠٧٩١٢٣٤٥٦٧٨", "", "رقم هنا"),
        ("call +49 (0) 30 1234567 now", Kind.ID, "+49 (0) 30 1234567", "", "call now"),
        ("call (555) 123-4567", Kind.ID, "(555) 123-4567", "", "call"),
        ("user id: 12345 said", Kind.ID, "user id: 12345", "", "said"),
        ("the ID=12345 said", Kind.ID, "ID=12345", "", "the said"),
        ("as user_12345 said", Kind.ID, "user_12345", "", "as said"),
        ("as u/some-body said", Kind.ID, "u/some-body", "", "as said"),
        ("x 123e4567-e89b-12d3-a456-426614174000 y", Kind.ID, "123e4567-e89b-12d3-a456-426614174000", "", "x y"),
        ("x 5f2b6c1d9e8a7b6c5d4e3f2a y", Kind.ID, "5f2b6c1d9e8a7b6c5d4e3f2a", "", "x y"),
        ("lost \ufffd\ufffd here", Kind.LOST, "\ufffd\ufffd", None, "lost \ufffd\ufffd here"),
        ("half \ud83d", Kind.LOST, "\ud83d", None, "half \ud83d"),
        ("own font \ue415", Kind.LOST, "\ue415", None, "own font \ue415"),
    ],
)
def test_finding_of_each_kind(text, kind, excerpt, becomes, cleaned):
    assert found(text) == [(kind, excerpt, becomes)]
    assert clean(text, set(Kind) - {kind}) == text
    assert clean(text, {kind}) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a <b>bold</b> word", "a bold word"),
        ("<p class='x'>Text</p>", "Text"),
        ("bread &amp; butter&nbsp;!", "bread & butter !"),
        ("<sent>kept</sent>, 1 < 2, R&D; <3 &unknown;", "<sent>kept</sent>, 1 < 2, R&D; <3 &unknown;"),
    ],
)
def test_markup_of_web_pages_is_removed_and_decoded(text, cleaned):
    assert clean(text, {Kind.MARKUP}) == cleaned


def test_spot_tells_where_it_is():
    assert find_in_text("hi @bob") == [Spot(Kind.MENTION, 3, "@bob", "@<username>")]
    assert find_in_text("hi @bob")[0].end == 7


def test_address_hidden_by_an_invisible_character_is_found_once_that_is_gone():
    assert clean("ask b\u200bob@mail.example", {Kind.EMAIL, Kind.INVISIBLE}) == "ask"


def test_several_in_one_text():
    text = "@a and @b: 123456789, https://x.example/1 a@b.co"
    assert clean(text, CHANGED) == "@<username> and @<username>: , <url>"
    assert clean(text, {Kind.URL, Kind.EMAIL}) == "@a and @b: 123456789, <url>"


def test_invisible_characters_are_named():
    assert visible("a\u200bb\x00é") == "a[U+200B ZERO WIDTH SPACE]b[U+0000]é"
