"""The language of a page: who decides it, what it changes, and how it is chosen."""

import re

import pytest
from django.core import mail
from django.test import Client

from annotation.domain.languages import speaking_to
from annotation.domain.messages.reminders import remind_the_rested
from annotation.models import Participation, User
from tests.factories import NOON, answer_session, make_user, rating_round, validation_round
from tests.views.sending import client_of, url_of

WORDS = {"en": "Sign out", "cs": "Odhlásit se", "de": "Abmelden", "es": "Cerrar sesión", "ar": "تسجيل الخروج"}


def root_of(page) -> str:
    return re.search(r"<html[^>]*>", page.text)[0]


@pytest.mark.parametrize("language", WORDS)
def test_a_page_is_in_the_language_of_the_account(db, language):
    page = client_of(make_user(language=language)).get("/")

    assert WORDS[language] in page.text
    assert root_of(page) == f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">'
    assert page["Content-Language"] == language and "Accept-Language" in page["Vary"]


@pytest.mark.parametrize(
    ("account", "cookie", "browser", "shown"),
    [
        ("cs", "de", "es", "cs"),
        ("", "de", "es", "de"),
        ("", "", "es-MX,de;q=0.5", "es"),
        ("", "", "fr,ar;q=0.3", "ar"),
        ("", "", "fr", "en"),
        ("", "xx", "de", "de"),
        ("", "", "", "en"),
    ],
)
def test_the_account_comes_before_the_cookie_and_the_cookie_before_the_browser(db, account, cookie, browser, shown):
    client = client_of(make_user(language=account), headers={"accept-language": browser})
    if cookie:
        client.cookies["django_language"] = cookie

    assert root_of(client.get("/")).startswith(f'<html lang="{shown}"')


def test_a_language_is_chosen_at_the_foot_of_a_page_and_kept_with_the_account(user):
    participation = rating_round(user)
    client, url = client_of(user), url_of(participation, "guidelines/")
    form = f'name="next" value="{url}?why=1"'
    assert form in client.get(f"{url}?why=1").text

    response = client.post("/language/", {"language": "de", "next": f"{url}?why=1"})

    assert (response.status_code, response["Location"]) == (302, f"{url}?why=1")
    assert User.objects.get(pk=user.pk).language == "de"
    assert "Anleitung" in client.get(url).text


@pytest.mark.parametrize("language", ["en", "cs", "de", "es", "ar"])
def test_every_language_is_offered_by_its_own_name(db, language):
    page = Client().get("/", headers={"accept-language": language})

    names = re.findall(r'name="language" value="(\w+)"[^>]*>([^<]+)<', page.text)
    assert names == [("en", "English"), ("cs", "Čeština"), ("de", "Deutsch"), ("es", "Español"), ("ar", "العربية")]


def test_a_stranger_keeps_the_language_in_a_cookie(db):
    client = Client()

    client.post("/language/", {"language": "ar", "next": "/"})

    assert (client.cookies["django_language"].value, root_of(client.get("/"))) == ("ar", '<html lang="ar" dir="rtl">')


@pytest.mark.parametrize("fields", [{}, {"language": "xx"}, {"language": ""}])
def test_an_unknown_language_changes_nothing(user, fields):
    client = client_of(user)

    response = client.post("/language/", fields | {"next": "https://elsewhere.example/"})

    assert (response.status_code, response["Location"]) == (302, "/")
    assert User.objects.get().language == ""


def test_who_signs_up_is_written_to_in_the_language_they_read(db):
    fields = {"email": "new@example.org", "password1": "a long enough one", "password2": "a long enough one"}

    Client(headers={"accept-language": "cs"}).post("/account/signup/", fields)

    assert User.objects.get(email="new@example.org").language == "cs"


@pytest.mark.parametrize(
    ("language", "subject"), [("", "you can start the next session"), ("es", "puede comenzar la sesión siguiente")]
)
def test_an_email_is_in_the_language_of_the_account(db, language, subject):
    user = make_user(language=language)
    answer_session(validation_round(user))
    Participation.objects.filter(annotator__user=user).update(rest_until=NOON)

    remind_the_rested(NOON)

    assert mail.outbox[0].subject == f"project: {subject}"
    with speaking_to(user):
        assert mail.outbox[0].body.startswith("Hola:" if language else "Hello,")


@pytest.mark.parametrize(("language", "shown"), [("en", "0.5"), ("cs", "0,5"), ("de", "0,5"), ("es", "0,5")])
def test_numbers_are_shown_as_the_language_writes_them_and_sent_as_they_are(db, language, shown):
    participation = rating_round(make_user(language=language), scale__step="0.5")

    page = client_of(participation.annotator.user).get(url_of(participation)).text

    assert re.search(rf'value="0\.5" required> {shown}[\s<]', page)


def test_programs_are_answered_in_english(user):
    answer = client_of(user, headers={"accept-language": "de"}).get("/api/v1/projects/nothing/")

    assert (answer.status_code, answer["Content-Language"]) == (404, "en")
    assert answer.json()["detail"] == "Not found."


@pytest.mark.parametrize("language", WORDS)
def test_a_page_of_allauth_has_our_words_and_shows_its_button(db, language):
    page = client_of(make_user(language=language)).get("/account/logout/")
    main = page.text.partition("<main")[2].partition("</main>")[0]

    assert '<form method="post" action="/account/logout/">' in main
    assert re.search(rf"<button[^>]*>\s*{WORDS[language]}\s*</button>", main)
