"""Dialogues with their utterances: JSON Lines with a dialogue a line, CSV and TSV with a row for each text."""

from functools import partial

import pytest

from annotation.domain.material import FileRefused, import_items
from annotation.domain.material.rows import MOST_PROBLEMS
from annotation.models import Group, Item, Project
from tests.factories import at_once, make_project
from tests.importing.files import json_lines, problems_of, write

pytestmark = pytest.mark.django_db

HEADER = "dialogue,domain,kind,position,speaker,text"
TURNS = [{"speaker": "A", "text": "Are you hungry?"}, {"speaker": "B", "text": "A bit."}]
UTTERANCES = [{"id": "u1", "text": "Somewhat."}, {"text": "Very."}, {"id": 7, "text": "No."}]
GOOD = {"id": "d1", "domain": "food", "language": "en", "turns": TURNS, "utterances": UTTERANCES}
KEYS = ["d1/u1", "d1/2", "d1/7"]
MISSING = "The value is missing."
AN_UTTERANCE = "This must be a JSON object with “id” and “text”."
FEW = "instead of at least 3. Add the missing ones or remove the dialogue."
AGAIN = "appears earlier in the file. Keep all rows of a dialogue together, and include each dialogue only once."


@pytest.fixture
def project() -> Project:
    return make_project("giccs")


def good(key: str, **values: object) -> dict[str, object]:
    return GOOD | {"id": key} | values


def rows_of(key: str, turns: int = 2, utterances: int = 3) -> list[str]:
    """The rows of a good dialogue."""
    parts = [("turn", turns), ("utterance", utterances)]
    return [f"{key},food,{kind},{at},A,{kind} {at} of {key}." for kind, many in parts for at in range(1, many + 1)]


def csv_of(*rows: str, header: str = HEADER) -> str:
    return "\n".join([header, *rows])


def test_a_dialogue_of_json_lines(project, tmp_path):
    extra = {"year": 2021, "turns": [TURNS[0] | {"mood": "calm"}, TURNS[1]]}
    utterances = [UTTERANCES[0] | {"model": "x", "speaker": "B"}, *UTTERANCES[1:]]

    assert (
        import_items(project=project, path=write(tmp_path, json_lines(GOOD | extra | {"utterances": utterances}))) == 3
    )

    group = Group.objects.values("project", "key", "position", "domain", "language", "turns", "extra").get()
    assert group == {
        "project": project.pk,
        "key": "d1",
        "position": 1,
        "domain": "food",
        "language": "en",
        "turns": TURNS,
        "extra": {"mood": ["calm", ""], "year": 2021},
    }
    fields = ("group__key", "key", "position", "sentence1", "sentence2", "language", "extra")
    assert list(Item.objects.values_list(*fields)) == [
        ("d1", "d1/u1", 1, "A bit.", "Somewhat.", "en", {"model": "x", "speaker": "B"}),
        ("d1", "d1/2", 2, "A bit.", "Very.", "en", {}),
        ("d1", "d1/7", 3, "A bit.", "No.", "en", {}),
    ]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_dialogues_of_csv_in_every_form(project, tmp_path, delimiter, end, mark):
    rows = [
        f"{HEADER},id,language,Model,source",
        "d1,food,utterance,2,,Very.,,,x,",
        "d1,,TURN,9,B,A bit.,,en,,forum",
        "d1,,Turn,3,A,Are you hungry?,,,,forum",
        "d1,,utterance,1,B,Somewhat.,u1,,,",
        "d1,,utterance,12,,No.,7,,,",
        *(f"{row},,,," for row in rows_of("d2")),
    ]

    assert import_items(project=project, path=write(tmp_path, mark + end.join(rows).replace(",", delimiter))) == 6

    first = Group.objects.values_list("key", "position", "domain", "language", "turns", "extra").get(key="d1")
    assert first == ("d1", 1, "food", "en", TURNS, {"source": "forum"})
    assert list(Item.objects.values_list("key", "position", "sentence1", "sentence2", "extra"))[:4] == [
        ("d1/u1", 1, "A bit.", "Somewhat.", {"speaker": "B"}),
        ("d1/2", 2, "A bit.", "Very.", {"model": "x"}),
        ("d1/7", 3, "A bit.", "No.", {}),
        ("d2/1", 4, "turn 2 of d2.", "utterance 1 of d2.", {"speaker": "A"}),
    ]


def test_texts_of_any_script_stay_as_they_are(project, tmp_path):
    turns = [{"speaker": "أ", "text": "هل أنت جائع؟"}]
    utterances = [{"text": text} for text in ("نعم.", "ትንሽ።", "थोड़ा सा।")]

    import_items(project=project, path=write(tmp_path, json_lines(good("d", turns=turns, utterances=utterances))))

    assert list(Item.objects.values_list("sentence1", "sentence2")) == [
        (turns[0]["text"], one["text"]) for one in utterances
    ]


