"""Managers' pages: own projects only, and every change through the domain."""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.assigning import plan_round
from annotation.domain.projects import add_member
from annotation.models import AuditEntry, Item, Membership, Participation, PracticeTask, Project, RoundPlan, User
from tests.factories import (
    NOON,
    answer_all,
    answer_session,
    make_project,
    make_user,
    rate_next,
    rating_round,
    reread,
    validation_round,
)
from tests.views.sending import client_of

OURS = (Project, Participation, Item, PracticeTask, RoundPlan, AuditEntry)


def manager_of(project: Project, name: str = "manager") -> Client:
    user = make_user(name)
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    return client_of(User.objects.get(pk=user.pk))


def superuser_client() -> Client:
    return client_of(make_user("root", is_staff=True, is_superuser=True))


def page_of(model, page: str, *arguments: object) -> str:
    return reverse(f"admin:annotation_{model._meta.model_name}_{page}", args=arguments)


def listed(client: Client, model) -> list:
    return list(client.get(page_of(model, "changelist")).context["cl"].queryset)


def told(response) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def act(client: Client, action: str, *chosen: Participation, **fields: object):
    data = {"action": action, "_selected_action": [one.pk for one in chosen], **fields}
    return client.post(page_of(Participation, "changelist"), data)


def audited(participation: Participation) -> Participation:
    AuditEntry.objects.create(project=participation.project, participation=participation, action="left", at=NOON)
    PracticeTask.objects.create(project=participation.project, part="check", position=1, texts=[], best=1, worst=2)
    return participation


def test_managers_see_rows_of_their_own_projects_only(user):
    mine = audited(rating_round(user, key="mine"))
    audited(rating_round(make_user("other"), key="theirs"))
    client = manager_of(mine.project)

    for model in OURS:
        rows = listed(client, model)
        assert rows
        assert {getattr(row, "project", row) for row in rows} == {mine.project}


@pytest.mark.parametrize("model", OURS)
def test_rows_of_another_project_are_not_found(user, model):
    theirs = audited(rating_round(user, key="theirs"))
    row = model.objects.first()
    assert row
    client = manager_of(make_project(key="mine"))

    pages = [client.get(page_of(model, page, row.pk)) for page in ("change", "history", "delete")]

    assert [page.status_code for page in pages] == [302, 302, 403]
    assert theirs


@pytest.mark.parametrize("model", OURS)
@pytest.mark.parametrize("page", ["change", "history", "delete"])
def test_a_row_of_another_project_looks_like_one_that_is_not_there(user, model, page):
    audited(rating_round(user, key="theirs"))
    row = model.objects.first().pk
    client = manager_of(make_project(key="mine"))

    hidden, missing = (client.get(page_of(model, page, pk), follow=True) for pk in (row, 10**6))

    assert (hidden.status_code, hidden.redirect_chain) == (missing.status_code, missing.redirect_chain)
    assert [one.replace(str(row), "N") for one in told(hidden)] == [
        one.replace(str(10**6), "N") for one in told(missing)
    ]


def test_numbers_of_another_project_are_not_found(user):
    theirs = rating_round(user, key="theirs").project
    client = manager_of(make_project(key="mine"))

    for response in (
        client.get(page_of(Project, "numbers", theirs.pk)),
        client.post(page_of(Project, "numbers", theirs.pk), {"people": "3"}),
    ):
        assert (response.status_code, response["Location"]) == (302, "/admin/")
    assert theirs.plans.count() == 1


