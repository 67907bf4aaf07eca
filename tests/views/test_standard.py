"""Requirements of the table in docs/security.md that no other test is about: passwords, codes, sessions, cookies."""

import re
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client

from annotation.domain.project.creation import add_member
from annotation.models import BrowserSession, Membership, Project, User
from config.settings import base
from tests.factories import PASSWORD, make_project, make_user, rating_round
from tests.views.sending import asked_again, client_of, url_of

ROOT = Path(__file__).resolve().parents[2]
LOGIN = "/account/login/"
INPUT = re.compile(r"<input\b[^>]*>")
INSERTS_HTML = re.compile(r"innerHTML|\.outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(")


@pytest.fixture
def ann(user) -> User:
    cache.clear()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(password: str = PASSWORD) -> Client:
    client = Client()
    client.post(LOGIN, {"login": "ann@example.org", "password": password})
    return client


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def code_of(secret: str, steps_ago: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(counters())) - steps_ago))


# passwords


@pytest.mark.parametrize("page", [LOGIN, "/account/signup/", "/account/password/change/", "/account/reauthenticate/"])
def test_fields_of_passwords_hide_them_and_let_password_managers_help(ann, page):
    client = Client() if page in (LOGIN, "/account/signup/") else client_of(ann)
    fields = [field for field in INPUT.findall(client.get(page).text) if re.search(r'name="\w*password\d?"', field)]

    assert fields
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(current|new)-password"', field)
        assert "maxlength" not in field and "onpaste" not in field


def test_a_password_is_compared_exactly_as_it_was_typed(db):
    cache.clear()
    password = " Žluťoučký kůň úpěl ďábelské ódy, and seventy more characters of any kind: ÄÖ 漢字 " + "x" * 20 + " "
    Client().post("/account/signup/", {"email": "ann@example.org", "password1": password, "password2": password})

    others = [password.strip(), password.lower(), password[:72], password[:64], password.replace("  ", " ") + " "]
    assert [is_signed_in(sign_in(other)) for other in others] == [False] * 5
    cache.clear()
    assert is_signed_in(sign_in(password))


def test_a_new_password_takes_the_current_one(ann):
    new = {"password1": "another long password", "password2": "another long password"}
    client_of(ann).post("/account/password/change/", {"oldpassword": "a wrong one"} | new)

    assert User.objects.get().check_password(PASSWORD)


def test_passwords_are_hashed_slowly():
    assert not hasattr(base, "PASSWORD_HASHERS")  # Django's own order, which begins with PBKDF2
    assert PBKDF2PasswordHasher.iterations >= 600_000


def test_a_forgotten_password_is_reset_once_and_the_second_factor_still_asked_for(ann):
    TOTP.activate(ann, generate_totp_secret())
    mail.outbox.clear()
    Client().post("/account/password/reset/", {"email": ann.email})
    link = re.search(r"https?://[^/]+(/account/password/reset/key/\S+)", mail.outbox[0].body)[1]
    new, client = "another long password", Client()

    form = client.get(link)["Location"]
    client.post(form, {"password1": new, "password2": new})

    assert User.objects.get(pk=ann.pk).check_password(new)
    assert not is_signed_in(client)
    assert not is_signed_in(sign_in(new))
    assert "Location" not in Client().get(link)


# second factors


def test_a_recovery_code_works_once(ann):
    code = RecoveryCodes.activate(ann).get_unused_codes()[0]
    found = Authenticator.objects.get(type="recovery_codes")

    assert [found.wrap().validate_code(code) for _ in range(2)] == [True, False]
    assert len(code) == 8


@pytest.mark.parametrize(("steps_ago", "accepted"), [(0, True), (1, False), (-1, False)])
def test_a_code_is_valid_for_its_half_minute(ann, steps_ago, accepted):
    secret = generate_totp_secret()
    TOTP.activate(ann, secret)

    assert Authenticator.objects.get(type="totp").wrap().validate_code(code_of(secret, steps_ago)) is accepted