def test_a_second_file_goes_on_where_the_first_ended(project, tmp_path):
    import_items(project=project, path=write(tmp_path, json_lines(GOOD)))

    import_items(project=project, path=write(tmp_path, json_lines(good("d2"), good("d3"))))

    assert list(Group.objects.values_list("key", "position")) == [("d1", 1), ("d2", 2), ("d3", 3)]
    assert list(Item.objects.values_list("position", flat=True)) == list(range(1, 10))


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({"id": ""}, [f"line 1, id: {MISSING}"]),
        ({"id": "x" * 201}, ["line 1, id: The text is too long: 201 characters, and the maximum is 200."]),
        ({"domain": ["food"]}, ["line 1, domain: The value must be text."]),
        ({"domain": "x" * 201}, ["line 1, domain: The text is too long: 201 characters, and the maximum is 200."]),
        (
            {"language": "in Czech"},
            ["line 1, language: “in Czech” is not a language tag. Use a tag such as en, cs or ar-EG."],
        ),
        ({"turns": []}, ["line 1, turns: The dialogue “d1” has no turns. Add at least one."]),
        (
            {"turns": "One."},
            ["line 1, turns: This must be a list.", "line 1, turns: The dialogue “d1” has no turns. Add at least one."],
        ),
        ({"turns": ["One."]}, ["line 1, turns[1]: This must be a JSON object with “speaker” and “text”."]),
        ({"turns": [{"speaker": "A"}]}, [f"line 1, turns[1].text: {MISSING}"]),
        ({"turns": [{"speaker": 1.5, "text": True}]}, ["line 1, turns[1].text: The value must be text."]),
        ({"turns": [{"speaker": {}, "text": "One."}]}, ["line 1, turns[1].speaker: The value must be text."]),
        (
            {"turns": [{"text": "One.", "x": float("inf")}]},
            ["line 1, x: One of these columns has a value that can't be stored. Remove it."],
        ),
        (
            {"utterances": []},
            ["line 1, utterances: The dialogue “d1” has no utterances to compare. Add at least 3."],
        ),
        (
            {"utterances": None},
            [
                "line 1, utterances: This must be a list.",
                "line 1, utterances: The dialogue “d1” has no utterances to compare. Add at least 3.",
            ],
        ),
        ({"utterances": UTTERANCES[:2]}, [f"line 1, utterances: The dialogue “d1” has too few utterances: 2 {FEW}"]),
        ({"utterances": [*UTTERANCES, 8]}, [f"line 1, utterances[4]: {AN_UTTERANCE}"]),
        ({"utterances": [*UTTERANCES, {"text": "\u200b"}]}, [f"line 1, utterances[4].text: {MISSING}"]),
        (
            {"utterances": [*UTTERANCES, {"id": "x" * 50, "text": "Hm."}]},
            ["line 1, utterances[4].id: The text is too long: 50 characters, and the maximum is 49."],
        ),
        (
            {"utterances": [*UTTERANCES, {"id": "a/b", "text": "Hm."}]},
            [
                (
                    "line 1, utterances[4].id: The ID “a/b” contains a slash. Remove "
                    "the slash: it separates the dialogue's ID from the utterance's."
                )
            ],
        ),
        (
            {"utterances": [*UTTERANCES, {"id": "u1", "text": "Hm."}]},
            ["line 1, utterances[4]: Utterances 1 and 4 of the dialogue “d1” have the same ID. Give each its own ID."],
        ),
        (
            {"utterances": [*UTTERANCES, {"text": " Very. "}]},
            [
                "line 1, utterances[4]: Utterances 2 and 4 of the dialogue “d1” have the same text. "
                "Change or remove one of them."
            ],
        ),
    ],
)
def test_a_dialogue_of_json_lines_is_refused(project, tmp_path, changes, problems):
    assert problems_of(project, write(tmp_path, json_lines(GOOD | changes))) == problems


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        (
            ["d1,food,turn,1,A,One."],
            ["line 2, utterances: The dialogue “d1” has no utterances to compare. Add at least 3."],
        ),
        (rows_of("d1", turns=0), ["line 2, turns: The dialogue “d1” has no turns. Add at least one."]),
        (rows_of("d1", utterances=1), [f"line 2, utterances: The dialogue “d1” has too few utterances: 1 {FEW}"]),
        ([*rows_of("d1"), "d1,,reply,4,A,One."], ["line 7, kind: “reply” is not a valid kind. Use turn or utterance."]),
        ([*rows_of("d1"), "d1,,,4,A,One."], [f"line 7, kind: {MISSING}"]),
        (
            [*rows_of("d1"), "d1,,turn,2,A,One."],
            [
                (
                    "line 7, position: The dialogue “d1” already has a turn "
                    "at position 2. Number its turns 1, 2, 3 and so on."
                )
            ],
        ),
        (
            [*rows_of("d1"), "d1,,utterance,3,A,One."],
            [
                (
                    "line 7, position: The dialogue “d1” already has an utterance "
                    "at position 3. Number its utterances 1, 2, 3 and so on."
                )
            ],
        ),
        (
            [*rows_of("d1"), "d1,,turn,last,A,One."],
            ["line 7, position: “last” is not a whole number of up to nine digits."],
        ),
        ([*rows_of("d1"), "d1,,turn,,A,One."], [f"line 7, position: {MISSING}"]),
        ([*rows_of("d1"), "d1,,turn,3,A, "], [f"line 7, text: {MISSING}"]),
        (
            [*rows_of("d1"), "d1,,utterance,4,A,utterance 1 of d1."],
            ["line 7, text: Utterances 1 and 4 of the dialogue “d1” have the same text. Change or remove one of them."],
        ),
        (
            [*rows_of("d1"), "d1,travel,turn,3,A,One."],
            [
                (
                    "line 7, domain: Earlier rows of this dialogue have “food”, "
                    "this row has “travel”. Use the same value in all its rows."
                )
            ],
        ),
        (
            [*rows_of("d1"), *rows_of("d2"), "d1,,turn,3,A,One."],
            [
                "line 12, dialogue: The dialogue “d1” " + AGAIN,
                "line 12, utterances: The dialogue “d1” has no utterances to compare. Add at least 3.",
            ],
        ),
        (
            [*rows_of("d1"), ",,turn,1,A,One."],
            [
                f"line 7, dialogue: {MISSING}",
                "line 7, utterances: The dialogue “” has no utterances to compare. Add at least 3.",
            ],
        ),
        (
            ["d1,food,turn,1,One."],
            ["line 2: The row does not match the columns: 5 values, but 6 columns. Check for missing quotation marks."],
        ),
    ],
)
def test_dialogues_of_csv_are_refused(project, tmp_path, rows, problems):
    assert problems_of(project, write(tmp_path, csv_of(*rows))) == problems


