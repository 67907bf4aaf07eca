"""What is told of a file before it comes in."""

import tracemalloc

import pytest

from annotation.corpora.cleaning import CHANGED, DROPPED, Kind
from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused
from annotation.domain.material.findings import BARS, EXAMPLES, LONGEST, OTHERS, FileProfiler, figure, find_in_file
from annotation.domain.material.row_filters import TextRow
from annotation.domain.material.wording import WORDS, found_kinds
from annotation.models import Group, Item
from tests.factories import add_pairs, make_project, planned_for
from tests.importing.files import json_lines, write
from tests.importing.test_cleaning import PAIRS, dialogue


def found(project, path) -> dict[str, tuple[int, int]]:
    """How often each kind was found, and in how many rows."""
    findings = find_in_file(project, path)
    assert not Item.objects.exists()
    assert not Group.objects.exists()
    return {one.kind.value: (one.count, one.rows) for one in found_kinds(findings)}


def examples(*texts: str, language: str = "", beside: tuple[str, ...] = ()) -> list[dict[str, object]]:
    looker = FileProfiler(overlap=False)
    looker.row(TextRow(7, texts, beside=beside, language=language))
    return [example for kind in looker.findings()["kinds"] for example in kind["examples"]]


def test_every_kind_is_counted_in_pairs(db, tmp_path):
    assert found(make_project("semrel"), write(tmp_path, PAIRS)) == {
        "encoding": (2, 2),
        "invisible": (2, 2),
        "url": (1, 1),
        "e-mail": (3, 2),
        "mention": (1, 1),
        "lost": (1, 1),
        "expletive": (1, 1),
        "same sides": (1, 1),
        "repeated": (1, 1),
        "repeated text": (2, 2),
    }


def test_every_kind_is_counted_in_dialogues(db, tmp_path):
    rows = [dialogue("d1", "Damn.", "No.", "Yes."), dialogue("d2", "DAMN!", "no", "Yes.")]
    different = dialogue("d3", "1", "2", "3") | {"turns": [{"text": "Else."}]}

    assert found(make_project("giccs"), write(tmp_path, json_lines(*rows, different))) == {
        "invisible": (2, 2),
        "url": (2, 2),
        "expletive": (2, 2),
        "nearly repeated": (1, 1),
        "repeated text": (3, 1),
    }


def test_the_figures_of_balance(db, tmp_path):
    rows = ["1,One two three four five six.,One two three.,en,web,1", "2,One.,Two.,,,0"]
    path = write(tmp_path, "\n".join(["id,sentence1,sentence2,language,source,gold", *rows]))

    findings = find_in_file(make_project("semrel"), path)

    tenths = [(f"0.{one} – {f'0.{one + 1}' if one < 9 else '1.0'}", {0: 1, 6: 1}.get(one, 0)) for one in range(10)]
    assert (findings["rows"], findings["texts"]) == (2, 4)
    assert findings["balance"] == [
        {"name": "words per text", "bars": [("0 – 4", 3), ("5 – 9", 1)], "most": 3},
        {"name": "share of words that both texts have in common", "bars": tenths, "most": 1},
        {"name": "language", "bars": [("en", 1), ("not specified", 1)], "most": 1},
        {"name": "source", "bars": [("web", 1), ("not specified", 1)], "most": 1},
        {"name": "gold", "bars": [("similar", 1), ("dissimilar", 1)], "most": 1},
    ]
    assert findings["expletives"] == {"rows": 1, "found": 0}


def test_what_lies_beyond_the_last_bar_is_put_together():
    bars = [(str(number), 1) for number in range(BARS + 3)]

    assert figure("many", bars) == {"name": "many", "bars": [*bars[:BARS], (OTHERS, 3)], "most": 3}


def test_an_invisible_character_is_shown_by_its_name():
    assert examples("It rai\u00adns.", "")[0] == {
        "line": 7,
        "language": "",
        "left": "It rai",
        "what": "[U+00AD SOFT HYPHEN]",
        "right": "ns.",
        "becomes": "",
    }


