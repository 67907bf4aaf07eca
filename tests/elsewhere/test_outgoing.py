import json
from io import StringIO
from uuid import NAMESPACE_OID, uuid5

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.project.creation import add_member
from annotation.models import Item
from scoring.exports.outgoing import NEEDED, records_of
from scoring.exports.outgoing.contents import Compared, Rated, compared, rated
from tests.api.worlds import caller_of, done_release
from tests.elsewhere.test_import import OTHERS, TO_FIVE, bring_in
from tests.elsewhere.written import FILES, PAIRS
from tests.factories import make_project, make_user
from tests.releases.making import write_release
from tests.views.sending import client_of

ITEMS = "item,sentence1,sentence2\np1,'=1+1,Two.\n"
SCORES = "item,round,context,mean,sd,ratings\np1,R2,free,2.75,0.5,2\np1,R2,dep,,,0\n"
RATING = {"item": "p1", "annotator": "ann", "value": 2.5, "round": "R2", "context": "free", "counted": True}
CHOICE = {"item": None, "annotator": "ann", "counted": True, "tuple": 1, "item1": "b", "item2": "a", "item3": None}
PERSON = str(uuid5(NAMESPACE_OID, "ann"))


def files(**contents):
    """Return what opens files with these contents; "_" in a name stands for the dot."""
    found = {name.replace("_", "."): text for name, text in contents.items()}
    return lambda name: StringIO(found[name], newline="")


def lines(*rows):
    return "".join(json.dumps({"invalid": False} | row) + "\n" for row in rows)


def ratings(*rows):
    return files(items_csv=ITEMS, scores_csv=SCORES, judgments_jsonl=lines(*rows))


def choices():
    answers = CHOICE | {"best": "b", "worst": "a", "order": "21", "thinking_ms": 1500}
    others = CHOICE | {"best": "a", "worst": "b", "order": "", "annotator": "bob", "counted": False}
    texts = "item,text\na,One\nb,Two\n"
    return files(items_csv=texts, scores_csv="item,score\na,-1\nb,\n", judgments_jsonl=lines(answers, others))


def made(name, open_file, *, compares=False):
    return json.loads("".join(records_of(name, open_file, compares=compares, version="project release 1")))


def test_what_was_rated():
    uncounted = RATING | {"annotator": "bob", "counted": False}
    found = list(rated(ratings(RATING, uncounted, RATING | {"value": None})))
    texts, row = {"sentence1": "=1+1", "sentence2": "Two."}, RATING | {"invalid": False}
    assert found == [
        Rated("p1 R2 free", "p1", texts, {"mean": 2.75, "sd": 0.5, "ratings": 2}, [row]),
        Rated("p1 R2 dep", "p1", texts, {"mean": None, "sd": None, "ratings": 0}, []),
    ]


def test_what_was_compared():
    [found] = compared(choices())
    assert (found.key, found.items, found.texts, found.scores) == ("1", ("a", "b"), ("One", "Two"), (-1.0, None))
    assert isinstance(found, Compared)


def test_tasks_of_label_studio():
    first, second = made("label_studio", ratings(RATING | {"thinking_ms": 2500}))
    answer = {"from_name": "similarity", "to_name": "sentence1", "type": "number"}
    assert first["data"]["sentence1"] == "=1+1"
    assert first["predictions"] == [
        {"model_version": "project release 1", "result": [answer | {"value": {"number": 2.75}}]}
    ]
    assert first["annotations"] == [
        {"result": [answer | {"value": {"number": 2.5}, "meta": {"text": ["ann"]}}], "lead_time": 2.5}
    ]
    assert (second["predictions"], second["annotations"]) == ([], [])


def test_tuples_for_label_studio():
    [task] = made("label_studio", choices(), compares=True)
    assert task["data"] == {
        "id": "1", "item1": "a", "text1": "One", "score1": -1.0, "item2": "b", "text2": "Two", "score2": None
    }  # fmt: skip
    chosen = {answer["from_name"]: answer["value"]["choices"] for answer in task["annotations"][0]["result"]}
    assert (chosen, task["annotations"][0]["lead_time"]) == ({"best": ["text2"], "worst": ["text1"]}, 1.5)