def test_every_column_of_csv_is_needed(project, tmp_path):
    assert problems_of(project, write(tmp_path, "dialogue,kind,text\n")) == [
        f"line 1, {name}: This column is missing." for name in ("domain", "position", "speaker")
    ]


def test_a_row_in_another_language_than_its_dialogue(project, tmp_path):
    rows = [f"{row},{language}" for row, language in zip(rows_of("d1"), ["en", "", "cs", "en", "x y"], strict=True)]

    assert problems_of(project, write(tmp_path, csv_of(*rows, header=f"{HEADER},language"))) == [
        (
            "line 4, language: Earlier rows of this dialogue have “en”, "
            "this row has “cs”. Use the same value in all its rows."
        ),
        "line 6, language: “x y” is not a language tag. Use a tag such as en, cs or ar-EG.",
    ]


def test_a_dialogue_twice_in_a_file(project, tmp_path):
    path = write(tmp_path, json_lines(GOOD, good("d2"), GOOD))

    assert problems_of(project, path) == [f"line 3, dialogue: The dialogue “d1” {AGAIN}"]


def test_utterances_are_not_added_to_a_dialogue_of_the_project(project, tmp_path):
    import_items(project=project, path=write(tmp_path, json_lines(GOOD)))

    with pytest.raises(FileRefused) as refused:
        import_items(project=project, path=write(tmp_path, json_lines(good("d2"), GOOD)))

    assert [str(problem) for problem in refused.value.problems] == [
        "line 2, dialogue: The project already has a dialogue with the ID “d1”, and utterances can't be added to it. "
        "Change the ID or remove the dialogue from the file."
    ]
    assert list(Item.objects.values_list("key", flat=True)) == KEYS


def test_as_many_utterances_are_needed_as_a_tuple_has(tmp_path):
    project = make_project("giccs", tuple_size="4")

    (problem,) = problems_of(project, write(tmp_path, json_lines(GOOD)))

    assert problem.endswith("3 instead of at least 4. Add the missing ones or remove the dialogue.")


def test_a_fault_behind_thousands_of_good_dialogues_keeps_none(project, tmp_path):
    rows = [good(f"d{number}") for number in range(1001)]

    assert problems_of(project, write(tmp_path, json_lines(*rows, good("bad", turns=[])))) == [
        "line 1002, turns: The dialogue “bad” has no turns. Add at least one."
    ]


def test_more_problems_than_anybody_would_read(project, tmp_path):
    rows = [good("d1", turns=[], utterances=[])] * 600

    assert len(problems_of(project, write(tmp_path, json_lines(*rows)))) == MOST_PROBLEMS


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_same_file_brought_in_twice_at_once_comes_in_once(tmp_path):
    project, path = make_project("giccs"), write(tmp_path, json_lines(GOOD))

    outcomes = at_once(*[partial(import_items, project=project, path=path)] * 2)

    assert sorted(map(type, outcomes), key=str) == [FileRefused, int]
    assert list(Item.objects.values_list("key", flat=True)) == KEYS
