"""Uploads of a release to stand-ins of Zenodo and Hugging Face: drafts, publication, errors, and resumption."""

import hashlib
import zipfile
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.errors import Refusal
from annotation.domain.jobs.control import retry
from annotation.domain.project.creation import add_member
from annotation.models import AuditEntry, Membership, Project
from scoring.domain.uploads import huggingface, zenodo
from scoring.domain.uploads.requesting import client_of, request_publication, request_upload, save_archive_token
from scoring.domain.uploads.transport import _said
from scoring.models import ArchiveToken, Release, ReleaseFile, Run, Upload
from tests.factories import NOON, make_project
from tests.jobs import attempt
from tests.uploads.archives import TOKEN, serving

pytestmark = pytest.mark.django_db
FILES = {
    "README.md": b"---\nlicense: cc-by-4.0\n---\n# Data\n",
    "empty.csv": b"",
    "judgments.csv": b"item,value\n" + b"p1,3\n" * 500,
    "manifest.json": b"{}\n",
    "figures/scores.svg": b"<svg/>\n",
}
REPOSITORY = "my-lab/pairs"


@pytest.fixture
def archives(settings):
    settings.ARCHIVES_AT_PRIVATE_ADDRESSES = True
    with serving() as server:
        settings.DATA_ARCHIVES = dict.fromkeys(settings.DATA_ARCHIVES, server.url)
        yield server


@pytest.fixture
def release(user) -> Release:
    project = make_project(key="pairs")
    Project.objects.update(authors="Nováková, Jana\nJohn Smith", url="https://example.org/?a=1&b=2")
    project.refresh_from_db()
    for archive in ("zenodo", "huggingface"):
        save_archive_token(project=project, archive=archive, token=TOKEN, actor=user, now=NOON)
    return made(project, FILES)


def made(project, files, number=1, licence="CC-BY-4.0") -> Release:
    """A release that is done, with these files."""
    done = {"state": "done", "results": {}, "ended_at": NOON}
    run = Run.objects.create(project=project, number=number, seed=0, code_version="1", **done)
    values = {"number": number, "run": run, "title": "Pairs", "licence": licence, "code_version": "1"}
    release = Release.objects.create(project=project, **values)
    for name, content in files.items():
        stored = ReleaseFile(release=release, name=name, sha256=hashlib.sha256(content).hexdigest(), size=len(content))
        stored.file.save(name.replace("/", "-"), ContentFile(content))
    Release.objects.filter(pk=release.pk).update(state="done", manifest={}, sha256="a" * 64, ended_at=NOON)
    return Release.objects.select_related("project").get(pk=release.pk)


def uploaded(release, user, archive="zenodo", name="") -> Upload:
    upload = request_upload(release=release, archive=archive, name=name, actor=user, now=NOON)
    attempt(upload, NOON)
    upload.refresh_from_db()
    return upload


def published(upload, user) -> Upload:
    request_publication(upload=upload, actor=user, now=NOON)
    attempt(upload, NOON)
    upload.refresh_from_db()
    return upload


def test_zenodo_gets_a_draft_with_files_and_metadata_and_is_published_when_asked(archives, release, user):
    upload = uploaded(release, user)

    assert (upload.state, upload.outside_id, upload.doi) == ("done", "100", "10.5072/zenodo.100"), upload.problem
    draft = archives.depositions["100"]
    assert draft["submitted"] is False and upload.published_at is None
    assert draft["metadata"] == {
        "upload_type": "dataset",
        "title": "Pairs",
        "creators": [{"name": "Nováková, Jana"}, {"name": "John Smith"}],
        "description": draft["metadata"]["description"],
        "access_right": "open",
        "license": "cc-by-4.0",
        "version": "1.0.0",
        "publication_date": "2026-03-02",
        "prereserve_doi": True,
    }
    assert "?a=1&amp;b=2" in draft["metadata"]["description"]
    flat = {name: content for name, content in FILES.items() if "/" not in name}
    assert {name: content for name, content in draft["files"].items() if name != "figures.zip"} == flat
    with zipfile.ZipFile(BytesIO(draft["files"]["figures.zip"])) as figures:
        assert figures.read("figures/scores.svg") == FILES["figures/scores.svg"]

    upload = published(upload, user)
    assert draft["submitted"] and upload.published_at and upload.url == f"{archives.url}/records/100"
    logged = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))
    assert logged == ["archive token saved"] * 2 + ["release uploaded", "upload published"]
    with pytest.raises(Refusal, match="already public"):
        request_publication(upload=upload, actor=user, now=NOON)


