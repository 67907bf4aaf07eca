"""Pairs built from a corpus."""

import csv

import pytest

from annotation.corpora.overlap import word_overlap
from annotation.corpora.pairing import Heuristic
from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, import_items
from annotation.domain.material.building import COLUMNS, EXAMPLES, NAMED, build, spread_of, write_pairs
from annotation.domain.material.sentences import Sentence, read_sentences
from annotation.models import Item
from tests.factories import make_project
from tests.importing.files import json_lines, write

RAIN, WET, DOG, CAT = (
    "It rains in the city.",
    "The streets of the city are wet.",
    "A dog barks.",
    "A dog barks at a cat.",
)
TEXT = "\n".join([RAIN, WET, "", DOG, CAT, "The moon is far away.", "The moon is full."])
TABLE = f"text,id,document,position,language,source\n{WET},s2,d,2,en,web\n{RAIN},s1,d,1,en,web\n{DOG},s3,,,cs,\n"


def refused(path) -> list[str]:
    with pytest.raises(FileRefused) as refusal:
        read_sentences(path)
    return [str(problem) for problem in refusal.value.problems]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_text_with_a_sentence_a_line(tmp_path, mark, end):
    sentences = read_sentences(write(tmp_path, mark + TEXT.replace("\n", end), "corpus.txt"))

    assert [(one.key, one.text, one.document) for one in sentences] == [
        ("1", RAIN, 1),
        ("2", WET, 1),
        ("4", DOG, 3),
        ("5", CAT, 3),
        ("6", "The moon is far away.", 3),
        ("7", "The moon is full.", 3),
    ]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("name", ["corpus.csv", "corpus"])
def test_a_table(tmp_path, delimiter, name):
    assert read_sentences(write(tmp_path, TABLE.replace(",", delimiter), name)) == [
        Sentence("s2", 2, WET, "d", 2, "en", "web"),
        Sentence("s1", 3, RAIN, "d", 1, "en", "web"),
        Sentence("s3", 4, DOG, ("no document", 4), 4, "cs", ""),
    ]


def test_json_lines_with_texts_alone(tmp_path):
    path = write(tmp_path, json_lines({"text": RAIN}, "", {"text": DOG, "id": 9}), "corpus")

    assert read_sentences(path) == [Sentence("1", 1, RAIN, None, 1), Sentence("9", 3, DOG, None, 3)]


def test_a_text_that_begins_like_a_table_is_one_where_its_name_says_so(tmp_path):
    assert [one.text for one in read_sentences(write(tmp_path, "text\n{x}\n", "corpus.txt"))] == ["text", "{x}"]


@pytest.mark.parametrize(
    ("text", "name", "problems"),
    [
        ("", "corpus.txt", ["file: The file contains no sentences."]),
        ("\n\n", "corpus", ["file: The file contains no sentences."]),
        ("text\n", "corpus.csv", ["file: The file contains no sentences."]),
        ("sentence\nOne.\n", "corpus.csv", ["line 1, text: This column is missing."]),
        (f"{'x' * 20_001}\n", "c.txt", ["line 1: The text is too long: 20001 characters, and the maximum is 20000."]),
        (
            "a\0b\n",
            "c.txt",
            ["line 1: The text contains a character that can't be stored (NUL or an incomplete character). Remove it."],
        ),
        ("é".encode("latin-1"), "c.txt", ["line 1: Byte 1 of this line is not valid UTF-8. Save the file as UTF-8."]),
        ("é\0".encode("latin-1"), "c.txt", ["line 1: Byte 1 of this line is not valid UTF-8. Save the file as UTF-8."]),
        (
            "id,text\n1,One.\n1,Two.\n",
            "c",
            ["line 3, id: The ID “1” is already used on line 2. Change one of them."],
        ),
        ("id,text\n1,\n", "c", ["line 2, text: The value is missing."]),
        (
            f"id,text\n{'x' * 71},One.\n",
            "c",
            ["line 2, id: The text is too long: 71 characters, and the maximum is 70."],
        ),
        ("text,position\nOne.,x\n", "c", ["line 2, position: “x” is not a whole number of up to nine digits."]),
        (
            "text,language\nOne.,x y\n",
            "c",
            ["line 2, language: “x y” is not a language tag. Use a tag such as en, cs or ar-EG."],
        ),
        (json_lines({"text": ["One."]}), "c", ["line 1, text: The value must be text."]),
    ],
)
def test_a_corpus_is_refused(tmp_path, text, name, problems):
    assert refused(write(tmp_path, text, name)) == problems