def test_a_code_given_again_changes_the_key_of_the_session(ann):
    secret = generate_totp_secret()
    TOTP.activate(ann, secret)
    client = client_of(ann)
    before = client.session.session_key
    client.post("/account/2fa/reauthenticate/", {"code": code_of(secret)})

    assert client.session.session_key != before
    assert not BrowserSession.objects.filter(pk=before).exists()


@pytest.mark.django_db(transaction=True)  # the signals of factors are sent after the commit
def test_a_changed_second_factor_ends_the_other_sessions(ann):
    here, elsewhere, other = asked_again(client_of(ann)), client_of(ann), client_of(make_user("other"))
    here.get("/account/2fa/totp/activate/")
    here.post("/account/2fa/totp/activate/", {"code": code_of(here.session["mfa.totp.secret"])})

    assert [client.get("/account/data/").status_code for client in (here, elsewhere, other)] == [200, 302, 200]
    again = client_of(ann)
    here.post("/account/2fa/totp/deactivate/")
    assert [client.get("/account/data/").status_code for client in (here, again)] == [200, 302]


# sessions


def test_a_session_has_a_long_new_key_after_signing_in(ann):
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    client.post(LOGIN, {"login": ann.email, "password": PASSWORD})

    assert is_signed_in(client)
    assert re.fullmatch(r"[a-z0-9]{32}", client.cookies["sessionid"].value)
    assert client.cookies["sessionid"].value != "a" * 32


def test_the_account_of_a_session_is_deactivated(ann):
    client = client_of(ann)
    User.objects.update(is_active=False)

    assert client.get("/account/data/")["Location"].startswith(LOGIN)


def test_administrators_sign_somebody_out_everywhere(ann):
    theirs, root = client_of(ann), client_of(make_user("root", is_superuser=True, is_staff=True))

    root.post("/admin/annotation/user/", {"action": "sign_out", "_selected_action": [ann.pk]})

    assert [client.get("/account/data/").status_code for client in (theirs, root)] == [302, 200]


def test_every_page_lets_people_sign_out(ann):
    place = rating_round(ann)
    add_member(project=place.project, user=ann, role=Membership.Role.OWNER)
    pages = ["/", url_of(place), "/account/data/", "/account/2fa/", "/projects/project/", "/projects/project/members/"]

    assert [page for page in pages if "/account/logout/" not in client_of(ann).get(page).text] == []


def test_cookies_of_sessions_are_for_this_site_and_not_for_scripts(ann):
    client = sign_in()
    session, token, known = (client.cookies[name] for name in ("sessionid", "csrftoken", "known_browser"))

    assert [cookie["samesite"] for cookie in (session, token, known)] == ["Lax"] * 3
    assert session["httponly"] and known["httponly"]
    assert not (session["domain"] or token["domain"] or known["domain"])


# what is shown, and what is sent


def test_no_script_inserts_html_or_runs_text():
    scripts = sorted((ROOT / "static" / "js").rglob("*.js"))

    assert len(scripts) > 20
    assert [path.name for path in scripts if INSERTS_HTML.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("path", ["/.git/config", "/.env", "/files/", "/media/", "/static/", "/static/css/", "/var/"])
def test_neither_files_nor_folders_of_the_server_are_listed(db, path):
    assert Client().get(path).status_code == 404
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".git", ".env"} <= set(ignored)


def test_a_title_adds_no_header_to_an_email(user):
    project = make_project()
    Project.objects.update(title="Title\r\nBcc: thief@example.org")
    add_member(project=project, user=user, role=Membership.Role.OWNER)
    client_of(user).post("/projects/project/members/", {"email": "new@example.org", "role": "manager"})

    (letter,) = mail.outbox
    assert letter.recipients() == ["new@example.org"]
    assert letter.message()["Bcc"] is None and "\n" not in letter.subject
