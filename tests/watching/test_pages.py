"""The pages for watching: who sees what, with how many queries, and what they say."""

import pytest
from django.test import Client

from annotation.models import AuditEntry, Item, Participation
from scoring.models import MonitoringOptions, PersonStatistics
from tests.best_worst import tuple_round
from tests.factories import make_user, select_next, selection_round
from tests.watching.test_statistics import flagged
from tests.watching.worlds import LATER, ROLE, measure_project, measured, member, seat, watched

PAGES = ("watch/", "people/", "people/{person}/", "watch/items/{item}/", "watch/options/")


def paths(project, *pages: str) -> list[str]:
    known = {"person": seat(project, 1).pk, "item": Item.objects.filter(project=project).first().pk}
    return [f"/projects/{project.key}/{page.format(**known)}" for page in pages]


@pytest.mark.parametrize("role", [ROLE.OWNER, ROLE.MANAGER, ROLE.RESEARCHER])
def test_members_see_the_pages_and_only_managers_the_limits(client, db, role):
    project = measured()
    client.force_login(member(project, role))

    statuses = [client.get(path).status_code for path in paths(project, *PAGES)]

    assert statuses == [200] * 4 + [404 if role == ROLE.RESEARCHER else 200]


def test_nobody_else_learns_that_the_project_exists(client, user):
    project = measured()
    other = watched(1, key="other")
    client.force_login(member(other, ROLE.OWNER))

    assert [client.get(path).status_code for path in paths(project, *PAGES)] == [404] * 5
    (person,) = paths(project, "people/{person}/")
    assert client.post(f"{person}settle/speed/").status_code == 404
    assert [Client().get(path).status_code for path in paths(project, *PAGES)] == [302] * 5
    assert client.get(f"/projects/other/people/{seat(project, 1).pk}/").status_code == 404
    assert client.get(paths(project, "watch/items/{item}/")[0].replace("/project/", "/other/")).status_code == 404


def test_researchers_know_people_by_pseudonym_and_managers_by_address(client, db):
    project = measured()
    annotator = seat(project, 1).annotator
    annotator.user, annotator.external_id = make_user("ann"), ""
    annotator.save()
    shown = {}
    for role in (ROLE.MANAGER, ROLE.RESEARCHER):
        client.force_login(member(project, role))
        shown[role] = "".join(client.get(path).text for path in paths(project, *PAGES[:4]))

    assert "ann@example.org" in shown[ROLE.MANAGER]
    assert "person-2" in shown[ROLE.MANAGER]
    assert annotator.pseudonym in shown[ROLE.RESEARCHER]
    assert "ann@example.org" not in shown[ROLE.RESEARCHER]
    assert "person-2" not in shown[ROLE.RESEARCHER]


@pytest.mark.parametrize("page", ["watch/", "people/"])
def test_the_number_of_queries_does_not_depend_on_that_of_the_people(
    client, db, page, django_assert_num_queries, django_assert_max_num_queries
):
    few, many = measured(5, pairs=2, key="few"), measured(2, pairs=2, key="many")
    member_ = member(few, ROLE.OWNER)
    many.memberships.create(user=member_, role=ROLE.OWNER)
    _add_people(many, 98)
    client.force_login(member_)
    for project in (few, many):  # asks for the statistics, which the next request need not
        client.get(f"/projects/{project.key}/{page}")

    with django_assert_max_num_queries(14) as queries:
        client.get(f"/projects/few/{page}")
    with django_assert_num_queries(len(queries)):
        response = client.get(f"/projects/many/{page}")
    assert "100" in response.text


@pytest.mark.parametrize("page", ["exclude/", "exclude/effect/"])
def test_an_exclusion_is_looked_at_with_as_many_queries_whatever_the_size_of_the_project(
    client, db, page, django_assert_num_queries, django_assert_max_num_queries
):
    few, many = watched(3, pairs=2, key="few"), watched(8, pairs=6, key="many")
    owner = member(few, ROLE.OWNER)
    many.memberships.create(user=owner, role=ROLE.OWNER)
    client.force_login(owner)

    with django_assert_max_num_queries(32) as queries:
        client.get(f"/projects/few/people/{seat(few, 1).pk}/{page}")
    with django_assert_num_queries(len(queries)):
        client.get(f"/projects/many/people/{seat(many, 1).pk}/{page}")


def _add_people(project, number: int) -> None:
    """People who rest, each with a statistics."""
    annotators = [project.annotators.create(external_id=f"x{place}", pseudonym=f"x{place}") for place in range(number)]
    seats = Participation.objects.bulk_create(
        Participation(
            project=project, round="main", seat=100 + place, annotator=person, state="resting", rest_until=LATER
        )
        for place, person in enumerate(annotators)
    )
    PersonStatistics.objects.bulk_create(PersonStatistics(participation=one, answered=1, screens=2) for one in seats)


def test_the_board_is_a_part_for_htmx_and_a_page_for_others(client, db):
    project = measured()
    client.force_login(member(project, ROLE.MANAGER))
    (path,) = paths(project, "watch/")

    part = client.get(path, headers={"hx-request": "true"}).text

    assert "<html" not in part
    assert part.strip() in client.get(path).text
    assert "9 of 16 answers" in part