@pytest.mark.parametrize("superuser", [False, True])
@pytest.mark.parametrize("model", OURS)
def test_nothing_is_added_or_deleted(user, model, superuser):
    participation = audited(rating_round(user))
    client = superuser_client() if superuser else manager_of(participation.project)
    row, count = model.objects.first(), model.objects.count()

    statuses = [
        client.get(page_of(model, "add")).status_code,
        client.post(page_of(model, "delete", row.pk), {"post": "yes"}).status_code,
        client.post(
            page_of(model, "changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        ).status_code,
    ]

    assert statuses[:2] == [403, 403]
    assert statuses[2] in (200, 302)
    assert model.objects.count() == count


@pytest.mark.parametrize("model", [model for model in OURS if model is not Project])
def test_rows_are_shown_and_not_changed_directly(user, model):
    participation = audited(rating_round(user))
    client, row = manager_of(participation.project), model.objects.first()

    page = client.get(page_of(model, "change", row.pk))
    response = client.post(page_of(model, "change", row.pk), {"state": "finished", "key": "changed", "reason": "x"})

    assert (page.status_code, response.status_code) == (200, 403)
    assert page.context["has_change_permission"] is False


@pytest.mark.parametrize("who", ["nobody", "annotator", "researcher"])
def test_nobody_else_enters(user, who):
    participation = rating_round(user)
    client = Client() if who == "nobody" else client_of(user)
    if who == "researcher":
        add_member(project=participation.project, user=user, role=Membership.Role.RESEARCHER)
    urls = [page_of(model, "changelist") for model in OURS]
    urls += [page_of(Project, page, participation.project.pk) for page in ("change", "numbers")]

    responses = [client.get(url) for url in [*urls, "/admin/"]]

    assert {(response.status_code, response["Location"].partition("?")[0]) for response in responses} <= {
        (302, "/admin/login/"),
        (302, "/account/login/"),
    }


def test_accounts_are_for_superusers(user):
    client = manager_of(rating_round(user).project)
    root = superuser_client()

    assert client.get(reverse("admin:annotation_user_changelist")).status_code == 403
    assert root.get(reverse("admin:annotation_user_changelist")).status_code == 200


def test_a_superuser_sees_everything(user):
    rating_round(user, key="one")
    rating_round(make_user("other"), key="two")
    client = superuser_client()

    assert len(listed(client, Project)) == 2
    assert len(listed(client, Participation)) == 4


def test_every_model_that_is_registered_is_known_here():
    ours = {model for model in admin.site._registry if model._meta.app_label == "annotation"}

    assert ours == {*OURS, User}


# A project


def test_the_texts_of_a_project_can_be_changed_and_its_key_cannot(db):
    project = make_project()
    client = manager_of(project)
    fields = {"title": "New", "language": "cs", "guidelines": "G", "consent": "C", "key": "other", "seed": "9"}

    response = client.post(page_of(Project, "change", project.pk), fields | {"closed_at_0": "", "closed_at_1": ""})

    assert response.status_code == 302
    entry = AuditEntry.objects.get(project=project, action="project changed")
    assert entry.details == {"fields": ["title", "language", "guidelines", "consent"]}
    assert Project.objects.values("title", "language", "guidelines", "consent", "key", "seed").get() == {
        "title": "New",
        "language": "cs",
        "guidelines": "G",
        "consent": "C",
        "key": "project",
        "seed": 0,
    }


def test_a_project_links_to_its_tools(db):
    project = make_project()

    page = manager_of(project).get(page_of(Project, "change", project.pk))

    for link in ("/projects/project/plans/", page_of(Project, "numbers", project.pk), "/projects/project/"):
        assert f'href="{link}"' in page.text


def test_members_are_given_by_superusers_and_managers_may_enter(user):
    project = make_project()
    root = superuser_client()
    fields = {
        "title": "T",
        "language": "",
        "guidelines": "",
        "consent": "",
        "memberships-TOTAL_FORMS": "1",
        "memberships-INITIAL_FORMS": "0",
        "memberships-0-project": project.pk,
        "memberships-0-user": user.pk,
        "memberships-0-role": "manager",
    }

    response = root.post(page_of(Project, "change", project.pk), fields)

    user.refresh_from_db()
    assert (response.status_code, user.is_staff) == (302, True)
    assert list(project.memberships.values_list("user", "role")) == [(user.pk, "manager")]
    assert "memberships-0" not in client_of(user).get(page_of(Project, "change", project.pk)).text


def test_numbers_are_changed(db):
    project = make_project("czech_news")
    client = manager_of(project)
    page = client.get(page_of(Project, "numbers", project.pk))
    fields = {name: field.initial for name, field in page.context["form"].fields.items()}

    response = client.post(page_of(Project, "numbers", project.pk), fields | {"R3.intra": "3"})

    assert fields["R3.calibration"] == "0,3,6,0,3,6" and fields["R3.pause_enforced"] == "true"
    assert told(response) == ["The protocol of “project” has the new numbers. Plan its rounds now, or again."]
    assert Project.objects.get().round("R3").design.intra == 3


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"R3.intra": "many"}, "R3.intra takes a number such as 5, not “many”."),
        ({"scale.step": "4"}, "A step of 4 does not lead from 0 to 6."),
        ({"R3.intra": ""}, "This field is required."),
    ],
)
def test_numbers_that_are_refused_say_why(db, changed, fault):
    project = make_project("czech_news")
    client = manager_of(project)
    page = client.get(page_of(Project, "numbers", project.pk))
    fields = {name: field.initial for name, field in page.context["form"].fields.items()}

    page = client.post(page_of(Project, "numbers", project.pk), fields | changed)

    assert (page.status_code, fault in str(page.context["form"].errors)) == (200, True)
    assert Project.objects.get().round("R3").design.intra == 5


