"""Releases on their pages: asked for, watched, looked through and downloaded."""

from hashlib import sha256
from html import unescape

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from annotation.models import Project
from scoring.domain.releases.citation import bibtex, citation
from scoring.models import Evaluation, Release, ReleaseFile
from tests.api.worlds import done_release, done_run
from tests.factories import make_project
from tests.releases.making import contents, run_of
from tests.runs.projects import relatedness
from tests.views.releasing import RELEASES, client_as, evaluated, released
from tests.views.sending import HTMX

pytestmark = pytest.mark.django_db
CONTENT = b"item,value\r\np1,2\r\n"


def words(response) -> str:
    return " ".join(unescape(response.text).split())


def asked(project: Project, number: int = 1, **values: object) -> Release:
    run = project.runs.first() or done_run(project)
    return Release.objects.create(project=project, number=number, run=run, code_version="1", **values)


def test_a_release_is_asked_for_made_watched_and_downloaded(django_capture_on_commit_callbacks):
    """The whole way, with the choices of a real project."""
    project = relatedness("project")
    run_of(project)
    client = client_as(project, "manager")
    fields = {"run": "1", "licence": "CC-BY-4.0", "sizes": "train=6,dev=rest,test=3", "seed": "7"}

    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(RELEASES, fields)

    release = Release.objects.get()
    assert (response.status_code, response["Location"], release.state) == (302, f"{RELEASES}1/", "done")
    assert release.created_by.username == "manager"
    assert release.options == {"sizes": "train=6,dev=rest,test=3", "apart": False, "seed": 7}
    page = client.get(response["Location"])
    for name, content in contents(release).items():
        assert sha256(content).hexdigest() in page.text
        got = client.get(f"{RELEASES}1/files/{name}")
        assert b"".join(got.streaming_content) == content
        assert got["ETag"] == f'"{sha256(content).hexdigest()}"'
    assert f'href="{RELEASES}1/files.zip"' in page.text
    archive = client.get(f"{RELEASES}1/files.zip")
    assert sum(map(len, archive)) == int(archive["Content-Length"]) > sum(map(len, contents(release).values()))
    told = words(page)
    assert "train=6,dev=rest,test=3; random seed 7" in told
    assert '<h3 id="reliability">' in told or "<h3>Reliability</h3>" in told  # of the data card
    assert "pretty_name" not in told  # its header is for programs
    assert "<td><code>scores.csv</code></td>" in told
    assert f"{citation(release)}" in told
    assert '"release": 1, "predictions"' in told
    assert "http://testserver/api/v1/projects/project/releases/1/files/$name" in told


def test_a_release_waits_until_a_worker_comes():
    project = make_project()
    done_run(project)
    client = client_as(project, "manager")

    page = client.post(RELEASES, {"run": "1"}, follow=True)  # nothing is sent before the transaction ends

    assert "No worker is running. The release will be created when a worker is available." in page.text
    assert "Waiting in the queue." in page.text
    beat_heart(timezone.now())
    assert "No worker is running" not in client.get(f"{RELEASES}1/").text


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"state": "waiting"}, "Waiting in the queue."),
        ({"state": "running"}, "Writing files…"),
        ({"state": "failed", "problem": "The disk is full."}, "could not be created.</strong> The disk is full."),
    ],
)
def test_a_release_is_watched(values, told, headers):
    release = asked(make_project(), **values)

    page = client_as(release.project, "researcher").get(f"{RELEASES}1/", headers=headers)

    assert told in page.text
    assert ("<html" in page.text) is not bool(headers)
    assert ("hx-get" in page.text) is (release.state in ("waiting", "running"))
    assert "Create another release" not in page.text


@pytest.mark.parametrize(
    ("preset", "fields", "fault"),
    [
        ("stss131", {}, "This field is required."),
        ("stss131", {"run": "2"}, "2 is not one of the available choices."),
        ("stss131", {"run": "1", "licence": "as you like!"}, "SPDX identifier"),
        ("semrel", {"run": "1", "sizes": "most"}, "most"),
        ("semrel", {"run": "1", "seed": "-1"}, "greater than or equal to 0"),
    ],
)
def test_a_form_with_faults_comes_back(preset, fields, fault):
    project = make_project(preset)
    done_run(project)

    page = client_as(project, "manager").post(RELEASES, {"csrf": "1"} | fields)

    assert (page.status_code, fault in str(page.context["form"].errors)) == (422, True)
    assert not Release.objects.exists()


@pytest.mark.parametrize(("preset", "splits"), [("stss131", False), ("dscs", False), ("semrel", True), ("giccs", True)])
def test_only_choices_are_split(preset, splits):
    project = make_project(preset)
    done_run(project)

    fields = client_as(project, "manager").get(RELEASES).context["form"].fields

    assert set(fields) == {"run", "licence"} | ({"sizes", "apart", "seed"} if splits else set())


def test_without_a_run_there_is_nothing_to_make_a_release_of():
    project = make_project()

    page = client_as(project, "manager").get(RELEASES)

    assert "No releases yet" in page.text
    assert "A release is created from a finished scoring run" in page.text
    assert "Create release" not in page.text
    assert client_as(project, "researcher").get(RELEASES).text.count("Managers of the project can create one.") == 1


def test_researchers_read_and_make_none():
    release = released()
    client = client_as(release.project, "researcher")

    page, one = client.get(RELEASES), client.get(f"{RELEASES}1/")

    assert (page.context["form"], "Create release" in page.text, "webhooks" in page.text) == (None, False, False)
    assert "Make the leaderboard public" not in one.text
    assert client.post(RELEASES, {"run": "1"}).status_code == 404
    assert Release.objects.count() == 1