def test_no_more_faults_of_a_corpus_are_listed_than_anybody_would_read(tmp_path):
    assert len(refused(write(tmp_path, "text\n" + "\n".join(["\u200b"] * 2000), "c.csv"))) == 1000
    assert len(refused(write(tmp_path, "\n".join(["\0"] * 1), "c.txt"))) == 1


def test_neighbours_stand_in_one_document(tmp_path):
    pairs = build(write(tmp_path, TEXT, "c.txt"), "c.txt", {"contiguous": 4, "uses": 2}).pairs

    assert {pair.key for pair in pairs} == {"c:1+2", "c:4+5", "c:5+6", "c:6+7"}


def test_neighbours_go_by_their_positions(tmp_path):
    (pair,) = build(write(tmp_path, TABLE), "corpus.csv", {"contiguous": 1}).pairs

    assert pair.as_row() == ("corpus:s2+s1", WET, RAIN, "en", "web", "contiguity", f"{word_overlap(WET, RAIN):.4f}")


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({}, "Enter a number of pairs for"),
        ({"contiguous": 1}, "Neighbouring sentences can only be paired if each sentence has a document."),
        ({"random": 3}, "The corpus has only 1 of the 3 pairs requested by random."),
        ({"random": 1, "uses": 0}, "Numbers of pairs must be 0"),
    ],
)
def test_what_a_corpus_does_not_give(tmp_path, wishes, reason):
    path = write(tmp_path, json_lines({"text": RAIN}, {"text": DOG}))

    with pytest.raises(Refusal, match=reason):
        build(path, "c", wishes)


def test_pairs_chosen_by_hand(tmp_path):
    chosen = write(tmp_path, "id1,id2\n1,7\n4,2\n", "chosen.csv")

    pairs = build(write(tmp_path, TEXT, "c.txt"), "c.txt", {"random": 1}, chosen=chosen).pairs

    assert [(pair.key, pair.heuristic) for pair in pairs][:2] == [
        ("c:1+7", Heuristic.MANUAL),
        ("c:2+4", Heuristic.MANUAL),
    ]
    assert len(pairs) == 3


def test_a_choice_of_sentences_that_are_not_there(tmp_path):
    chosen = write(tmp_path, "id1,id2\n1,3\n,2\n", "chosen.csv")

    with pytest.raises(FileRefused) as refusal:
        build(write(tmp_path, TEXT, "c.txt"), "c.txt", {}, chosen=chosen)

    assert [str(problem) for problem in refusal.value.problems] == [
        "line 2, id2: The corpus has no sentence “3”.",
        "line 3, id1: The value is missing.",
    ]


def test_built_pairs_come_in_with_heuristic_and_overlap(db, tmp_path):
    pairs = build(
        write(tmp_path, TEXT, "c.txt"), f"{'n' * 80}.txt", dict.fromkeys(("lexical", "random"), 1) | {"seed": 5}
    ).pairs
    out = tmp_path / "pairs.csv"
    write_pairs(pairs, out)

    assert import_items(project=make_project("semrel"), path=out) == 2

    with out.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == COLUMNS
    stored = Item.objects.values_list("key", "sentence1", "sentence2", "language", "source", "extra")
    assert list(stored) == [(*row[:5], {"heuristic": row[5], "overlap": row[6]}) for row in rows]
    assert all(key.startswith("n" * 50 + ":") for key in Item.objects.values_list("key", flat=True))


def test_the_same_seed_gives_the_same_pairs(tmp_path):
    path, wishes = write(tmp_path, "\n".join(f"Sentence {n} of {n % 7}." for n in range(60)), "c.txt"), {"random": 10}

    first, again, other = (build(path, "c", wishes | {"seed": seed}) for seed in (1, 1, 2))

    assert (first == again, first == other) == (True, False)