@pytest.mark.parametrize(("value", "answer", "suggested"), [(2.5, "2.5", "2.75"), (3.0, 3, 3)])
def test_records_of_argilla(value, answer, suggested):
    first, second = made("argilla", ratings(RATING | {"value": value}))
    assert first == {
        "id": "p1 R2 free",
        "fields": {"sentence1": "=1+1", "sentence2": "Two."},
        "metadata": {"item": "p1", "mean": 2.75, "sd": 0.5, "ratings": 2},
        "suggestions": {"similarity": {"value": suggested, "agent": "project release 1"}},
        "responses": {"similarity": [{"value": answer, "user_id": PERSON}]},
    }
    assert (second["suggestions"], second["responses"]) == ({}, {"similarity": []})


def test_tuples_for_argilla():
    [record] = made("argilla", choices(), compares=True)
    assert record["metadata"] == {"item1": "a", "item2": "b", "score1": -1.0}
    assert record["responses"]["best"] == [{"value": "text2", "user_id": PERSON}]
    assert record["responses"]["worst"] == [{"value": "text1", "user_id": PERSON}]


def test_a_release_without_scores_is_an_empty_array():
    empty = files(items_csv="item,text\n", scores_csv="item,score\n", judgments_jsonl="")
    assert made("argilla", empty, compares=True) == []


@pytest.fixture(scope="module")
def release(keep, tmp_path_factory):
    """A release of imported ratings, with the files that are read."""
    with keep():
        project = make_project("rating", **TO_FIVE, **OTHERS)
        for position, (key, (first, second)) in enumerate(PAIRS.items(), start=1):
            Item.objects.create(project=project, key=key, sentence1=first, sentence2=second, position=position)
        bring_in(project, FILES / "label_studio_ratings.json")
        folder = tmp_path_factory.mktemp("release")
        write_release(project=project, folder=folder)
        yield done_release(project, files={name: (folder / name).read_bytes() for name in NEEDED})


def test_the_page_and_the_api_give_the_same_file(release, db):
    reader = make_user("reader")
    add_member(project=release.project, user=reader, role="researcher")
    page = client_of(reader).get("/projects/project/releases/1/for/label_studio.json")
    answer = caller_of(reader).read("/api/v1/projects/project/releases/1/for/label_studio.json")
    tasks = json.loads(page.getvalue())
    assert page["Content-Disposition"] == 'attachment; filename="project-release-1-label_studio.json"'
    assert json.loads(answer.getvalue()) == tasks
    assert [task["data"]["id"] for task in tasks] == list(PAIRS)
    assert sum(len(task["annotations"]) for task in tasks) == 12
    assert client_of(reader).get("/projects/project/releases/1/for/nothing.json").status_code == 404
    assert 'for/argilla.json"' in client_of(reader).get("/projects/project/releases/1/").content.decode()


def test_the_command_writes_the_latest_release(release, db, tmp_path):
    path = tmp_path / "records.json"
    call_command("export_release", "project", "argilla", out=str(path), stdout=StringIO())
    records = json.loads(path.read_text())
    assert [len(record["responses"]["similarity"]) for record in records] == [3, 3, 3, 3]


def test_the_command_refuses_what_is_not_there(release, db, tmp_path):
    with pytest.raises(CommandError, match="The project has no such release"):
        call_command("export_release", "project", "argilla", release=7)
    with pytest.raises(CommandError, match="Cannot write"):
        call_command("export_release", "project", "argilla", out=str(tmp_path / "none" / "x.json"))


def test_a_release_with_other_files_is_not_converted(release, db):
    project = make_project("rating", key="others")
    done_release(project)
    with pytest.raises(CommandError, match="does not have the files"):
        call_command("export_release", "others", "argilla")
    reader = make_user("reader")
    add_member(project=project, user=reader, role="researcher")
    assert client_of(reader).get("/projects/others/releases/1/for/argilla.json").status_code == 404


def test_what_goes_out_comes_in_again(release, db, tmp_path):
    """Label Studio keeps tasks as they were imported, so its export has the same annotations."""
    path = tmp_path / "tasks.json"
    call_command("export_release", "project", "label_studio", out=str(path), stdout=StringIO())
    tasks = json.loads(path.read_text())
    for task in tasks:
        for number, annotation in enumerate(task["annotations"]):
            annotation["completed_by"] = number
    path.write_text(json.dumps(tasks))
    other = make_project("rating", key="other", **TO_FIVE, **OTHERS)
    assert bring_in(other, path) == ("label_studio", 12, 3, 4)
