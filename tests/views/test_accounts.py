"""Attacks on accounts: guessed passwords, open browsers, codes used twice, addresses tried one by one."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from annotation.domain.account.installation import setup_code
from annotation.domain.account.tokens import make_token
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.guests import guest_for
from annotation.models import ApiToken, BrowserSession, Membership, User
from config.settings import base
from tests.factories import PASSWORD, at_once, make_project
from tests.views.sending import asked_again, client_of

LOGIN = "/account/login/"
NEW = "another long password"
TOKEN = {"scope": "read", "days": "30", "name": "Notebook"}


@pytest.fixture(autouse=True)
def limits(settings):
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS
    yield
    cache.clear()


@pytest.fixture
def ann(user) -> User:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client: Client, password: str = PASSWORD, address: str = "203.0.113.1") -> bool:
    client.post(LOGIN, {"login": "ann@example.org", "password": password}, REMOTE_ADDR=address)
    return "_auth_user_id" in client.session


def guess(times: int, address: str = "203.0.113.1") -> None:
    for number in range(times):
        sign_in(Client(), f"guess {number}", address)


# guessing


def test_who_guesses_locks_out_only_themselves(ann):
    guess(6, "198.51.100.7")

    assert not sign_in(Client(), address="198.51.100.7")
    assert sign_in(Client())


def test_guesses_from_the_own_network_do_not_stop_a_browser_that_is_known(ann):
    known = Client()
    assert sign_in(known)
    known.post("/account/logout/")
    guess(6)

    assert not sign_in(Client())
    assert sign_in(known)


def test_many_addresses_together_guess_only_so_often(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_elsewhere": "8/h/key"}
    known = Client()
    sign_in(known)
    known.post("/account/logout/")
    for number in range(8):
        guess(1, f"198.51.100.{number}")

    assert not sign_in(Client(), address="198.51.100.99")
    assert sign_in(known)


def test_a_cookie_of_another_account_or_a_made_up_one_is_no_known_browser(ann):
    client = Client()
    client.cookies["known_browser"] = "x 1:y:z"
    guess(6)

    assert not sign_in(client)


@pytest.mark.parametrize(
    "password", ["password1234", "qwertyuiop12", "aaaaaaaaaaaa", "12345678901234", "ann.example.org"]
)
def test_a_password_that_is_easy_to_guess_is_refused(db, password):
    page = Client().post("/account/signup/", {"email": "ann@example.org", "password1": password, "password2": password})

    assert page.status_code == 200
    assert not User.objects.exists()


def test_a_very_long_password_takes_no_long_judgment(db):
    password = "correct horse battery staple " * 100
    Client().post("/account/signup/", {"email": "ann@example.org", "password1": password, "password2": password})

    assert User.objects.exists()


# an open browser


def test_a_token_takes_the_password_again_and_is_told(ann):
    add_member(project=make_project(), user=ann, role=Membership.Role.RESEARCHER)
    client = client_of(ann)

    asked = client.post("/account/tokens/", TOKEN)
    wrong = client.post(asked["Location"], {"password": "wrong"})
    assert (asked["Location"].split("?")[0], wrong.status_code) == ("/account/reauthenticate/", 200)
    assert not ApiToken.objects.exists()
    made = client.post(asked["Location"], {"password": PASSWORD})

    assert ApiToken.objects.get().name == "Notebook"
    assert "Notebook" in made.text
    assert any("The API token" in letter.body and "Notebook" in letter.body for letter in mail.outbox)


def test_an_address_takes_the_password_again_and_is_told(ann, settings):
    settings.ACCOUNT_MAX_EMAIL_ADDRESSES = None  # as where emails are sent
    client = client_of(ann)

    asked = client.post("/account/email/", {"email": "thief@example.org", "action_add": ""})
    assert asked["Location"].startswith("/account/reauthenticate/")
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()


def test_the_password_of_erasure_is_guessed_only_so_often(ann):
    client = client_of(ann)
    for number in range(6):
        client.post("/account/data/", {"proof": f"guess {number}"})

    page = client.post("/account/data/", {"proof": PASSWORD})

    assert (page.status_code, User.objects.filter(pk=ann.pk).exists()) == (422, True)


def test_erasure_is_told(ann, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        client_of(ann).post("/account/data/", {"proof": PASSWORD})

    assert not User.objects.exists()
    assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]


def test_a_session_ends_a_month_after_signing_in_however_often_it_is_used(ann):
    client = Client()
    sign_in(client)
    ends = client.session.get_expiry_date()
    session = client.session
    session["used"] = "again"
    session.save()

    assert client.session.get_expiry_date() == ends
    assert timedelta(days=29) < ends - timezone.now() <= timedelta(days=30)


def test_the_password_given_again_changes_the_key_of_the_session(ann):
    client = client_of(ann)
    before = client.session.session_key
    client.post("/account/reauthenticate/", {"password": PASSWORD})

    assert client.session.session_key != before
    assert not BrowserSession.objects.filter(pk=before).exists()
    assert client.get("/account/data/").status_code == 200


@pytest.mark.parametrize(("chosen", "left"), [({"end_tokens": "on"}, 0), ({}, 1)])
def test_a_new_password_is_told_and_ends_tokens_if_asked(ann, chosen, left):
    make_token(user=ann)
    mail.outbox.clear()
    client = client_of(ann)
    assert "Revoke all my API tokens" in client.get("/account/password/change/").text

    client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW} | chosen)

    assert User.objects.get().check_password(NEW)
    assert ApiToken.objects.count() == left
    assert len(mail.outbox) == 1


# second factors


def test_the_code_of_activation_does_not_sign_in(ann):
    client = asked_again(client_of(ann))
    client.get("/account/2fa/totp/activate/")
    secret = client.session["mfa.totp.secret"]
    code = format_hotp_value(hotp_value(secret, next(iter(counters()))))
    client.post("/account/2fa/totp/activate/", {"code": code})
    assert Authenticator.objects.filter(user=ann, type="totp").exists()

    thief = Client()
    sign_in(thief)
    thief.post("/account/2fa/authenticate/", {"code": code})

    assert "_auth_user_id" not in thief.session


def test_a_second_factor_takes_the_password_again(ann):
    assert client_of(ann).get("/account/2fa/totp/activate/")["Location"].startswith("/account/reauthenticate/")


# which addresses exist


def outcome(address: str) -> tuple[int, str, str]:
    page = Client().post("/account/signup/", {"email": address, "password1": NEW, "password2": NEW})
    text = re.sub(r'value="[^"]*"', "", page.text).replace(address, "")
    return page.status_code, page.get("Location", ""), text


@pytest.mark.parametrize("sends", [True, False])
def test_signing_up_does_not_tell_which_addresses_exist(ann, settings, sends):
    if sends:
        settings.ACCOUNT_EMAIL_VERIFICATION, settings.ACCOUNT_PREVENT_ENUMERATION = "mandatory", True
    else:
        EmailAddress.objects.update(verified=False)

    assert outcome("ann@example.org") == outcome("somebody.new@example.org")


def test_an_address_signs_up_once(ann):
    EmailAddress.objects.update(verified=False)
    client = Client()
    fields = {"email": "Ann@example.org", "password1": NEW, "password2": NEW, "next": "/join/abc/"}

    again = client.post("/account/signup/", fields)
    new = client.post("/account/signup/", fields | {"email": "new@example.org"})

    assert again["Location"] == new["Location"] == "/account/login/?next=%2Fjoin%2Fabc%2F"
    assert sorted(User.objects.values_list("email", flat=True)) == ["ann@example.org", "new@example.org"]
    assert User.objects.get(pk=ann.pk).check_password(PASSWORD)
    assert not sign_in(client, NEW)


def test_a_guest_who_came_by_a_link_may_still_sign_up(db):
    guest_for(project=make_project(), address="ann@example.org")
    outcome("ann@example.org")
    outcome("ann@example.org")

    assert sign_in(Client(), NEW)
    assert User.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_of_many_who_sign_up_at_once_with_an_address_one_gets_an_account():
    results = at_once(*[lambda: outcome("ann@example.org")] * 6)

    assert {status for status, *_rest in results} == {302}
    assert User.objects.count() == 1


def test_an_address_that_nobody_can_confirm_is_not_added(ann):
    client = asked_again(client_of(ann))

    client.post("/account/email/", {"email": "somebody.else@example.org", "action_add": ""})

    assert not EmailAddress.objects.filter(email="somebody.else@example.org").exists()


def test_the_first_administrator_is_told_that_the_address_was_taken(ann):
    EmailAddress.objects.update(verified=False)
    fields = {"email": "ann@example.org", "password1": NEW, "password2": NEW, "setup_code": setup_code()}

    page = Client().post("/account/signup/", fields)

    assert "This address already has an account." in page.text
    assert not User.objects.filter(is_superuser=True).exists()