@pytest.mark.parametrize("multipart", [False, True])
def test_hugging_face_gets_a_private_repository_with_small_and_large_files(archives, release, user, multipart):
    archives.multipart = multipart

    upload = uploaded(release, user, "huggingface", REPOSITORY)

    assert (upload.state, upload.url) == ("done", f"{archives.url}/datasets/{REPOSITORY}"), upload.problem
    stored = archives.repositories[REPOSITORY]
    assert stored["private"] is True and stored["commits"] == ["Release 1"]
    assert stored["files"] == FILES | {".gitattributes": b""}
    assert len(archives.objects) == 1 and archives.of("POST /verify") == 1
    assert archives.of("PUT /part/") == (3 if multipart else 0)

    assert published(upload, user).published_at and stored["private"] is False


def test_an_own_repository_needs_no_organization_and_later_releases_replace_files(archives, release, user):
    uploaded(release, user, "huggingface", "jana/pairs")
    later = made(release.project, {"README.md": b"New.\n", "new.csv": b"a\n"}, number=2)

    upload = uploaded(later, user, "huggingface", "jana/pairs")

    assert upload.state == "done", upload.problem
    stored = archives.repositories["jana/pairs"]
    assert stored["files"] == {".gitattributes": b"", "README.md": b"New.\n", "new.csv": b"a\n"}
    assert stored["commits"] == ["Release 1", "Release 2"]


def test_a_repository_of_something_else_or_a_public_one_is_refused(archives, release, user):
    archives.repositories[REPOSITORY] = {"private": True, "files": {"model.bin": b""}, "commits": []}
    taken = uploaded(release, user, "huggingface", REPOSITORY)
    assert taken.state == "failed" and "Choose another name. (409: You already created" in taken.problem

    archives.repositories["jana/pairs"] = {"private": False, "files": {".gitattributes": b""}, "commits": []}
    public = uploaded(release, user, "huggingface", "jana/pairs")
    assert public.state == "failed" and "The repository is public" in public.problem
    assert archives.repositories["jana/pairs"]["commits"] == []

    foreign = uploaded(release, user, "huggingface", "somebody/pairs")
    assert foreign.state == "failed" and "needs the right to write. (403: You don't have" in foreign.problem


def test_an_interrupted_upload_continues_with_what_is_missing(archives, release, user):
    archives.failing = {"PUT /api/files/100/manifest.json": [503]}
    upload = uploaded(release, user)
    assert upload.state == "waiting" and "Zenodo refused the request. (503: Not now.)" in upload.problem
    sent = archives.of("PUT /api/files/")

    attempt(upload, upload.not_before)
    upload.refresh_from_db()

    assert upload.state == "done" and len(archives.depositions) == 1
    assert archives.of("PUT /api/files/") == sent + 1
    assert set(archives.depositions["100"]["files"]) == {"figures.zip", *(name for name in FILES if "/" not in name)}


def test_a_draft_that_was_deleted_is_created_again_but_not_published(archives, release, user):
    archives.failing = {"PUT /api/files/100/manifest.json": [503]}
    upload = uploaded(release, user)
    archives.depositions = {"7": archives.depositions.pop("100")}
    attempt(upload, upload.not_before)
    upload.refresh_from_db()
    assert (upload.state, upload.outside_id) == ("done", "101")

    archives.depositions.clear()
    assert "does not know this draft" in published(upload, user).problem