def test_long_texts_are_shown_around_what_was_found():
    (one,) = examples("x" * 50 + " @ann " + "y" * 50)

    assert (one["left"], one["what"], one["right"]) == ("…" + "x" * 39 + " ", "@ann", " " + "y" * 39 + "…")


def test_the_space_that_goes_along_is_marked():
    (one,) = examples("Write to ann@example.org now.")

    assert (one["left"], one["what"], one["becomes"], one["right"]) == ("Write to ", "ann@example.org ", "", "now.")


@pytest.mark.parametrize(
    ("text", "shown"), [("Well, DAMN it.", ("Well, ", "DAMN", " it.")), ("Well… damn", ("Well… ", "damn", ""))]
)
def test_an_expletive_is_marked_where_it_stands(text, shown):
    (one,) = examples(text, language="en-GB")

    assert (one["left"], one["what"], one["right"]) == shown
    assert "becomes" not in one


def test_contexts_are_looked_through_for_what_would_be_changed():
    found = examples("One.", "Two.", beside=("Before @ann ", " lost \ufffd", "", ""))

    assert [(one["left"], one["what"]) for one in found] == [("Before ", "@ann")]


def test_a_repeated_row_says_where_it_stood_first():
    looker = FileProfiler(overlap=True)
    for line, texts in enumerate([("One", "Two"), ("Two", "One"), ("x" * 300, "y")] * 2, start=2):
        looker.row(TextRow(line, texts))

    repeated = {kind["kind"]: kind for kind in looker.findings()["kinds"]}["repeated"]

    assert [(one["line"], one["twin"]) for one in repeated["examples"]] == [(3, 2), (5, 2), (6, 2), (7, 4)]
    assert (repeated["examples"][0]["left"], len(repeated["examples"][3]["left"])) == ("Two / One", LONGEST + 1)


def test_only_so_many_examples_are_kept():
    looker = FileProfiler(overlap=True)
    for line in range(50):
        looker.row(TextRow(line, (f"@ann {line}", "Text.")))

    mention = looker.findings()["kinds"][0]

    assert (mention["count"], len(mention["examples"])) == (50, EXAMPLES)


def test_every_kind_has_words_and_those_that_are_acted_on_a_consent():
    assert set(WORDS) == set(Kind)
    assert {kind for kind, one in WORDS.items() if one.consent} == CHANGED | DROPPED


def test_a_faulty_file_is_refused_before_anybody_is_asked(db, tmp_path):
    with pytest.raises(FileRefused):
        find_in_file(make_project("semrel"), write(tmp_path, PAIRS + "9,,x,,\n"))


def test_a_project_that_takes_no_more_pairs_is_not_looked_at(user, tmp_path):
    project = make_project()
    add_pairs(project, 1)
    planned_for(user, project)

    with pytest.raises(Refusal, match="Items can't be imported any more: the"):
        find_in_file(project, write(tmp_path, PAIRS))


def test_a_file_without_rows_is_not_asked_about(db, tmp_path):
    with pytest.raises(Refusal, match="The file has no rows, so"):
        find_in_file(make_project("semrel"), write(tmp_path, "id,sentence1,sentence2\n"))


@pytest.mark.slow
def test_of_many_rows_no_text_is_kept(db, tmp_path):
    """400 rows of 3,000 characters, 1.2 million in all, leave numbers behind."""
    path = tmp_path / "many.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("id,sentence1,sentence2,source\n")
        file.writelines(f"{number},{number} {'x' * 1500},{'y' * 1500} {number},s{number}\n" for number in range(400))
    project = make_project("semrel")
    find_in_file(project, write(tmp_path, PAIRS))  # or what is imported at the first use would count

    tracemalloc.start()
    findings = find_in_file(project, path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert findings["rows"] == 400
    assert most < 900_000
