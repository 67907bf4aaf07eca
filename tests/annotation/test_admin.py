"""Administration pages: for superusers only, to look at; only accounts are changed there."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotation.domain.project.creation import add_member
from annotation.models import Membership, PracticeTask, Project, User
from scoring.domain.webhooks.addresses import add_webhook
from scoring.models import Delivery, Event
from tests.api.worlds import done_release, rated_project
from tests.factories import NOON, make_project, make_user
from tests.views.sending import client_of

ACCOUNTS = {"annotation.user", "account.emailaddress", "mfa.authenticator"}
OURS = [model for model in admin.site._registry if model._meta.app_label in ("annotation", "scoring")]
LOOKED_AT = [model for model in OURS if model is not User]


def superuser_client() -> Client:
    return client_of(make_user("root", is_staff=True, is_superuser=True))


def member_client(project: Project, role: str) -> Client:
    user = make_user(role)
    add_member(project=project, user=user, role=Membership.Role(role))
    return client_of(User.objects.get(pk=user.pk))


def page_of(model: type, page: str, *arguments: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def full_project(key: str) -> Project:
    """A project with at least one row of everything that is shown."""
    project = rated_project(key=key)
    PracticeTask.objects.create(project=project, part="check", position=1, texts=[], best=1, worst=2)
    done_release(project).evaluations.create(model="mine", predictions={}, results={})
    hook = add_webhook(project=project, url="https://example.org/hook", events=[], actor=make_user(key), now=NOON)
    Delivery.objects.create(webhook=hook, event=Event.TEST, key="1", payload={}, not_before=NOON)
    return project


@pytest.fixture
def world(db) -> Project:
    return full_project("one")


@pytest.mark.parametrize("role", Membership.Role.values)
def test_no_role_lets_anybody_in(db, role):
    project = make_project()
    client = member_client(project, role)

    statuses = {
        client.get(url, follow=True).status_code for url in ["/admin/", *(page_of(one, "changelist") for one in OURS)]
    }

    assert statuses == {403}
    assert not User.objects.get(username=role).is_staff
    assert 'href="/admin/' not in client.get("/").text


def test_a_manager_does_not_close_a_project_past_its_page(db):
    project = make_project()
    fields = {
        "title": "T",
        "language": "",
        "guidelines": "",
        "consent": "",
        "closed_at_0": "2026-03-02",
        "closed_at_1": "12:00",
    }

    member_client(project, "manager").post(page_of(Project, "change", project.pk), fields)

    assert Project.objects.get().closed_at is None


def test_the_last_owner_is_not_removed_past_the_guard(db):
    project, owner = make_project(), make_user("owner")
    given = add_member(project=project, user=owner, role=Membership.Role.OWNER)
    fields = {"title": "T", "language": "", "guidelines": "", "consent": ""}
    fields |= {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "1", "memberships-0-id": given.pk}
    fields |= {"memberships-0-user": owner.pk, "memberships-0-role": "owner", "memberships-0-DELETE": "on"}

    superuser_client().post(page_of(Project, "change", project.pk), fields)

    assert project.memberships.get() == given


def test_staff_are_superusers_in_the_database_too(db):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user(is_staff=True)


def test_nobody_enters_without_signing_in(db):
    response = Client().get("/admin/")

    assert (response.status_code, response["Location"].partition("?")[0]) == (302, "/admin/login/")
    assert Client().get(response["Location"])["Location"].startswith("/account/login/")


# Rows to look at


@pytest.mark.parametrize("model", LOOKED_AT, ids=lambda model: model.__name__)
def test_rows_are_shown_and_never_changed(world, model):
    client, row, count = superuser_client(), model.objects.first(), model.objects.count()
    before = model.objects.values().get(pk=row.pk)

    pages = [client.get(page_of(model, "changelist")), client.get(page_of(model, "change", row.pk))]
    refused = [
        client.get(page_of(model, "add")),
        client.post(page_of(model, "change", row.pk), {"state": "finished", "key": "changed", "title": "x"}),
        client.post(page_of(model, "delete", row.pk), {"post": "yes"}),
    ]
    client.post(
        page_of(model, "changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    )

    assert [page.status_code for page in pages] == [200, 200]
    assert [page.status_code for page in refused] == [403, 403, 403]
    assert (model.objects.count(), model.objects.values().get(pk=row.pk)) == (count, before)


def test_secrets_and_large_fields_are_not_shown(world):
    client, hook = superuser_client(), world.webhooks.get()

    assert hook.secret not in client.get(page_of(type(hook), "change", hook.pk)).text


def test_who_has_no_second_factor_sees_nothing_of_a_project_that_requires_one(world):
    client, model_rows = superuser_client(), {model: model.objects.count() for model in LOOKED_AT}
    Project.objects.update(requires_second_factor=True)

    def shown() -> dict[type, int]:
        return {one: client.get(page_of(one, "changelist")).context["cl"].result_count for one in LOOKED_AT}

    assert set(shown().values()) == {0}
    Authenticator.objects.create(user=User.objects.get(username="root"), type=Authenticator.Type.TOTP, data={})
    assert shown() == model_rows


def test_lists_take_the_same_queries_at_one_and_three_projects(world, django_assert_max_num_queries):
    client, found = superuser_client(), {1: [], 3: []}
    for projects in found:
        for model in LOOKED_AT:
            with django_assert_max_num_queries(12) as queries:
                client.get(page_of(model, "changelist"))
            found[projects].append(len(queries))
        for number in (2, 3):
            full_project(f"p{number}-{projects}")

    assert found[1] == found[3]


def test_what_is_not_an_account_cannot_be_changed_at_all(rf, db):
    request = rf.get("/admin/")
    request.user = make_user("root", is_staff=True, is_superuser=True)

    rights = ("has_add_permission", "has_change_permission", "has_delete_permission")
    changed = [
        model._meta.label_lower
        for model, page in admin.site._registry.items()
        if any(getattr(page, right)(request) for right in rights)
    ]

    assert set(changed) == ACCOUNTS


# Accounts


def account_form(client: Client, user: AbstractUser, **changes: str):
    fields = {name: "on" for name in ("is_active", "is_superuser", "opens_projects") if getattr(user, name)}
    sent = {name: value for name, value in (fields | changes).items() if value}
    return client.post(page_of(User, "change", user.pk), sent)


def test_an_account_is_made_an_administrator_and_one_no_more(user):
    client = superuser_client()

    account_form(client, user, is_superuser="on", opens_projects="on")
    user.refresh_from_db()
    assert (user.is_superuser, user.is_staff, user.opens_projects) == (True, True, True)
    account_form(client, user, is_superuser="", is_active="")

    user.refresh_from_db()
    assert (user.is_superuser, user.is_staff, user.is_active) == (False, False, False)


@pytest.mark.parametrize("right", ["is_superuser", "is_active"])
def test_the_only_administrator_stays_one(db, right):
    client = superuser_client()
    root = User.objects.get()

    page = account_form(client, root, **{right: ""})

    assert "only administrator" in page.text
    assert User.objects.filter(is_superuser=True, is_active=True).get() == root


def test_a_new_password_is_given(user):
    path = reverse("admin:auth_user_password_change", args=[user.pk])

    superuser_client().post(path, {"password1": "Kolik jazyku umis", "password2": "Kolik jazyku umis"})

    user.refresh_from_db()
    assert user.check_password("Kolik jazyku umis")


def test_accounts_are_neither_added_nor_deleted_nor_renamed(user):
    client = superuser_client()

    statuses = [
        client.get(page_of(User, "add")).status_code,
        client.post(page_of(User, "delete", user.pk), {"post": "yes"}).status_code,
    ]
    account_form(client, user, username="other", email="other@example.org")

    user.refresh_from_db()
    assert (statuses, user.username, user.email) == ([403, 403], "ann", "ann@example.org")
