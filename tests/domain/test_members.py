"""Roles in a project: given, changed, taken away; and the first account of an installation."""

from contextlib import suppress
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction

from annotation.domain.account.installation import (
    asks_for_code,
    claim_installation,
    guard_code,
    log_setup_code,
    make_administrator,
    setup_code,
)
from annotation.domain.errors import Refusal
from annotation.domain.project.creation import add_member
from annotation.domain.project.deletion import delete_project
from annotation.domain.project.members import (
    DAYS,
    accept_invitation,
    change_role,
    invitation_of,
    invite_member,
    link_of,
    remove_member,
    require_second_factor,
    withdraw_invitation,
)
from annotation.models import (
    AuditEntry,
    Installation,
    Judgment,
    MemberInvitation,
    Membership,
    Participation,
    Project,
    User,
)
from tests.factories import NOON, answer_all, at_once, make_project, make_user, rating_round

pytestmark = pytest.mark.postgres

Role = Membership.Role


@pytest.fixture
def owner(db) -> Membership:
    return add_member(project=make_project(), user=make_user("owner"), role=Role.OWNER)


def invite(owner: Membership, email: str, role: str = Role.MANAGER):
    return invite_member(project=owner.project, email=email, role=role, actor=owner.user, now=NOON)


def change(membership: Membership, role: str, actor: User) -> Membership:
    return change_role(membership=membership, role=role, actor=actor, now=NOON)


def logged() -> list[tuple]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "details"))


def test_a_stranger_who_signed_up_with_the_address_takes_no_role(owner, user):
    invitation = invite(owner, " Ann@Example.org ")

    assert not owner.project.memberships.filter(user=user).exists()
    assert (invitation.email, logged()[0][0]) == ("ann@example.org", "member invited")
    with pytest.raises(Refusal, match="already a member"):
        invite(owner, owner.user.email)


def test_an_invitation_belongs_to_the_account_that_has_proved_the_address(owner, user):
    EmailAddress.objects.create(user=user, email="ann@example.org", verified=True)
    token = link_of(invite(owner, "ann@example.org"))

    with pytest.raises(Refusal, match="for another account"):
        accept_invitation(token=token, user=make_user("thief"), now=NOON)
    assert accept_invitation(token=token, user=user, now=NOON).role == Role.MANAGER


def test_an_invitation_is_taken_once_by_whoever_has_the_link(owner):
    invitation = invite(owner, "new@example.org", Role.RESEARCHER)
    token, newcomer = link_of(invitation), make_user("newcomer")

    membership = accept_invitation(token=token, user=newcomer, now=NOON)

    assert (membership.user, membership.role, membership.project) == (newcomer, "researcher", owner.project)
    with pytest.raises(Refusal, match="used or revoked"):
        accept_invitation(token=token, user=make_user("third"), now=NOON)
    assert not any("new@example.org" in str(row) for row in AuditEntry.objects.values_list("details", "reason"))


def test_an_invitation_sent_again_makes_the_link_before_void(owner):
    before = link_of(invite(owner, "new@example.org"))

    again = invite_member(
        project=owner.project,
        email="new@example.org",
        role=Role.OWNER,
        actor=owner.user,
        now=NOON + timedelta(hours=1),
    )

    assert MemberInvitation.objects.get() == again
    with pytest.raises(Refusal, match="used or revoked"):
        invitation_of(before, NOON)
    assert str(again) == "new@example.org as owner of project"


def test_an_invitation_runs_out_is_withdrawn_or_cut(owner):
    invitation = invite(owner, "new@example.org")
    token = link_of(invitation)

    with pytest.raises(Refusal, match="This invitation has expired"):
        invitation_of(token, NOON + timedelta(days=DAYS))
    with pytest.raises(Refusal, match="is incomplete"):
        invitation_of(token[:-2], NOON)
    withdraw_invitation(invitation=invitation, actor=owner.user, now=NOON)
    with pytest.raises(Refusal, match="used or revoked"):
        invitation_of(token, NOON)
    assert logged()[-1][0] == "member invitation withdrawn"


def test_a_member_accepts_no_second_role(owner):
    token = link_of(invite(owner, "new@example.org", Role.RESEARCHER))

    with pytest.raises(Refusal, match="You are already a member of"):
        accept_invitation(token=token, user=owner.user, now=NOON)


def test_a_project_is_handed_over(owner, user):
    member = add_member(project=owner.project, user=user, role=Role.MANAGER)

    change(member, Role.OWNER, owner.user)
    change(owner, Role.RESEARCHER, owner.user)

    assert dict(owner.project.memberships.values_list("user__username", "role")) == {
        "ann": "owner",
        "owner": "researcher",
    }
    assert logged()[-1] == ("role changed", {"member": owner.user_id, "from": "owner", "to": "researcher"})


