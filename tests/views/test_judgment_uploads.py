"""Judgments of other programs, imported from a page after a look at what is in the file."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.domain.jobs.control import cancel
from annotation.domain.material.jobs import ANSWERED
from annotation.domain.material.uploads import KEPT, forget_unanswered
from annotation.domain.project.deletion import delete_project
from annotation.models import Annotator, Judgment, JudgmentUpload
from tests.elsewhere.test_readers import WIDE, label_studio
from tests.elsewhere.written import FILES
from tests.factories import NOON, make_project
from tests.views.sending import HTMX
from tests.views.test_importing import manager

PAGE = "/projects/project/judgments/import/"
DOCCANO = FILES / "doccano_jsonl.zip"
FIRST = {"format": "", "repeated": "refuse", "invalid": "refuse"}


@pytest.fixture
def project():
    return make_project(
        "rating", **{"maximum": "5", "label.highest": "Same", **{f"label.{at}": "" for at in range(1, 5)}}
    )


@pytest.fixture
def client(user, project):
    return manager(user, project)


@pytest.fixture
def send(client, django_capture_on_commit_callbacks):
    """Sends a form, and lets the worker do what it starts. Returns the page that follows."""

    def sent(path: str, **fields: object) -> str:
        with django_capture_on_commit_callbacks(execute=True):
            response = client.post(path, fields)
        assert response.status_code == 302, response.content.decode()
        return client.get(response["Location"]).content.decode()

    return sent


@pytest.fixture
def upload(send):
    def uploaded(file: Path, **fields: object) -> str:
        return send(PAGE, **FIRST | fields, file=SimpleUploadedFile(file.name, file.read_bytes()))

    return uploaded


def latest() -> JudgmentUpload:
    return JudgmentUpload.objects.latest("pk")


def answers(job: JudgmentUpload) -> str:
    return f"{PAGE}{job.pk}/answer/"


def test_an_export_is_shown_before_it_is_imported(upload, send, project):
    page = upload(DOCCANO)
    assert "This is an export of doccano with 12 ratings of 4 pairs by 3 people." in page
    assert "New items from the file: 4 pairs" in page
    assert "Skipped or unanswered in the export: 4" in page
    assert "bob@example.org" not in page
    assert not project.items.exists()
    page = send(answers(latest()), answer="import")
    assert "12 imported." in page
    assert (Judgment.objects.count(), project.items.count()) == (12, 4)
    assert all(name.startswith("person-") for name in Annotator.objects.values_list("external_id", flat=True))


@pytest.mark.parametrize("answer", ["import", "discard"])
def test_the_file_is_deleted_once_it_is_answered(upload, send, answer):
    upload(DOCCANO)
    assert default_storage.exists(latest().file.name)
    send(answers(latest()), answer=answer)
    assert not default_storage.exists(latest().file.name)
    assert Judgment.objects.exists() == (answer == "import")


def test_an_upload_that_nobody_answers_is_deleted(upload, django_capture_on_commit_callbacks):
    upload(DOCCANO)
    created = latest().created_at
    assert forget_unanswered(created + KEPT) == 0
    with django_capture_on_commit_callbacks(execute=True):
        assert forget_unanswered(created + KEPT + timedelta(seconds=1)) == 1
    assert (latest().state, default_storage.exists(latest().file.name)) == ("cancelled", False)


def test_the_file_of_an_upload_is_deleted_with_its_project(upload, project, user, django_capture_on_commit_callbacks):
    upload(DOCCANO)
    name = latest().file.name
    with django_capture_on_commit_callbacks(execute=True):
        delete_project(project=project, typed="project", reason="A trial.", actor=user, now=NOON)
    assert not default_storage.exists(name)


def test_the_file_of_a_cancelled_job_is_deleted(upload, user, django_capture_on_commit_callbacks):
    upload(DOCCANO)
    JudgmentUpload.objects.update(state="waiting")
    with django_capture_on_commit_callbacks(execute=True):
        cancel(job=latest(), actor=user, now=NOON)
    assert not default_storage.exists(latest().file.name)


def test_a_wrong_guess_is_changed(upload, send):
    assert "by 3 people" in upload(DOCCANO)
    page = send(answers(latest()), answer="read", format="litescale", question="")
    assert "“tuples.json” is missing." in page
    assert latest().state == "failed"


def test_a_question_is_chosen(upload, tmp_path):
    path = label_studio(tmp_path, ("first", {"rating": 1}), ("second", {"rating": 2}), text1="One.", text2="Two.")
    assert "The export has several questions: first, second. Choose one." in upload(path)
    assert "1 rating of 1 pair by 1 person" in upload(path, question="second")


def test_a_file_with_problems_names_them(upload, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,annotator,value\np1,ann,3\n")
    page = upload(path)
    assert "Nothing was imported: the file has 1 problem." in page
    assert "The project has no item “p1”." in page


def test_an_own_table_is_shown_and_imported(upload, send):
    upload(DOCCANO)
    send(answers(latest()), answer="import")
    page = send(PAGE, **FIRST, rows="item,annotator,value\np1,zoe,3\np2,zoe,2\n")
    assert "This is a table with 2 ratings by 1 person." in page
    send(answers(latest()), answer="import")
    assert Annotator.objects.filter(external_id="zoe").exists()


def test_an_answered_import_is_not_answered_again(upload, send):
    upload(DOCCANO)
    send(answers(latest()), answer="discard")
    for answer in ("import", "discard", "read"):
        assert str(ANSWERED) in send(answers(latest()), answer=answer)


def test_neither_a_file_nor_rows_is_an_error(client):
    response = client.post(PAGE, FIRST)
    assert response.status_code == 422
    assert "Either choose a file or type rows." in response.content.decode()


def test_the_progress_is_part_of_the_page(upload, client):
    upload(DOCCANO)
    JudgmentUpload.objects.update(state="waiting")
    part = client.get(f"{PAGE}{latest().pk}/", headers=HTMX).content.decode()
    assert "Waiting in the queue." in part
    assert "<h1>" not in part


def test_choices_of_unknown_people_and_several_rounds(user, send):
    project = make_project("best_worst", key="tuples", tuple_size="3")
    manager(user, project)
    table = WIDE.replace("r1,", ",").replace("r2,", ",")
    page = send("/projects/tuples/judgments/import/", **FIRST, rows=table)
    assert "This is an export of MaxDiff with 2 choices of 4 texts." in page
    assert "Without an annotator (counted as different people): 2" in page


def test_the_list_of_imports_takes_the_same_queries_for_one_and_for_three(client, upload, django_assert_num_queries):
    upload(DOCCANO)
    client.get(PAGE)
    with django_assert_num_queries(4):
        client.get(PAGE)
    upload(DOCCANO)
    upload(DOCCANO)
    with django_assert_num_queries(4):
        assert client.get(PAGE).content.decode().count("doccano_jsonl.zip") == 3