# People


def test_people_are_listed_with_their_progress(user):
    participation = rating_round(user)
    rate_next(participation)
    participation.assignments.first().judgments.update(active_ms=2500)
    client = manager_of(participation.project)

    page = client.get(page_of(Participation, "changelist"))

    shown = [page.context["cl"].model_admin, *page.context["cl"].result_list]
    model_admin, first, second = shown
    described = [
        [getattr(model_admin, name)(one) for name in ("who", "answers", "mean_seconds")] for one in (first, second)
    ]
    assert described == [["ann@example.org", "1 of 4", "2.5"], ["free place", "0 of 4", ""]]


def test_exclusion_asks_for_a_reason_first(user):
    participation = rating_round(user)
    client = manager_of(participation.project)

    page = act(client, "exclude_people", participation)
    empty = act(client, "exclude_people", participation, reason="")

    assert (page.status_code, empty.status_code, list(empty.context["form"].errors)) == (200, 200, ["reason"])
    assert f'name="_selected_action" value="{participation.pk}"' in page.text
    assert reread(participation).state == "active"


def test_exclusion_with_a_reason_is_done_and_logged(user):
    participation = rating_round(user)
    free = participation.project.participations.get(annotator=None)
    client = manager_of(participation.project)

    response = act(client, "exclude_people", participation, free, reason="Careless.")

    assert response.status_code == 302
    assert told(response) == ["main place 1: done.", "main place 2: Nobody has taken this place yet."]
    assert reread(participation).state == "excluded"
    assert list(AuditEntry.objects.values_list("action", "reason", "actor__username")) == [
        ("excluded", "Careless.", "manager")
    ]
    assert str(AuditEntry.objects.get()).startswith("excluded 20")


def test_people_of_another_project_cannot_be_chosen(user):
    theirs = rating_round(user, key="theirs")
    client = manager_of(make_project(key="mine"))

    act(client, "exclude_people", theirs, reason="Careless.")

    assert reread(theirs).state == "active"


def test_a_pause_is_shortened_in_the_managers_zone(user):
    participation = answer_session(validation_round(user))
    end = timezone.now() + timedelta(days=2)
    Participation.objects.update(rest_until=end)
    client = manager_of(participation.project)
    client.cookies["time_zone"] = "Asia/Kathmandu"
    wanted = (timezone.now() + timedelta(days=1)).replace(second=0, microsecond=0)
    local = wanted + timedelta(hours=5, minutes=45)

    response = act(client, "shorten_pauses", participation, reason="Holiday.", until=f"{local:%Y-%m-%d %H:%M}")

    participation = reread(participation)
    assert told(response) == ["R3 place 1: done."]
    assert (participation.rest_until, participation.rest_shortened) == (wanted, True)


@pytest.mark.parametrize("until", ["", "soon", "2026-13-45 99:99"])
def test_a_pause_is_not_shortened_without_a_time(user, until):
    participation = answer_session(validation_round(user))
    client = manager_of(participation.project)

    page = act(client, "shorten_pauses", participation, reason="Holiday.", until=until)

    assert (page.status_code, list(page.context["form"].errors)) == (200, ["until"])
    assert not reread(participation).rest_shortened


@pytest.mark.parametrize("model", OURS)
def test_lists_take_the_same_queries_at_one_and_three_projects(db, model, django_assert_max_num_queries):
    root, found = superuser_client(), []
    for number in range(4):
        audited(answer_all(rating_round(make_user(f"ann{number}"), 2, key=f"p{number}")))
        if number in (1, 3):
            with django_assert_max_num_queries(12) as queries:
                root.get(page_of(model, "changelist"))
            found.append(len(queries))

    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("model", "query", "rows"),
    [
        (Participation, "q=ann@example.org", ["main place 1"]),
        (Participation, "state__exact=invited&o=-1", ["main place 3", "main place 2"]),
        (Participation, "round=main&o=1", ["main place 1", "main place 2", "main place 3"]),
        (Item, "q=pair+2", ["p2"]),
        (Item, "calibration_order__isempty=0", ["p1"]),
        (Project, "q=nothing", []),
    ],
)
def test_lists_are_searched_filtered_and_sorted(user, model, query, rows):
    participation = rating_round(user, calibration=1)
    plan_round(project=participation.project, round_key="main", people=3)
    client = manager_of(participation.project)

    response = client.get(f"{page_of(model, 'changelist')}?{query}")

    assert list(map(str, response.context["cl"].result_list)) == rows
