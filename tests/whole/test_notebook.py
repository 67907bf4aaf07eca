"""The notebook in docs/ runs from top to bottom against a real server, and is committed without what it printed."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from annotation.domain.account.tokens import make_token
from annotation.domain.project.creation import add_member
from annotation.models import Membership
from scoring.models import Release
from tests.factories import make_user
from tests.releases.making import released
from tests.runs.projects import labelled, news

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "agreement-table.ipynb"


def printed(cell) -> str:
    """What a cell showed as text."""
    return "".join(
        output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
        for output in cell.get("outputs", [])
    )


def test_notebook_is_committed_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("make", "rows"), [pytest.param(news, 4, marks=pytest.mark.thorough), (labelled, 1)])
def test_notebook_draws_the_table_of_a_release(make, rows, live_server, monkeypatch, tmp_path):
    project = make("notebook")
    release = released(project, licence="CC-BY-4.0")
    assert release.state == "done", release.error
    user = make_user("researcher")
    add_member(project=project, user=user, role=Membership.Role.RESEARCHER)
    monkeypatch.setenv("SEMBLANCE_URL", live_server.url)
    monkeypatch.setenv("SEMBLANCE_PROJECT", project.key)
    monkeypatch.setenv("SEMBLANCE_TOKEN", make_token(user=user, scope="read")[1])
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, as_version=4)

    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()

    said = [printed(cell) for cell in notebook.cells if cell.cell_type == "code"]
    assert f"{Release.objects.get().files.count()} files, all as released" in said[1]
    places = 2 if make is news else 1
    assert f"the same {places} rows of agreement and {rows} of means as in results.json" in said[-1]
