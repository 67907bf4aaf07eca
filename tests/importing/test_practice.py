"""Practice sets: all of a file or nothing, and every fault with its line."""

from copy import deepcopy
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused
from annotation.domain.practice.importing import import_practice, remove_practice
from annotation.models import AuditEntry, PracticeTask, Project
from tests.factories import NOON, make_project
from tests.importing.files import json_lines, write
from tests.practice_sets import add_tasks, answer_task, dialogue_project, practising_person

pytestmark = pytest.mark.django_db

PRESETS = Path(__file__).resolve().parents[2] / "annotation" / "presets"
PAIRS = {
    "part": "practice",
    "texts": [[f"One {number}.", f"Two {number}."] for number in range(1, 5)],
    "best": 2,
    "worst": 4,
    "why": "**Because.**",
    "language": "en",
}
DIALOGUE = {
    "part": "check",
    "texts": ["One.", "Two.", "Three."],
    "turns": [{"speaker": "A", "text": "Hello."}, {"text": "Good bye."}],
    "best": 3,
    "worst": 1,
}


@pytest.fixture
def project() -> Project:
    return make_project("semrel")


def bring(project: Project, path: Path) -> dict[str, int]:
    return import_practice(project=project, path=path, now=NOON)


def problems_of(project: Project, path: Path) -> list[str]:
    before = list(project.practice_tasks.all())
    with pytest.raises(FileRefused) as refused:
        bring(project, path)
    assert list(project.practice_tasks.all()) == before
    return [str(problem) for problem in refused.value.problems]


def test_a_set_of_pairs(project, tmp_path):
    rows = [PAIRS | {"part": part} for part in ("practice", "example", "PRACTICE")]

    counts = bring(project, write(tmp_path, json_lines(*rows), "set.jsonl"))

    assert counts == {"example": 1, "practice": 2, "check": 0}
    task = project.practice_tasks.get(part="practice", position=2)
    assert (task.texts, task.turns, task.best, task.worst) == (PAIRS["texts"], [], 2, 4)
    assert (task.why, task.language) == ("**Because.**", "en")
    assert AuditEntry.objects.get().action == "practice set brought in"


def test_a_set_of_utterances(tmp_path):
    project = dialogue_project()

    counts = bring(project, write(tmp_path, json_lines(DIALOGUE), "set.jsonl"))

    task = project.practice_tasks.get()
    assert counts == {"example": 0, "practice": 0, "check": 1}
    assert task.texts == [["One."], ["Two."], ["Three."]]
    assert task.turns == [{"speaker": "A", "text": "Hello."}, {"speaker": "", "text": "Good bye."}]
    assert (task.why, task.language) == ("", "")


def test_a_set_of_pairs_as_csv(project, tmp_path):
    header = "part,best,worst,why,language," + ",".join(f"text{n},text{n}b" for n in range(1, 5))
    row = "example,1,4,Same.,en," + ",".join(f"One {n}.,Two {n}." for n in range(1, 5))

    bring(project, write(tmp_path, f"{header}\n{row}\n"))

    task = project.practice_tasks.get()
    assert (task.part, task.texts, task.best, task.worst, task.why) == ("example", PAIRS["texts"], 1, 4, "Same.")


@pytest.mark.parametrize(
    ("size", "accepted"), [(3, False), (4, True), (5, False), (8, False)]
)  # fmt: skip
def test_a_task_has_as_many_items_as_the_work(project, tmp_path, size, accepted):
    row = PAIRS | {"texts": [[f"One {n}.", f"Two {n}."] for n in range(size)], "worst": 1}
    path = write(tmp_path, json_lines(row), "set.jsonl")

    if accepted:
        assert bring(project, path)["practice"] == 1
    else:
        assert problems_of(project, path) == [
            f"line 1, texts: The task has {size} items, but this project compares 4 at a time."
        ]


def test_tuples_of_eight(tmp_path):
    project = make_project("semrel", tuple_size="8")
    row = PAIRS | {"texts": [[f"One {n}.", f"Two {n}."] for n in range(8)], "worst": 8}

    assert bring(project, write(tmp_path, json_lines(row), "set.jsonl"))["practice"] == 1


