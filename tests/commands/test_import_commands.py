"""import_items with a look through the texts, and build_pairs."""

import csv

import pytest

from annotation.models import Item
from tests.commands.test_commands import refusal, said
from tests.factories import make_project
from tests.importing.files import json_lines, write
from tests.importing.test_corpora import TEXT
from tests.importing.test_dialogues import GOOD
from tests.importing.test_jobs import CORPUS, PAIRS

pytestmark = pytest.mark.django_db


def test_a_check_says_what_is_found_and_stores_nothing(tmp_path):
    make_project("semrel")

    text = said("import_items", "project", str(write(tmp_path, PAIRS)), "--check")

    assert text.split("\n\nshare of words")[0].splitlines() == [
        "texts: 6",
        "kinds of findings: 3",
        "",
        "mention: 3 (Mentions such as @name)",
        "  line 2: Ask [@ann]. -> “@<username>”",
        "  line 3: Ask [@ben]. -> “@<username>”",
        "  line 4: Ask [@ann]. -> “@<username>”",
        "",
        "repeated: 1 (Duplicates)",
        "  line 4, same as line 2: Ask @ann. / Rain.",
        "",
        "repeated-text: 1 (Texts that also appear in other rows, with different texts)",
        "  line 3, same as line 2: Rain.",
        "",
        "words per text:",
        "  0 – 4: 6",
    ]
    assert not Item.objects.exists()


def test_only_the_kinds_named_are_changed(tmp_path):
    make_project("semrel")

    text = said("import_items", "project", str(write(tmp_path, PAIRS)), "--clean=mention, repeated")

    assert text == "pairs: 1\ntexts changed: 1\nleft out: 2\n"


def test_dialogues_come_in(tmp_path):
    make_project("giccs")

    assert said("import_items", "project", str(write(tmp_path, json_lines(GOOD)))) == "utterances: 3\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--clean=url,nix"], "argument --clean: Unknown kinds of findings: nix. Use one of: encoding, invisible, "),
        (["--clean=repeated-text"], "Unknown kinds of findings"),
        (["--clean=url", "--check"], "not allowed with argument"),
    ],
)
def test_a_wish_that_cannot_be_met(tmp_path, arguments, message):
    make_project("semrel")

    error, _ = refusal("import_items", "project", str(write(tmp_path, PAIRS)), *arguments)

    assert message in error


def test_a_check_of_a_faulty_file(tmp_path):
    make_project("semrel")

    error, listed = refusal("import_items", "project", str(write(tmp_path, PAIRS + "4,,x\n")), "--check")

    assert (error, listed) == (
        "Nothing was imported: the file has 1 problem.",
        "line 5, sentence1: The value is missing.\n",
    )


def test_pairs_are_built_and_come_in(tmp_path):
    make_project("semrel")
    corpus, out = write(tmp_path, CORPUS, "corpus.txt"), tmp_path / "pairs.csv"

    wishes = ["--lexical=4", "--near-duplicates=1", "--random=2", "--seed=3", "--duplicate-threshold=0"]
    text = said("build_pairs", str(corpus), "--out", str(out), *wishes)

    head, *rows, _, left_out = text.splitlines()
    assert head.split() == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "all"]
    assert [row.rsplit(maxsplit=1)[1] for row in rows] == ["1", "4", "2", "7"]
    assert len({len(line) for line in (head, *rows)}) == 1
    assert said("import_items", "project", str(out)) == "pairs: 7\n"
    assert left_out == "Sentences: 40. Left out: none."
    assert said("build_pairs", str(corpus), "--out", str(out), "--random=7", "--duplicate-threshold=0")


def test_ready_pairs_lengths_and_near_duplicates(tmp_path):
    out = tmp_path / "pairs.csv"
    ready = write(tmp_path, "sentence1,sentence2,score\nIt pours.,It rains heavily.,4\nNo.,It snows.,1\n", "ready.csv")
    corpus = write(tmp_path, f"{TEXT}\n{TEXT.splitlines()[0][:-1]}!!\nHm.\n", "c.txt")

    text = said(
        *("build_pairs", str(corpus), "--out", str(out), "--pairs", str(ready)),
        *("--scored=1", "--random=2", "--shortest=2", "--longest=9"),
    )

    assert text.splitlines()[-1] == "Sentences: 12. Left out: 2 too short, 1 same words as another sentence."
    with out.open(encoding="utf-8", newline="") as file:
        kinds = [(row["id"], row["heuristic"]) for row in csv.DictReader(file)]
    assert kinds[0] == ("c:p2.1+p2.2", "score")
    assert [kind for _, kind in kinds] == ["score", "random", "random"]


def test_pairs_chosen_by_hand_are_built(tmp_path):
    out, manual = tmp_path / "pairs.csv", write(tmp_path, "id1,id2\n1,7\n", "chosen.csv")

    text = said("build_pairs", str(write(tmp_path, TEXT, "c.txt")), "--out", str(out), "--manual", str(manual))

    assert text.splitlines()[1].startswith("chosen by hand")
    with out.open(encoding="utf-8", newline="") as file:
        assert [row["id"] for row in csv.DictReader(file)] == ["c:1+7"]


@pytest.mark.parametrize(
    ("text", "arguments", "message", "listed"),
    [
        (TEXT, [], "Enter a number of pairs for at least one method.", ""),
        (TEXT, ["--random=99"], "The corpus has only ", ""),
        (TEXT, ["--random=1", "--duplicate-threshold=0.5"], "must be from 0.8 to 1, not 0.5.", ""),
        (TEXT, ["--random=1", "--duplicate-threshold=much"], "“much” is not a number.", ""),
        (TEXT, ["--scored=1"], "Pairs spread over their scores need", ""),
        (TEXT, ["--random=1", "--shortest=9", "--longest=3"], "is greater than the maximum", ""),
        (TEXT, ["--random=-1"], "“-1” is not a whole number, 0 or greater.", ""),
        (
            "a\0\n",
            ["--random=1"],
            "No pairs were built: the files have 1 problem.",
            "line 1: The text contains a character that can't be stored",
        ),
    ],
)
def test_pairs_that_cannot_be_built(tmp_path, text, arguments, message, listed):
    out = tmp_path / "pairs.csv"

    error, problems = refusal("build_pairs", str(write(tmp_path, text, "c.txt")), "--out", str(out), *arguments)

    assert message in error
    assert problems.startswith(listed)
    assert not out.exists()


def test_pairs_that_cannot_be_written(tmp_path):
    error, _ = refusal("build_pairs", str(write(tmp_path, TEXT, "c.txt")), "--out", str(tmp_path), "--random=1")

    assert error == f"{tmp_path} cannot be written: Is a directory."


def test_words_that_should_not_occur_come_from_a_file(tmp_path):
    make_project("semrel")
    words = write(tmp_path, "blbost\n\n", "words.txt")
    pairs = write(tmp_path, "id,sentence1,sentence2,language\n1,To je blbost.,Prší.,cs\n")

    text = said("import_items", "project", str(pairs), "--check", f"--expletives={words}")

    assert "expletive: 1" in text and "[blbost]" in text
