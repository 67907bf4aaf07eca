"""Nobody is watched who only stands in for people whom nobody knows."""

import pytest
from django.urls import reverse

from annotation.domain.material import import_judgments
from annotation.models import Membership
from scoring.models import PersonStatistics
from scoring.stats.limits import Kind
from tests.factories import NOON, add_pairs, make_project
from tests.importing.files import write
from tests.watching.worlds import LATER, measure_project, member

pytestmark = pytest.mark.django_db
TUPLES = [f"p{one},p{one + 1},p{one + 2}" for one in range(1, 31)]


def brought_in(folder, *people):
    """The first person always takes the first and the last place, the others the middle and the first one."""
    project = make_project("semrel", tuple_size="3")
    add_pairs(project, 32)
    rows = []
    for place, person in enumerate(people):
        for items in TUPLES:
            keys = items.split(",")
            best, worst = (keys[0], keys[2]) if place == 0 else (keys[1], keys[0])
            rows.append(f"{items},{best},{worst},{person}")
    path = write(folder, "\n".join(["item1,item2,item3,best,worst,annotator", *rows]))
    import_judgments(project=project, path=path, round_key=None, now=NOON)
    measure_project(project.pk, LATER)
    return project


def statistics_of(project):
    rows = PersonStatistics.objects.filter(participation__project=project).order_by("participation__seat")
    return list(rows.select_related("participation__annotator"))


def test_flags_are_raised_for_known_people_and_not_for_others(tmp_path):
    project = brought_in(tmp_path, "ann", "unknown 1", "unknown 2")

    ann, *unknown = statistics_of(project)

    assert ann.flags.keys() == {Kind.STRAIGHT, Kind.APART}
    assert ann.figures["shared"] == 30
    assert [(own.answered, own.flags, own.open_flags) for own in unknown] == [(30, {}, 0)] * 2
    assert {value for own in unknown for value in own.figures.values()} == {None}
    assert unknown[0].figures.keys() == ann.figures.keys()


def test_the_page_of_somebody_unknown_says_so(tmp_path, client):
    project = brought_in(tmp_path, "ann", "unknown 1")
    ann, unknown = statistics_of(project)
    client.force_login(member(project, Membership.Role.MANAGER))

    pages = [
        client.get(reverse("project-person", args=[project.key, own.participation_id])).content.decode()
        for own in (ann, unknown)
    ]

    assert ["Nobody knows who this is" in page for page in pages] == [False, True]
    assert ["Best as the others chose" in page for page in pages] == [True, False]
    assert "need review" not in pages[1] and "Nothing in these answers stands out" not in pages[1]