def test_a_role_given_again_is_no_change(owner):
    change(owner, Role.OWNER, owner.user)

    assert logged() == []


def test_the_last_owner_stays(owner):
    with pytest.raises(Refusal, match="needs an owner"):
        change(owner, Role.MANAGER, owner.user)
    with pytest.raises(Refusal, match="needs an owner"):
        remove_member(membership=owner, actor=owner.user, now=NOON)


def test_a_member_is_removed(owner, user):
    member = add_member(project=owner.project, user=user, role=Role.MANAGER)

    remove_member(membership=member, actor=owner.user, now=NOON)

    assert owner.project.memberships.get() == owner
    assert logged()[-1] == ("member removed", {"member": user.pk, "role": "manager"})


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_go_at_once_one_stays():
    project = make_project()
    owners = [add_member(project=project, user=make_user(name), role=Role.OWNER) for name in ("one", "two")]

    results = at_once(*[lambda one=one: remove_member(membership=one, actor=one.user, now=NOON) for one in owners])

    assert sum(isinstance(result, Refusal) for result in results) == 1
    assert project.memberships.count() == 1


def test_a_second_factor_is_required_by_who_has_one(owner):
    given = {"project": owner.project, "actor": owner.user, "now": NOON}

    with pytest.raises(Refusal, match="your own account first"):
        require_second_factor(required=True, **given)
    Authenticator.objects.create(user=owner.user, type=Authenticator.Type.TOTP, data={})
    require_second_factor(required=True, **given)
    require_second_factor(required=True, **given)
    assert Project.objects.get().requires_second_factor
    require_second_factor(required=False, **given)
    assert [action for action, _ in logged()] == ["second factor required", "second factor optional"]


# the first account


def claim(code: str = "") -> bool:
    return claim_installation(code=code, now=NOON)


@pytest.mark.parametrize("url", ["https://semblance.example.org", "http://localhost:8000"])
def test_only_the_code_makes_an_administrator_wherever_the_server_is(db, settings, url):
    settings.PUBLIC_URL = url

    assert (asks_for_code(), claim()) == (True, False)
    with pytest.raises(Refusal, match="not the setup code"):
        claim("abcdefghijklmnop")
    make_user()  # an annotator may have come first
    assert claim(f" {setup_code().upper()} ")
    assert str(Installation.objects.get()) == "administered since 2026-03-02"
    assert not asks_for_code()
    with pytest.raises(Refusal, match="not the setup code"):
        guard_code(setup_code())


def test_a_code_can_be_chosen(db, settings):
    settings.SETUP_CODE = "open-sesame"

    assert claim("open-sesame")


def test_the_code_is_told_while_it_is_good_for_something(db, caplog):
    log_setup_code()
    make_user(is_superuser=True)
    log_setup_code()

    assert [record.getMessage() for record in caplog.records] == [
        f"Nobody administers this installation yet. Sign up with the setup code {setup_code()}"
    ]


@pytest.mark.django_db(transaction=True)
def test_of_many_who_sign_up_at_once_one_administers():
    def sign_up(name: str) -> bool:
        with transaction.atomic():
            administers = False
            with suppress(Refusal):
                administers = claim(setup_code())
            user = make_user(name)
            if administers:
                make_administrator(user)
        return administers

    results = at_once(*[lambda name=name: sign_up(name) for name in "abcdef"])

    assert results.count(True) == User.objects.filter(is_superuser=True).count() == 1
    assert User.objects.count() == 6


# deleting


def delete(project: Project, actor: User, typed: str = "project", reason: str = "A trial.") -> None:
    delete_project(project=project, typed=typed, reason=reason, actor=actor, now=NOON)


def test_a_deleted_project_leaves_its_log_and_nothing_else(user):
    project = answer_all(rating_round(user)).project
    AuditEntry.objects.create(project=project, action="something", at=NOON)

    delete(project, user)

    assert not (Project.objects.exists() or Judgment.objects.exists() or Participation.objects.exists())
    assert set(AuditEntry.objects.values_list("project_key", "project", "action")) == {
        ("project", None, "something"),
        ("project", None, "project deleted"),
    }


def test_deleting_asks_for_key_and_reason(user):
    project = make_project()

    with pytest.raises(Refusal, match="Type the key of the project"):
        delete(project, user, typed="other")
    with pytest.raises(Refusal, match="Give a reason"):
        delete(project, user, reason="")
    assert Project.objects.exists() and not AuditEntry.objects.exists()
