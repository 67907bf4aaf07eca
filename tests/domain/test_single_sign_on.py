"""Which rights the groups of an identity provider give and take, and which account belongs to an address."""

import pytest

from annotation.domain.account.single_sign_on import account_of, apply_groups
from annotation.domain.errors import Refusal
from annotation.models import SecurityEvent, User
from tests.factories import NOON, make_user


@pytest.fixture(autouse=True)
def configured(settings):
    settings.OIDC_ADMIN_GROUP, settings.OIDC_PROJECTS_GROUP = "admins", "researchers"


@pytest.fixture
def other_administrator(db) -> User:
    return make_user("root", is_superuser=True, is_staff=True)


def rights(user: User) -> tuple[bool, bool, bool]:
    user.refresh_from_db()
    return user.is_superuser, user.is_staff, user.opens_projects


@pytest.mark.parametrize(
    ("claims", "given"),
    [
        ({"groups": ["admins", "researchers"]}, (True, True, True)),
        ({"groups": ["researchers"]}, (False, False, True)),
        ({"groups": "admins"}, (True, True, False)),
        ({"groups": ["Admins", "admins2", 7, None]}, (False, False, False)),
        ({"groups": {"admins": True}}, (False, False, False)),
        ({"roles": ["admins"]}, (False, False, False)),
        ({}, (False, False, False)),
    ],
)
def test_groups_give_rights(user, other_administrator, claims, given):
    apply_groups(user=user, claims=claims, now=NOON)

    assert rights(user) == given
    assert SecurityEvent.objects.filter(kind="groups applied", user=user).count() == any(given)


def test_groups_take_rights_away_again_and_this_is_kept(user, other_administrator):
    apply_groups(user=user, claims={"groups": ["admins", "researchers"]}, now=NOON)
    apply_groups(user=user, claims={"groups": []}, now=NOON)

    assert rights(user) == (False, False, False)
    assert SecurityEvent.objects.latest("pk").details == {"administrator": False, "opens_projects": False}


def test_the_last_administrator_stays_one(user):
    apply_groups(user=user, claims={"groups": ["admins"]}, now=NOON)
    apply_groups(user=user, claims={"groups": []}, now=NOON)

    assert rights(user)[:2] == (True, True)


def test_a_right_without_a_group_stays_as_administrators_set_it(user, other_administrator, settings):
    settings.OIDC_ADMIN_GROUP = settings.OIDC_PROJECTS_GROUP = ""
    settings.OIDC_GROUPS_CLAIM = "roles"
    User.objects.filter(pk=user.pk).update(opens_projects=True)
    apply_groups(user=user, claims={"groups": [""], "roles": [""]}, now=NOON)

    assert rights(user) == (False, False, True)


def test_only_a_confirmed_address_finds_an_account(user):
    user.emailaddress_set.create(email="ann@example.org", verified=False, primary=True)
    assert account_of("ann@example.org") is None

    user.emailaddress_set.update(verified=True)
    assert account_of("Ann@Example.org") == user
    with pytest.raises(Refusal, match="did not confirm"):
        account_of("")


def test_an_address_finds_no_administrator(other_administrator):
    other_administrator.emailaddress_set.create(email="root@example.org", verified=True, primary=True)

    with pytest.raises(Refusal, match="Administrators"):
        account_of("root@example.org")