def changed(path: str, value: object, base: dict = PAIRS) -> dict:
    """The task with one thing in it changed; numbers in the path count from 0."""
    row = deepcopy(base)
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    place = row
    for step in way:
        place = place[step]
    place[last] = value
    return row


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("part", "exam", "part: “exam” is not a part of the practice set. Use one of: example, practice, check."),
        ("part", None, "part: The value is missing."),
        ("part", 7, "part: “7” is not a part of the practice set. Use one of: example, practice, check."),
        ("best", 5, "best: There is no item 5. Use a number from 1 to 4."),
        ("best", 0, "best: There is no item 0. Use a number from 1 to 4."),
        ("best", 4, "worst: Best and worst must be different items."),
        ("best", "two", "best: “two” is not a whole number of up to nine digits."),
        ("best", 1.5, "best: “1.5” is not a whole number of up to nine digits."),
        ("worst", None, "worst: The value is missing."),
        ("worst", True, "worst: The value must be text."),
        ("texts.2", ["One."], "texts[3]: This must be a list of two texts."),
        ("texts.2", "One.", "texts[3]: This must be a list of two texts."),
        ("texts.0", ["One.", " "], "texts[1][2]: The value is missing."),
        ("texts.0", ["One.", 1], None),
        ("texts.0", ["One.", ["x"]], "texts[1][2]: The value must be text."),
        ("texts.1", ["One 1.", "Two 1."], "texts[2]: This is the same as texts[1]. Change or remove one of them."),
        ("texts.1", ["x" * 20_001, "y"], (
"texts[2][1]: The text is too long: 20001 "
"characters, and the maximum is 20000."
)),
        ("texts", "One.", "texts: This must be a list."),
        ("texts", [], "texts: The task has 0 items, but this project compares 4 at a time."),
        ("turns", [{"text": "Hi."}], "turns: Only projects with dialogues can have turns. Remove this column."),
        ("language", "x y", "language: “x y” is not a language tag. Use a tag such as en, cs or ar-EG."),
        ("why", ["a"], "why: The value must be text."),
        ("why", "\x00", (
"why: The text contains a character that can't be "
"stored (NUL or an incomplete character). Remove it."
)),
        ("hint", "x", "hint: This is not a column of practice tasks. "
         "The columns are: part, texts, turns, language, best, worst, why."),
    ],
)  # fmt: skip
def test_every_fault_of_pairs_is_told(project, tmp_path, path, value, problem):
    file = write(tmp_path, json_lines(PAIRS, changed(path, value)), "set.jsonl")

    if problem is None:
        assert bring(project, file)["practice"] == 2
    else:
        assert problems_of(project, file) == [f"line 2, {problem}"]


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("turns", [], "turns: The dialogue is missing. Add a list of turns with “speaker” and “text”."),
        ("turns", "Hello.", "turns: This must be a list."),
        ("turns.0", "Hello.", "turns[1]: This must be a JSON object with “speaker” and “text”."),
        ("turns.1", {"speaker": "A"}, "turns[2].text: The value is missing."),
        ("texts.0", ["One.", "Two."], "texts[1]: This must be one text."),
        ("texts.0", "", "texts[1]: The value is missing."),
        ("texts.2", "One.", "texts[3]: This is the same as texts[1]. Change or remove one of them."),
    ],
)
def test_every_fault_of_utterances_is_told(tmp_path, path, value, problem):
    file = write(tmp_path, json_lines(changed(path, value, DIALOGUE)), "set.jsonl")

    assert problems_of(dialogue_project(), file) == [f"line 1, {problem}"]


def test_all_faults_of_a_file_are_told_at_once(project, tmp_path):
    rows = (changed("part", ""), "{", changed("best", 9), [])

    assert problems_of(project, write(tmp_path, json_lines(*rows), "set.jsonl")) == [
        "line 1, part: The value is missing.",
        "line 2: This is not valid JSON: Expecting property name enclosed in double quotes: line 2 column 1 (char 2).",
        "line 3, best: There is no item 9. Use a number from 1 to 4.",
        "line 4: Each line must be a JSON object in braces.",
    ]


def test_an_empty_file_is_no_set(project, tmp_path):
    assert problems_of(project, write(tmp_path, "")) != []
    assert problems_of(project, write(tmp_path, "part,best,worst\n")) == ["file: The file contains no tasks."]


def test_bringing_in_replaces_the_set_until_somebody_has_answered(tmp_path):
    participation = practising_person(practice=2, examples=1)
    project = participation.project
    path = write(tmp_path, json_lines(PAIRS), "set.jsonl")

    bring(project, path)
    assert project.practice_tasks.get().why == "**Because.**"
    answer_task(participation)

    for refused in (lambda: bring(project, path), lambda: remove_practice(project=project, actor=None, now=NOON)):
        with pytest.raises(Refusal, match="The practice set can't be changed"):
            refused()
    assert PracticeTask.objects.count() == 1


def test_a_project_that_rates_has_no_practice(tmp_path):
    with pytest.raises(Refusal, match="Only projects with best-worst choices can"):
        bring(make_project("dscs"), write(tmp_path, json_lines(PAIRS), "set.jsonl"))


def test_removing_a_set(project):
    add_tasks(project, examples=1, check=2)

    for _ in range(2):
        remove_practice(project=project, actor=None, now=NOON)

    assert not project.practice_tasks.exists()
    assert [entry.action for entry in AuditEntry.objects.all()] == ["practice set removed"]


def test_the_command(project, tmp_path, capsys):
    call_command("import_practice", "project", str(PRESETS / "semrel" / "demo" / "practice.jsonl"))
    assert capsys.readouterr().out == "example: 2\npractice: 4\ncheck: 4\n"

    with pytest.raises(CommandError, match="Nothing was imported: the file has 1"):
        call_command("import_practice", "project", str(write(tmp_path, json_lines(changed("best", 7)))))
    assert capsys.readouterr().err == "line 1, best: There is no item 7. Use a number from 1 to 4.\n"


def test_the_demo_sets(project):
    giccs = make_project("giccs", "dialogues")

    assert bring(project, PRESETS / "semrel" / "demo" / "practice.jsonl") == {"example": 2, "practice": 4, "check": 4}
    assert bring(giccs, PRESETS / "giccs" / "demo" / "practice.jsonl") == {"example": 1, "practice": 3, "check": 3}
    assert not PracticeTask.objects.filter(why="").exists()
