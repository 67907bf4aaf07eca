"""An installation that sends no e-mail: nobody is asked for an address, everybody is shown a link of their own."""

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.guests import guest_for
from annotation.domain.recruiting.links import join_by_link, make_link, places_of
from annotation.domain.recruiting.mailings import invite_addresses
from annotation.models import Guest, InvitationLink, InvitedAddress, Membership, Participation, RecruitingOptions
from tests.factories import NOON, add_pairs, answer_session, make_project, make_user, rate_next, validation_round
from tests.views.sending import client_of, url_of

FILES = "django.core.mail.backends.filebased.EmailBackend"
PAGE = "/projects/project/recruiting/"


@pytest.fixture(autouse=True)
def without_email(settings):
    cache.clear()
    settings.EMAIL_BACKEND = FILES


@pytest.fixture
def link(db) -> InvitationLink:
    project = make_project()
    add_pairs(project, 3)
    plan_round(project=project, round_key="main", people=3)
    return make_link(project=project, round_key="main", actor=None, now=NOON)


@pytest.fixture
def manager(link) -> Client:
    manager = make_user("manager")
    add_member(project=link.project, user=manager, role=Membership.Role.MANAGER)
    return client_of(manager)


def path(link: InvitationLink) -> str:
    return f"/join/{link.token}/"


def own_link(page) -> str:
    """The address below that of the site."""
    assert "Your personal link" in page.text, page.text
    return page.text.split('id="own-link" type="text" readonly value="http://testserver')[1].split('"')[0]


def test_no_address_is_asked_for_and_none_is_taken(link, tmp_path, settings):
    settings.EMAIL_FILE_PATH = tmp_path

    page = Client().get(path(link))
    sent = Client().post(path(link), {"address": "eva@example.org"})

    assert 'type="email"' not in page.text
    assert "Send me the link" not in page.text
    assert "You don’t need an account or an email address" in page.text
    assert "Check your email" not in sent.text
    assert (list(tmp_path.iterdir()), Guest.objects.count()) == ([], 0)


def test_the_link_that_is_shown_leads_on_from_another_device(link):
    client = Client()
    joined = client.post(path(link), {"without": "1"})
    place = Participation.objects.get(annotator__isnull=False)
    shown = own_link(client.get(joined["Location"]))
    client.post(url_of(place, "consent/"))
    rate_next(place)

    device = Client()
    looked = device.get(shown)
    response = device.post(shown)

    assert "_auth_user_id" not in Client().session
    assert (looked.status_code, response["Location"]) == (200, url_of(place))
    assert "2 of 3" in device.get(url_of(place)).text
    assert own_link(client.get("/")).startswith("/resume/")


def test_whoever_has_an_account_is_shown_no_such_link(link, user):
    client = client_of(user)
    joined = client.post(path(link))

    pages = [client.get(joined["Location"]).text, client.get("/").text]

    assert all("Your personal link" not in page for page in pages)


def test_a_guest_who_has_set_a_password_signs_in_with_it(link):
    client = Client()
    joined = client.post(path(link), {"without": "1"})
    guest = Guest.objects.get()
    guest.user.set_password("a very long password")
    guest.user.save()
    client.force_login(guest.user)

    assert "Your personal link" not in client.get(joined["Location"]).text


def test_where_e_mail_is_sent_only_guests_without_an_address_see_the_link(link, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    RecruitingOptions.objects.create(project=link.project, without_address=True)
    nameless = Client()
    joined = nameless.post(path(link), {"without": "1"})
    guest = guest_for(project=link.project, address="eva@example.org")
    place = join_by_link(link=link, user=guest.user, now=NOON)

    assert own_link(nameless.get(joined["Location"]))
    assert "Your personal link" not in client_of(guest.user).get(url_of(place)).text
    assert "You get a personal link" in Client().get(path(link)).text


def test_the_pause_promises_no_e_mail_and_shows_the_link(user):
    place = answer_session(validation_round(user))
    Guest.objects.create(project=place.project, user=user, nonce="n")
    user.set_unusable_password()
    user.save()

    page = client_of(user).get(url_of(place))

    assert "We’ll also send you an email" not in page.text
    assert own_link(page)


def test_an_invitation_that_has_ended_offers_no_e_mail(link):
    InvitationLink.objects.update(revoked_at=NOON)

    page = Client().get(path(link))

    assert (page.status_code, "Send me my link" in page.text) == (410, False)
    assert "Open the personal link you saw" in page.text


def test_a_personal_invitation_says_what_there_is(link):
    (round_key, pool) = next(iter(places_of(link.project)))
    rows = [Row("eva@example.org", "Eva", "")]
    invite_addresses(project=link.project, round_key=round_key, pool=pool, rows=rows, actor=None, now=NOON)
    personal = InvitedAddress.objects.get().link
    client = Client()

    page = client.get(path(personal))
    joined = client.post(path(personal), {"begin": "1"})

    assert "we’ll email you a link" not in page.text
    assert own_link(client.get(joined["Location"]))


def test_managers_hand_links_over_themselves(link, manager):
    (round_key, pool) = next(iter(places_of(link.project)))
    manager.post(f"{PAGE}addresses/", {"place": f"{round_key}/{pool}", "rows": "a@example.org", "confirmed": "1"})
    invited = InvitedAddress.objects.get()
    Client().post(path(link), {"without": "1"})

    addresses, guests = manager.get(f"{PAGE}addresses/").text, manager.get(f"{PAGE}guests/").text

    assert f"http://testserver{path(invited.link)}" in addresses
    assert "Send them the link" in addresses
    assert "Send again" not in addresses
    assert "Guest 1" in guests
    assert "/resume/" not in guests


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (f"{PAGE[:-11]}messages/", "Annotators see the message on their next visit."),
        ("/account/notifications/", "This server cannot send email yet"),
    ],
)
def test_pages_for_managers_promise_no_email(manager, page, says):
    text = manager.get(page).text

    assert says in text
    assert "sent to" not in text.lower() and "by email" not in text


def test_a_forgotten_password_is_not_answered_with_an_email_that_nobody_gets(db):
    page, done = (Client().get(f"/account/password/reset/{name}").text for name in ("", "done/"))

    for text in (page, done):
        assert "This server does not send email" in text
        assert "sent an email" not in text and 'type="email"' not in text
