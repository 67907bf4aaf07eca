"""Texts changed and rows left out on their way in: only what was agreed to."""

import pytest

from annotation.corpora.cleaning import CHANGED, DROPPED, Kind
from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, import_cleaned
from annotation.domain.material.items import Cleaned
from annotation.domain.project.creation import create_project, preset_values
from annotation.models import Item, Sentence
from tests.factories import NOON, make_project
from tests.importing.files import json_lines, write

pytestmark = pytest.mark.django_db

MAIL = "Write to ann@example.org now."
PAIRS = f"""id,sentence1,sentence2,context1,language
1,{MAIL},See https://example.org/a now.,Ask @ben: <sent>{MAIL}</sent> or a@b.org,en
2,It rai\u00adns.,Itâ€™s wet.,,en
3,Itâ€™s wet.,It rai\u00adns.,,en
4,It’s WET!,It rains,,en
5,Damn that rain.,Rain.,,en
6,Same.,Same.,,en
7,Lost \ufffd here.,Rain.,,en
8,ann@example.org,Rain.,,en
"""


def brought_in(project, path, *kinds: Kind) -> tuple[list[str], int, int]:
    """The keys that came in, how many texts were changed, and how many rows left out."""
    cleaned = import_cleaned(project=project, path=path, kinds=kinds)
    keys = list(project.items.values_list("key", flat=True))
    assert len(keys) == cleaned.imported
    assert list(project.items.values_list("position", flat=True)) == list(range(1, cleaned.imported + 1))
    return keys, cleaned.changed, cleaned.left_out


@pytest.mark.parametrize(
    ("kinds", "gone", "changed"),
    [
        ([], "", 0),
        ([Kind.EMAIL], "8", 2),
        ([Kind.URL], "", 1),
        ([Kind.MENTION], "", 1),
        ([Kind.ENCODING], "", 2),
        ([Kind.INVISIBLE], "", 2),
        ([Kind.REPEATED], "3", 0),
        ([Kind.NEARLY_REPEATED], "", 0),
        ([Kind.NEARLY_REPEATED, Kind.INVISIBLE, Kind.ENCODING], "4", 4),
        ([Kind.REPEATED, Kind.NEARLY_REPEATED, Kind.INVISIBLE, Kind.ENCODING], "34", 2),
        ([Kind.EXPLETIVE], "5", 0),
        ([Kind.SAME_SIDES], "6", 0),
        ([Kind.LOST], "7", 0),
        ([*CHANGED, *DROPPED], "345678", 6),
    ],
)  # fmt: skip
def test_only_what_was_agreed_to_is_done(tmp_path, kinds, gone, changed):
    kept = [key for key in "12345678" if key not in gone]

    assert brought_in(make_project("semrel"), write(tmp_path, PAIRS), *kinds) == (kept, changed, len(gone))


def test_a_context_stays_that_of_its_sentence(tmp_path):
    brought_in(make_project("semrel"), write(tmp_path, PAIRS), Kind.EMAIL, Kind.MENTION, Kind.URL)

    texts = Item.objects.values_list("sentence1", "sentence2", "context1", "context2").get(key="1")
    assert texts == ("Write to now.", "See <url> now.", "Ask @<username>: <sent>Write to now.</sent> or", "")


def test_a_context_written_with_other_spaces_than_its_sentence_is_kept_as_it_is(tmp_path):
    path = write(tmp_path, "id,sentence1,sentence2,context1\n1,One  two.,See x@y.org,a <sent>One two.</sent> b\n")

    brought_in(make_project("semrel"), path, Kind.EMAIL)

    assert Item.objects.values_list("sentence1", "sentence2", "context1").get() == (
        "One  two.",
        "See",
        "a <sent>One two.</sent> b",
    )


def test_calibration_pairs_keep_their_order_without_those_left_out(tmp_path):
    rows = ["1,One,Two,1", "2,One,Two,1", "3,Three,Four,1"]

    path = write(tmp_path, "\n".join(["id,sentence1,sentence2,calibration", *rows]))

    brought_in(make_project("semrel"), path, Kind.REPEATED)

    assert list(Item.objects.values_list("key", "calibration_order")) == [("1", 1), ("3", 2)]