def test_lost_answers_create_and_publish_nothing_twice(archives, release, user):
    archives.loses = "POST /api/repos/create"
    upload = uploaded(release, user, "huggingface", REPOSITORY)
    assert upload.state == "waiting" and "cannot be reached" in upload.problem
    attempt(upload, upload.not_before)
    assert archives.repositories[REPOSITORY]["commits"] == ["Release 1"]

    upload = uploaded(release, user)
    archives.loses = "POST /api/deposit/depositions/100/actions/publish"
    assert published(upload, user).state == "waiting"
    attempt(upload, Upload.objects.get(pk=upload.pk).not_before)
    upload.refresh_from_db()
    assert upload.published_at and archives.of("POST /api/deposit/depositions/100/actions/publish") == 1


def test_large_files_that_the_hub_has_are_not_sent_again(archives, release, user):
    archives.failing = {f"POST /api/datasets/{REPOSITORY}/commit": [502]}
    upload = uploaded(release, user, "huggingface", REPOSITORY)
    attempt(upload, upload.not_before)

    assert archives.of("PUT /store/") == 1
    assert archives.repositories[REPOSITORY]["commits"] == ["Release 1"]


@pytest.mark.parametrize(("archive", "name"), [("zenodo", ""), ("huggingface", REPOSITORY)])
def test_a_wrong_token_is_said_and_a_new_one_helps(archives, release, user, archive, name):
    save_archive_token(project=release.project, archive=archive, token="old", actor=user, now=NOON)
    upload = uploaded(release, user, archive, name)
    assert upload.state == "failed" and "does not accept the token" in upload.problem

    save_archive_token(project=release.project, archive=archive, token=TOKEN, actor=user, now=NOON)
    retry(job=upload, actor=user, now=NOON)
    attempt(upload, NOON)
    upload.refresh_from_db()
    assert upload.state == "done"
    with pytest.raises(Refusal, match="already there"):
        request_upload(release=release, archive=archive, name=name, actor=user, now=NOON)


def test_too_large_invalid_and_missing_things_are_said(archives, release, user, monkeypatch):
    archives.failing = {"PUT /api/files/100/judgments.csv": [413]}
    assert "A file is too large for Zenodo. (413" in uploaded(release, user).problem
    Upload.objects.all().delete()
    other = made(release.project, {"a.csv": b"a"}, number=2, licence="MIT")
    assert "Validation error; metadata.license: Not valid." in uploaded(other, user).problem
    monkeypatch.setattr(zenodo, "MOST_FILES", 1)
    assert "up to 100 files" in uploaded(release, user).problem
    monkeypatch.setattr(huggingface, "MOST_BYTES", 1)
    assert "files of up to 50 GB" in uploaded(release, user, "huggingface", REPOSITORY).problem


def test_the_token_is_sent_to_no_other_server(archives, release, user):
    with serving() as other:
        archives.elsewhere = other.url
        upload = uploaded(release, user)

        assert upload.state == "failed" and "an address of another server" in upload.problem
        assert other.requests == []


def test_private_addresses_are_refused_unless_they_are_allowed(archives, release, user, settings):
    settings.ARCHIVES_AT_PRIVATE_ADDRESSES = False

    assert "127.0.0.1 is in a private network" in uploaded(release, user).problem
    assert archives.requests == []


def test_what_an_archive_needs_is_checked_before_the_upload(archives, release, user):
    bare = made(make_project(key="bare"), {"a.csv": b"a"}, licence="")
    with pytest.raises(Refusal, match="no token for Zenodo"):
        uploaded(bare, user)
    save_archive_token(project=bare.project, archive="zenodo", token=TOKEN, actor=user, now=NOON)
    with pytest.raises(Refusal, match="Zenodo requires authors"):
        uploaded(bare, user)
    Project.objects.update(authors="Jana")
    bare.project.refresh_from_db()
    with pytest.raises(Refusal, match="no licence"):
        uploaded(bare, user)
    with pytest.raises(Refusal, match="owner/name"):
        uploaded(release, user, "huggingface", "pairs")
    Release.objects.filter(pk=bare.pk).update(state="failed")
    with pytest.raises(Refusal, match="not finished"):
        uploaded(Release.objects.get(pk=bare.pk), user)
    assert not Upload.objects.exists()