def test_the_spread_of_pairs(tmp_path):
    wishes = {"random": 5, "contiguous": 4, "uses": 6}
    spread = spread_of(build(write(tmp_path, TEXT, "c.txt"), "c", wishes))

    assert (spread["pairs"], sum(count for _, count in spread["overlap"]["bars"])) == (9, 9)
    assert [label for label, _ in spread["overlap"]["bars"]][::9] == ["0.0 – 0.1", "0.9 – 1.0"]
    assert [(one["name"], one["pairs"]) for one in spread["by_heuristic"]] == [
        (NAMED["contiguous"][1], 4),
        (NAMED["random"][1], 5),
    ]
    assert len(spread["examples"]) == 2 * EXAMPLES


READY = "id,sentence1,sentence2,score,language\n" + "".join(
    f"{name},{first},{second},{score},en\n"
    for name, first, second, score in (
        ("a", "Rain is falling.", "It is raining now.", 4.5),
        ("b", "He plays chess.", "A ship leaves the port.", 0),
        ("c", "She reads the paper.", "She reads a book.", 2.5),
    )
)


def test_ready_pairs_beside_a_corpus(tmp_path):
    built = build(
        write(tmp_path, TEXT, "c.txt"),
        "c.txt",
        {"contiguous": 2, "paraphrases": 3},
        ready=write(tmp_path, READY, "ready.csv"),
    )

    by_heuristic = {pair.key for pair in built.pairs if pair.heuristic is Heuristic.PARAPHRASE}
    assert by_heuristic == {"c:a.1+a.2", "c:b.1+b.2", "c:c.1+c.2"}
    assert {pair.heuristic for pair in built.pairs} == {Heuristic.PARAPHRASE, Heuristic.CONTIGUITY}
    assert not [pair for pair in built.pairs if "." in pair.key and pair.heuristic is Heuristic.CONTIGUITY]
    assert built.sentences == 12


@pytest.mark.parametrize("name", ["ready.csv", "ready"])
def test_a_table_of_ready_pairs_as_the_corpus(tmp_path, name):
    built = build(write(tmp_path, READY, name), "ready.csv", {"scored": 3})

    assert [pair.as_row()[:3] for pair in built.pairs if pair.key == "ready:a.1+a.2"] == [
        ("ready:a.1+a.2", "Rain is falling.", "It is raining now.")
    ]
    assert len(built.pairs) == 3


def test_ready_pairs_as_json_lines_have_ids_by_their_lines(tmp_path):
    path = write(tmp_path, json_lines({"sentence1": RAIN, "sentence2": DOG, "score": 1.5}), "ready.jsonl")

    assert [pair.key for pair in build(path, "r", {"paraphrases": 1}).pairs] == ["r:p1.1+p1.2"]


def test_ready_pairs_that_are_wrong(tmp_path):
    rows = f"id,sentence1,sentence2,score\na,{RAIN},,1\na,{RAIN},{DOG},nan\nb,{RAIN},{DOG},much\n"

    with pytest.raises(FileRefused) as refusal:
        build(write(tmp_path, rows), "r", {"scored": 1})

    assert [str(problem) for problem in refusal.value.problems] == [
        "line 2, sentence2: The value is missing.",
        "line 3, id: The ID “a” is already used on line 2. Change one of them.",
        "line 3, score: “nan” is not a number.",
        "line 4, score: “much” is not a number.",
    ]


@pytest.mark.parametrize(
    ("wish", "reason"),
    [("paraphrases", "Paraphrases need a file of ready pairs"), ("scored", "Pairs spread over their scores need a")],
)
def test_a_corpus_without_ready_pairs_has_none(tmp_path, wish, reason):
    with pytest.raises(Refusal, match=reason):
        build(write(tmp_path, TEXT, "c.txt"), "c", {wish: 1})


def test_sentences_left_out_are_counted_by_reason(tmp_path):
    text = "\n".join([RAIN, RAIN.upper(), f"{WET[:-1]} now", WET, DOG, "…", "Yes.", "a " * 30])
    wishes = {"random": 1, "shortest": 3, "longest": 20, "duplicate_threshold": 0.8}

    built = build(write(tmp_path, text, "c.txt"), "c", wishes)

    assert spread_of(built)["left_out"] == [
        ["without words", 1],
        ["too short", 1],
        ["too long", 1],
        ["same words as another sentence", 1],
        ["nearly the same as another sentence", 1],
    ]
    assert built.sentences == 8
