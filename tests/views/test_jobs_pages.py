"""The pages of background jobs: of a project for its managers, of all projects for administrators."""

import pytest
from django.core.files.base import ContentFile

from annotation.models import ItemImport, Membership
from tests.factories import make_project, make_user
from tests.views.sending import client_of
from tests.watching.worlds import member

PAGE = "/projects/project/jobs/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def root():
    return client_of(make_user("root", is_superuser=True))


def jobs(project, number=1, **values):
    file = ContentFile(b"id,sentence1,sentence2\np1,One.,Two.\n", "pairs.csv")
    return [project.imports.create(file=file, name="pairs.csv", **values) for _ in range(number)]


def test_a_manager_sees_the_jobs_of_the_project(project):
    jobs(project, state="failed", problem="The disk was full.")
    jobs(make_project(key="other"), problem="Elsewhere.")
    page = client_of(member(project, Membership.Role.MANAGER)).get(PAGE).text
    for text in ("Background jobs", "Failed", "The disk was full.", "Retry"):
        assert text in page
    assert "Elsewhere" not in page


@pytest.mark.parametrize("action", ["retry", "cancel"])
def test_a_manager_retries_and_cancels(project, action):
    (job,) = jobs(project, state="failed" if action == "retry" else "waiting")
    client = client_of(member(project, Membership.Role.MANAGER))
    response = client.post(f"{PAGE}import/{job.pk}/{action}/", follow=True)
    job.refresh_from_db()
    assert job.state == ("waiting" if action == "retry" else "cancelled")
    assert ("queued again" if action == "retry" else "The job has been cancelled") in response.text
    again = client.post(f"{PAGE}import/{job.pk}/{action}/", follow=True).text
    assert "This job cannot be" in again


@pytest.mark.parametrize("path", ["nothing/1/retry/", "import/0/retry/", "import/1/burn/", "part/1/retry/"])
def test_what_is_not_there_cannot_be_acted_on(project, root, path):
    assert root.post(f"{PAGE}{path}").status_code == 404
    assert root.post(f"/jobs/{path}").status_code == 404


def test_a_job_of_another_project_is_left_alone(project):
    (job,) = jobs(make_project(key="other"))
    client = client_of(member(project, Membership.Role.OWNER))
    assert client.post(f"{PAGE}import/{job.pk}/cancel/").status_code == 404
    assert client.post(f"/jobs/import/{job.pk}/cancel/").status_code == 404
    assert ItemImport.objects.get().state == "waiting"


def test_an_administrator_sees_all_jobs_and_retries_them(project, root):
    (job,) = jobs(project, state="failed")
    jobs(make_project(key="other"), state="done")
    assert "pairs" not in client_of(member(project, Membership.Role.OWNER)).get("/jobs/").text
    page = root.get("/jobs/")
    assert [row["project_key"] for row in page.context["page"].object_list] == ["other", "project"]
    assert [row["id"] for row in root.get("/jobs/?state=failed").context["page"].object_list] == [job.pk]
    root.post(f"/jobs/import/{job.pk}/retry/")
    job.refresh_from_db()
    assert job.state == "waiting"


def test_the_list_takes_as_many_queries_for_many_jobs(project, root, django_assert_max_num_queries):
    jobs(project, 60)
    for page, shown in ((1, 50), (2, 10)):
        with django_assert_max_num_queries(12):
            found = root.get(f"/jobs/?page={page}")
        assert len(found.context["page"].object_list) == shown