def test_a_token_is_encrypted_replaced_and_removed(release, user):
    with connection.cursor() as cursor:
        cursor.execute("SELECT token FROM scoring_archivetoken")
        assert all(TOKEN not in token for (token,) in cursor.fetchall())
    save_archive_token(project=release.project, archive="zenodo", token=" ", actor=user, now=NOON)
    save_archive_token(project=release.project, archive="zenodo", token="", actor=user, now=NOON)

    assert list(ArchiveToken.objects.values_list("archive", flat=True)) == ["huggingface"]
    assert AuditEntry.objects.filter(action="archive token removed").count() == 1
    assert TOKEN not in repr(client_of(release.project, "huggingface"))


def test_a_draft_that_is_not_complete_cannot_be_published(archives, release, user):
    upload = request_upload(release=release, archive="zenodo", name="", actor=user, now=NOON)

    with pytest.raises(Refusal, match="not complete"):
        request_publication(upload=upload, actor=user, now=NOON)


def test_owners_upload_and_publish_on_pages(archives, release, user, client):
    add_member(project=release.project, user=user, role=Membership.Role.OWNER)
    client.force_login(user)
    page = "/projects/pairs/releases/1/uploads/"
    assert "This release has not been uploaded." in client.get(page).content.decode()

    refused = client.post(page, {"archive": "huggingface", "name": "pairs"})
    assert refused.status_code == 422 and "owner/name" in refused.content.decode()
    client.post(page, {"archive": "zenodo"})
    upload = Upload.objects.get()
    assert "hx-get" in client.get(page, headers={"HX-Request": "true"}).content.decode()
    attempt(upload, NOON)
    assert client.get(page, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    listed = client.get(page).content.decode()
    assert "Private draft" in listed and "10.5072/zenodo.100" in listed and TOKEN not in listed
    asked = client.get(f"{page}{upload.pk}/publish/").content.decode()
    assert "A DOI of Zenodo is permanent" in asked
    client.post(f"{page}{upload.pk}/publish/")
    attempt(upload, NOON)
    assert archives.depositions["100"]["submitted"]
    assert "Published" in client.get(page).content.decode()
    client.post(f"{page}token/", {"archive": "zenodo", "token": ""})
    client.post(f"{page}token/", {"archive": "nowhere"})
    assert [one.archive for one in ArchiveToken.objects.all()] == ["huggingface"]


def test_the_list_of_uploads_takes_the_same_queries_with_one_and_with_three(release, user, client):
    add_member(project=release.project, user=user, role=Membership.Role.OWNER)
    client.force_login(user)
    numbers = []
    for number in range(3):
        release.uploads.create(archive="huggingface", name=f"jana/pairs-{number}", state="done")
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/projects/pairs/releases/1/uploads/").content.decode().count("jana/pairs-") == number + 1
        numbers.append(len(queries))

    assert numbers[0] == numbers[2]


@pytest.mark.parametrize(
    ("request_", "answer", "state", "reason"),
    [
        ("POST /api/deposit/depositions", {}, "failed", "describes no draft"),
        ("POST /api/deposit/depositions", {"id": 5, "links": {}}, "failed", "describes no draft"),
        ("POST /api/deposit/depositions", [], "waiting", "not valid JSON"),
        ("POST /datasets", {"objects": [{"error": {"code": 422, "message": "Too odd."}}]}, "failed", "Too odd."),
    ],
)
def test_answers_that_make_no_sense_are_said(archives, release, user, request_, answer, state, reason):
    archives.odd = {request_: answer}
    place = ("huggingface", REPOSITORY) if "datasets" in request_ else ("zenodo", "")

    upload = uploaded(release, user, *place)

    assert upload.state == state and reason in upload.problem


def test_parts_that_do_not_fit_a_file_are_refused(archives, release, user):
    sha256 = hashlib.sha256(FILES["judgments.csv"]).hexdigest()
    one = {"upload": {"href": f"{archives.url}/complete/{sha256}", "header": {"chunk_size": "1000", "1": "x"}}}
    archives.odd = {"POST /datasets": {"objects": [{"oid": sha256, "size": 2511, "actions": one}]}}

    assert "does not fit the size" in uploaded(release, user, "huggingface", REPOSITORY).problem


def test_an_error_that_is_no_json_is_shown_as_it_came():
    assert _said(b"<html>Bad  gateway</html>") == "<html>Bad gateway</html>"