def test_watching_takes_the_pulse(client, db, django_capture_on_commit_callbacks):
    project = watched()
    client.force_login(member(project, ROLE.MANAGER))
    (path,) = paths(project, "watch/")
    assert "being computed for the first time" in client.get(path).text

    project.statistics.delete()
    with django_capture_on_commit_callbacks(execute=True):
        client.get(path)

    assert "9 of 16 answers" in client.get(path).text


def names(client, path: str, **asked: str) -> list[str]:
    page = client.get(path, asked).context["page"]
    return [str(one.annotator) for one in page]


def test_people_are_found_by_what_the_reader_knows_them_by(client, db):
    project = measured()
    first = seat(project, 1).annotator
    project.annotators.filter(pk=first.pk).update(external_id="prolific:5F00aa")
    project.annotators.filter(pk=seat(project, 2).annotator_id).update(user=make_user("ann"), external_id="")
    (path,) = paths(project, "people/")

    def numbers(find: str) -> list[int]:
        return [place.seat for place in client.get(path, {"find": find}).context["page"]]

    client.force_login(member(project, ROLE.MANAGER))
    assert [numbers(find) for find in ("5f00AA", "prolific:5f00", "ANN@example", first.pseudonym, "nobody")] == [
        [1],
        [1],
        [2],
        [1],
        [],
    ]
    client.force_login(member(project, ROLE.RESEARCHER))
    assert [numbers(find) for find in ("5f00aa", "ann@example.org", first.pseudonym)] == [[], [], [1]]


def test_people_are_filtered_and_sorted(client, db):
    project = flagged()
    client.force_login(member(project, ROLE.MANAGER))
    (path,) = paths(project, "people/")
    one, two, three = "person-1", "person-2", "person-3"

    assert names(client, path) == [one, two, three]
    assert names(client, path, sort="-place") == [three, two, one]
    assert names(client, path, sort="answered")[0] == three
    assert names(client, path, sort="-flags")[0] == one
    assert names(client, path, sort="nonsense") == [one, two, three]
    assert names(client, path, state="finished") == [one, two]
    assert names(client, path, state="nonsense") == [one, two, three]
    assert names(client, path, round="R9") == []
    assert names(client, path, only="flagged") == names(client, path, only="speed") == [one]
    assert names(client, path, only="gold") == names(client, path, only="overdue") == []
    assert names(client, path, only="silent") == [three]


def test_people_come_fifty_a_page(client, db):
    project = measured(2)
    _add_people(project, 60)
    client.force_login(member(project, ROLE.MANAGER))
    (path,) = paths(project, "people/")

    assert [len(names(client, path, page=page)) for page in ("1", "2", "nonsense")] == [50, 12, 50]


def test_a_flag_says_why_and_can_be_settled_once(client, db):
    project = flagged()
    client.force_login(member(project, ROLE.MANAGER))
    (path,) = paths(project, "people/{person}/")
    assert "Median of 0.5 seconds per item over 4 answers." in client.get(path).text

    once = client.post(f"{path}settle/speed/", follow=True).text
    again = client.post(f"{path}settle/speed/", follow=True).text

    assert "All flags reviewed" in once
    assert "no longer raised" in again
    assert AuditEntry.objects.filter(action="flag settled").count() == 1


def test_researchers_settle_no_flags(client, db):
    project = flagged()
    client.force_login(member(project, ROLE.RESEARCHER))
    (path,) = paths(project, "people/{person}/")

    assert "Mark as reviewed" not in client.get(path).text
    assert client.post(f"{path}settle/speed/").status_code == 404


def test_limits_and_pay_are_saved_or_refused(client, db):
    project = measured()
    client.force_login(member(project, ROLE.MANAGER))
    (path,) = paths(project, "watch/options/")
    values = {name: value for name, value in client.get(path).context["form"].initial.items() if value is not None}

    wrong = client.post(path, values | {"quick_share": "20"})
    right = client.post(path, values | {"pay": "12.50", "currency": "czk", "longest_run": "9"})

    assert (wrong.status_code, right.status_code) == (422, 302)
    options = MonitoringOptions.objects.get()
    assert (str(options.pay), options.currency, options.longest_run) == ("12.50", "CZK", 9)
    assert "25.00 CZK" in client.get(paths(project, "watch/")[0]).text


def test_best_worst_people_and_items_have_pages(client, user):
    project = tuple_round(user).project
    measure_project(project.pk, LATER)
    client.force_login(member(project, ROLE.RESEARCHER))

    pages = [client.get(path) for path in paths(project, *PAGES[:4])]

    assert [page.status_code for page in pages] == [200] * 4
    assert "No judgments yet." in pages[3].text


def test_a_round_of_selections_is_watched(client, user):
    place = selection_round(user)
    select_next(place)
    measure_project(place.project.pk, LATER)
    client.force_login(member(place.project, ROLE.MANAGER))

    board = client.get(paths(place.project, "watch/")[0]).text

    assert "1 of 6 answers" in board
    assert "Not defined yet" in board
