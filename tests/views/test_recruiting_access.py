"""Every page about finding people, as each of the people of `test_access`; and never of another project's rows."""

import pytest
from django.urls import reverse

from annotation.models import Project
from tests.crowds import ACCESS, recruit
from tests.views.test_access import PEOPLE, world
from tests.views.test_roles import undone


@pytest.mark.parametrize("method", ["get", "post"])
def test_access(db, method):
    clients = world()
    addresses = recruit(Project.objects.get(key="project"))
    found = {}
    for name in ACCESS:
        url = reverse(name, args=addresses[name])
        with undone():
            found[name] = tuple(getattr(clients[who], method)(url, {"nothing": "1"}).status_code for who in PEOPLE)

    assert found == {name: tuple(statuses[method == "post"]) for name, statuses in ACCESS.items()}


def test_rows_of_another_project_are_not_there(db):
    """The manager of one project puts its key before the row of another."""
    clients = world()
    addresses = recruit(Project.objects.get(key="project"))
    for name in [name for name in ACCESS if name.startswith("project-")]:
        _project, *rows = addresses[name]
        url = reverse(name, args=["elsewhere", *rows])
        method = "get" if ACCESS[name][0][3] == 200 else "post"
        with undone():
            status = getattr(clients["manager elsewhere"], method)(url, {"note": "x", "outcome": "paid"}).status_code

        a_row = any(isinstance(row, int) for row in rows)
        assert status == (404 if a_row else ACCESS[name][method == "post"][3]), name
