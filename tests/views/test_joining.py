"""Invitations as strangers meet them, and the way back without an account."""

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.guests import guest_for, withdraw_resume_links, write_resume
from annotation.domain.recruiting.links import make_link, places_of, revoke_link
from annotation.domain.recruiting.mailings import invite_addresses
from annotation.models import Guest, InvitationLink, InvitedAddress, Participation, RecruitingOptions, User
from tests.factories import NOON, add_pairs, make_project, make_user, present_screen, rate_next
from tests.views.sending import client_of, rating, url_of

ADDRESS = "eva@example.org"


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def link(db) -> InvitationLink:
    project = make_project()
    add_pairs(project, 3)
    plan_round(project=project, round_key="main", people=3)
    return make_link(project=project, round_key="main", actor=None, now=NOON)


def path(link: InvitationLink) -> str:
    return f"/join/{link.token}/"


def mailed(mail) -> str:
    """The address in an e-mail, below the site's."""
    return "/" + mail.body.split("://")[1].split("\n")[0].split("/", 1)[1]


def resumed(mail, client: Client | None = None) -> Client:
    client = client or Client()
    client.post(mailed(mail))
    return client


@pytest.mark.postgres
def test_an_address_is_enough_to_take_part(link, mailoutbox):
    client = Client()
    sent = client.post(path(link), {"address": ADDRESS})
    (mail,) = mailoutbox
    assert ADDRESS in sent.text
    assert not Participation.objects.filter(annotator__isnull=False).exists()

    looked = client.get(mailed(mail))  # as programs do that look through e-mails
    assert "_auth_user_id" not in client.session
    response = client.post(mailed(mail))

    place = Participation.objects.get(annotator__user__email=ADDRESS)
    assert (looked.status_code, response["Location"]) == (200, url_of(place))
    assert client.get(url_of(place)).status_code == 200
    assert link.uses.count() == 1


def test_on_another_device_one_goes_on_where_one_was(link, mailoutbox):
    Client().post(path(link), {"address": ADDRESS})
    first = resumed(mailoutbox[0])
    place = Participation.objects.get(annotator__isnull=False)
    first.post(url_of(place, "consent/"))
    rate_next(place)

    second = resumed(mailoutbox[0])
    shown = second.get(url_of(place))
    second.post(url_of(place), rating(present_screen(place)))

    assert "2 of 3" in shown.text
    assert place.assignments.filter(answered_at__isnull=False).count() == 2
    assert link.uses.count() == 1


def test_known_and_unknown_addresses_get_the_same_page(link, mailoutbox):
    make_user("known")
    guest_for(project=link.project, address="guest@example.org")
    names = ("known", "guest", "nobody")

    pages = {Client().post(path(link), {"address": f"{one}@example.org"}).text.replace(one, "*") for one in names}

    assert len({page.split("<main")[1].split("</main>")[0] for page in pages}) == 1
    assert len(mailoutbox) == 3


def test_whose_session_ended_gets_the_link_back_by_e_mail(link, mailoutbox):
    Client().post(path(link), {"address": ADDRESS})
    resumed(mailoutbox[0]).logout()
    place = Participation.objects.get(annotator__isnull=False)
    stranger = Client()

    signing_in = stranger.get(url_of(place), follow=True)
    assert f'href="/my-work/{place.pk}/link/"' in signing_in.text
    assert stranger.get(f"/my-work/{place.pk}/link/").text.count("Send me my link") == 1
    answers = [stranger.post(f"/my-work/{pk}/link/", {"address": ADDRESS}) for pk in (place.pk, place.pk + 999)]
    assert [answer.text.count("We’ve sent an email") for answer in answers] == [1, 1]
    (_, mail) = mailoutbox
    assert resumed(mail).get(url_of(place)).status_code == 200


def test_who_has_no_place_gets_none_by_asking_for_the_way_back(link, mailoutbox):
    Client().post(path(link), {"address": ADDRESS})
    resumed(mailoutbox[0])
    place = Participation.objects.get(annotator__isnull=False)

    Client().post(f"/my-work/{place.pk}/link/", {"address": "stranger@example.org"})

    assert "://" not in mailoutbox[1].body
    assert Guest.objects.count() == 1


def test_an_address_that_is_none_is_told(link, mailoutbox):
    response = Client().post(path(link), {"address": "nobody"})

    assert (response.status_code, mailoutbox) == (422, [])


def test_one_machine_cannot_ask_for_ever(link, monkeypatch, mailoutbox):
    monkeypatch.setattr("annotation.views.joining.ASKED_AN_HOUR", 2)

    statuses = [Client().post(path(link), {"address": f"p{one}@example.org"}).status_code for one in range(3)]

    assert (statuses, len(mailoutbox)) == ([200, 200, 429], 2)