@pytest.mark.parametrize("who", ["nobody", "outsider"])
def test_for_others_there_are_no_releases(who):
    release = released()
    client = client_as(release.project, who)
    pages = ("", "1/", "1/files/scores.csv", "1/leaderboard.csv")

    responses = [client.get(f"{RELEASES}{page}") for page in pages] + [client.post(RELEASES, {"run": "1"})]

    assert {response.status_code for response in responses} == {302 if who == "nobody" else 404}


@pytest.mark.parametrize("page", ["2/", "2/files/scores.csv", "1/files/nothing.csv", "1/files/%00", "3/"])
def test_what_is_not_there_is_not_found(page):
    release = released()
    asked(release.project, 2)
    client = client_as(release.project, "researcher")

    assert client.get(f"{RELEASES}{page}").status_code == (200 if page == "2/" else 404)


def test_a_broken_download_goes_on_on_the_page_too():
    release = released()
    client, path = client_as(release.project, "researcher"), f"{RELEASES}1/files/scores.csv"

    part = client.get(path, headers={"Range": "bytes=5-"})
    again = client.get(path, headers={"If-None-Match": part["ETag"]})

    assert (part.status_code, b"".join(part.streaming_content)) == (206, CONTENT[5:])
    assert again.status_code == 304
    assert client.head(path)["Content-Length"] == str(len(CONTENT))
    assert client.get(path, headers={"Range": "bytes=99-"}).status_code == 416


def test_a_data_card_that_cannot_be_read_is_left_out():
    release = released()
    Release.objects.update(state="running")
    card = ReleaseFile(release=release, name="README.md", file="releases/gone.md", sha256="0" * 64, size=1)
    card.save()
    Release.objects.update(state="done")

    page = client_as(release.project, "researcher").get(f"{RELEASES}1/")

    assert (page.status_code, "Data card" in page.text) == (200, False)


def test_models_are_shown_and_downloaded_on_the_release():
    release = released()
    client = client_as(release.project, "researcher")
    assert "No models evaluated yet." in client.get(f"{RELEASES}1/").text
    assert client.get(f"{RELEASES}1/leaderboard.csv").status_code == 404
    evaluated(release, "mine", 0.5)

    page = client.get(f"{RELEASES}1/", {"sort": "model"})

    assert "<bdi>mine</bdi>" in page.text
    assert "Only members of the project can see this table." in page.text
    assert "mine" in client.get(f"{RELEASES}1/leaderboard.csv").text


def test_how_to_cite_it():
    release = released()
    Release.objects.update(title="Texts & {their}\\ kin_ship", licence="CC0-1.0", ended_at="2026-03-02T12:00:00Z")
    release.refresh_from_db()

    assert citation(release) == (
        "Texts & {their}\\ kin_ship. Release 1. 2026-03-02. CC0-1.0. SHA-256 of manifest.json: " + "0" * 64 + "."
    )
    assert bibtex(release).splitlines() == [
        "@misc{project-1,",
        r"  title = {{Texts \& \textbraceleft{}their\textbraceright{}\textbackslash{} kin\_ship}},",
        "  version = {Release 1},",
        "  year = {2026},",
        "  month = {3},",
        "  note = {SHA-256 of manifest.json: " + "0" * 64 + "},",
        "}",
    ]


def test_authors_and_url_are_cited():
    release = released()
    authors = "Čapek, Karel\nSmith and Sons {Ltd\nUni, Faculty, City, Land"
    Project.objects.update(authors=authors, url="https://example.org/a_{b}#c")
    release = Release.objects.get(pk=release.pk)

    assert citation(release).startswith("Čapek, Karel; Smith and Sons {Ltd; Uni, Faculty, City, Land. ")
    entry = bibtex(release)
    assert (
        r"  author = {Čapek, Karel and {Smith and Sons \textbraceleft{}Ltd} and {Uni, Faculty, City, Land}}," in entry
    )
    assert "  url = {https://example.org/a_%7Bb%7D#c}," in entry
    assert entry.count("{") == entry.count("}")


def queries_of(client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return len(queries)


def test_pages_take_the_same_queries_for_few_and_many():
    release = released()
    client = client_as(release.project, "manager")
    evaluated(release, "one", 0.1)
    few = [queries_of(client, f"{RELEASES}{page}") for page in ("", "1/")]
    for number in range(2, 40):
        done_release(release.project, number=number) if number < 5 else asked(release.project, number)
        evaluated(release, f"m{number}", 0.2)

    many = [queries_of(client, f"{RELEASES}{page}") for page in ("", "1/")]

    assert few == many
    assert max(many) <= 10
    page = client.get(RELEASES, {"page": "2"})
    assert [one.number for one in page.context["page"]] == list(range(14, 0, -1))
    assert page.context["page"][-1].bytes == len(CONTENT)
    assert "Page 2 of 2" in words(page)


def test_baselines_by_command(capsys):
    project = relatedness("project")
    for place, item in enumerate(project.items.order_by("pk")):
        item.sentence1, item.sentence2 = "a b c d", " ".join("abcdefg"[place % 4 :][:3])
        item.save()
    with pytest.raises(CommandError, match="no such finished release"):
        call_command("baselines", "project")
    run_of(project)
    asked(project, state="done", manifest={}, sha256="ab")

    call_command("baselines", "project")
    call_command("baselines", "project", "--release", "1")

    out = capsys.readouterr().out
    assert out.startswith("Dice overlap: Pearson ")
    assert out.endswith("No new models to evaluate.\n")
    assert Evaluation.objects.get().baseline