@pytest.mark.parametrize(
    ("row", "project", "gone"), [("cs", "en", 0), ("", "", 0), ("", "cs", 0), ("", "en", 1), ("en-GB", "cs", 1)]
)
def test_expletives_are_looked_for_in_english_only(tmp_path, row, project, gone):
    path = write(tmp_path, f"id,sentence1,sentence2,language\n1,Damn it.,Rain.,{row}\n2,One.,Two.,{row}\n")
    made = create_project(key="p", language=project, now=NOON, **preset_values("semrel"))

    _, _, left_out = brought_in(made, path, Kind.EXPLETIVE)

    assert left_out == gone


def test_words_that_were_given_are_looked_for_in_every_language(tmp_path):
    path = write(tmp_path, "id,sentence1,sentence2,language\n1,To je blbost.,Prší.,cs\n2,One.,Two.,cs\n")

    cleaned = import_cleaned(project=make_project("semrel"), path=path, kinds=[Kind.EXPLETIVE], expletives=["Blbost"])

    assert (cleaned.imported, cleaned.left_out) == (1, 1)


def test_a_file_of_which_nothing_is_left_is_refused(tmp_path):
    with pytest.raises(Refusal, match="These changes would leave out every"):
        brought_in(make_project("semrel"), write(tmp_path, "id,sentence1,sentence2\n1,Same,Same\n"), Kind.SAME_SIDES)


def dialogue(key: str, *utterances: str) -> dict[str, object]:
    turns = [{"speaker": "A", "text": "See https://example.org/a"}, {"speaker": "B", "text": "Rai\u00adn."}]
    return {"id": key, "language": "en", "turns": turns, "utterances": [{"text": text} for text in utterances]}


def test_dialogues_are_changed_as_a_whole_and_left_out_as_a_whole(tmp_path):
    rows = [
        dialogue("d1", "Yes, @ann.", "No.", "Perhaps."),
        dialogue("d2", "Damn.", "No.", "Perhaps."),
        dialogue("d3", "Yes, @ann.", "No.", "Perhaps."),
        dialogue("d4", "Yes.", "@ann", "https://example.org/b"),
    ]
    kinds = (Kind.URL, Kind.MENTION, Kind.INVISIBLE, Kind.EXPLETIVE, Kind.REPEATED)

    outcome = brought_in(make_project("giccs"), write(tmp_path, json_lines(*rows)), *kinds)

    assert outcome == ([f"{key}/{number}" for key in ("d1", "d4") for number in (1, 2, 3)], 7, 2)
    assert Item.objects.get(key="d1/1").sentence1 == "Rain."
    assert Item.objects.get(key="d1/1").sentence2 == "Yes, @<username>."
    assert Item.objects.get(key="d1/1").group.turns == [
        {"speaker": "A", "text": "See <url>"},
        {"speaker": "B", "text": "Rain."},
    ]


def test_utterances_that_become_equal_are_refused(tmp_path):
    path = write(tmp_path, json_lines(dialogue("d1", "Ask @ann.", "Ask @ben.", "No.")))

    with pytest.raises(FileRefused) as refused:
        brought_in(make_project("giccs"), path, Kind.MENTION)

    assert [problem.reason for problem in refused.value.problems] == [
        "Utterances 1 and 2 of the dialogue “d1” have the same text. Change or remove one of them."
    ]
    assert brought_in(make_project("giccs", key="again"), path)[1:] == (0, 0)


def test_incidents_are_changed_sentence_by_sentence(tmp_path):
    def incident(key: str, sentence: str) -> dict[str, object]:
        return {"id": key, "summary": ["Rain."], "reports": [{"sentences": [sentence, "Two.", "Three."]}]}

    path = write(tmp_path, json_lines(incident("1", MAIL), incident("2", "One."), incident("3", "One.")))

    cleaned = import_cleaned(project=make_project("czech_news"), path=path, kinds=[Kind.EMAIL, Kind.REPEATED])

    assert cleaned == Cleaned(imported=2, changed=1, left_out=1)
    assert list(Sentence.objects.values_list("text", flat=True))[:2] == ["Rain.", "Write to now."]