def test_a_mail_server_that_is_down_is_told(link, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    response = Client().post(path(link), {"address": ADDRESS})

    assert (response.status_code, "be sent at the moment. Try again later" in response.text) == (503, True)


def test_without_an_address_only_where_the_project_allows_it(link):
    refused = Client().post(path(link), {"without": "1"})
    RecruitingOptions.objects.create(project=link.project, without_address=True)
    client = Client()
    response = client.post(path(link), {"without": "1"})

    place = Participation.objects.get(annotator__isnull=False)
    assert (refused.status_code, User.objects.filter(email="").count()) == (200, 1)
    assert response["Location"] == url_of(place)
    assert client.get(path(link))["Location"] == url_of(place)


def test_a_void_link_of_an_e_mail_says_so_and_ends_sessions(link, mailoutbox, user):
    Client().post(path(link), {"address": ADDRESS})
    client = resumed(mailoutbox[0])
    place = Participation.objects.get(annotator__isnull=False)

    withdraw_resume_links(guest=Guest.objects.get(), actor=user, now=NOON)

    assert client.get(url_of(place)).status_code == 302
    assert Client().get(mailed(mailoutbox[0])).status_code == 410
    assert "_auth_user_id" not in resumed(mailoutbox[0]).session


def test_going_on_as_a_guest_ends_another_login(link, mailoutbox, user):
    Client().post(path(link), {"address": ADDRESS})
    client = client_of(user)

    page = client.get(mailed(mailoutbox[0]))
    resumed(mailoutbox[0], client)

    assert "You are signed in as ann" in page.text
    assert client.session["_auth_user_id"] == str(Guest.objects.get().user_id)


def test_the_link_of_a_guest_without_a_link_of_a_round_leads_to_the_newest_place(link, mailoutbox):
    guest = guest_for(project=link.project, address=ADDRESS)
    alone = Client().post(f"/resume/{write_resume(guest)}/")
    place = Client().post(f"/resume/{write_resume(guest, link)}/")

    again = Client().post(f"/resume/{write_resume(guest)}/")

    assert alone["Location"] == "/"
    assert again["Location"] == place["Location"]


@pytest.mark.postgres
def test_who_gets_no_place_is_not_signed_in(link, mailoutbox):
    Client().post(path(link), {"address": ADDRESS})
    Participation.objects.all().delete()
    client = Client()

    response = client.post(mailed(mailoutbox[0]))

    assert (response.status_code, "All places" in response.text) == (200, True)
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("state", ["revoked", "full", "expired"])
def test_a_link_that_has_ended_says_so_and_leads_back_who_has_a_place(link, mailoutbox, state):
    Client().post(path(link), {"address": ADDRESS})
    resumed(mailoutbox[0])
    if state == "revoked":
        revoke_link(link=link, actor=None, now=NOON)
    InvitationLink.objects.update(**{"full": {"most": 1}, "expired": {"expires_at": NOON}}.get(state, {}))

    page = Client().get(path(link))
    Client().post(path(link), {"address": ADDRESS})

    assert (page.status_code, "This invitation has ended" in page.text) == (410, True)
    assert Participation.objects.get(annotator__isnull=False).pk
    assert resumed(mailoutbox[1]).session["_auth_user_id"]
    account = client_of(make_user("ben"))
    assert (account.post(path(link)).status_code, account.get(path(link)).status_code) == (410, 410)
    RecruitingOptions.objects.create(project=link.project, without_address=True)
    assert Client().post(path(link), {"without": "1"}).status_code == 410


def invited(link: InvitationLink, language: str = "") -> InvitedAddress:
    (round_key, pool) = next(iter(places_of(link.project)))
    rows = [Row(ADDRESS, "Eva", language)]
    invite_addresses(project=link.project, round_key=round_key, pool=pool, rows=rows, actor=None, now=NOON)
    return InvitedAddress.objects.get()


@pytest.mark.postgres
def test_a_personal_link_needs_no_account_and_serves_once(link, mailoutbox):
    one = invited(link, "de")
    client = Client()
    client.get(path(one.link))
    response = client.post(path(one.link), {"begin": "1"})

    place = Participation.objects.get(annotator__isnull=False)
    assert (place.annotator.user.email, place.annotator.user.language) == (ADDRESS, "de")
    assert response["Location"] == url_of(place)
    one.refresh_from_db()
    assert one.opened_at is not None
    other = Client().post(path(one.link), {"begin": "1"})
    assert (other.status_code, "has already been used" in other.text) == (410, True)

    Client().post(path(one.link), {"address": ADDRESS})
    assert resumed(mailoutbox[0]).get(url_of(place)).status_code == 200


def test_a_personal_link_does_not_open_an_account_with_a_password(link):
    one = invited(link)
    guest = guest_for(project=link.project, address=ADDRESS)
    guest.user.set_password("a very long password")
    guest.user.save()

    response = Client().post(path(one.link), {"begin": "1"})

    assert response["Location"] == f"/account/login/?next={path(one.link)}"


def test_the_button_of_personal_links_opens_no_others(link):
    assert Client().post(path(link), {"begin": "1"}).status_code == 200
    assert not Participation.objects.filter(annotator__isnull=False).exists()
