"""People without an account: the link in their e-mail, and what it does not tell."""

from datetime import timedelta

import pytest
from django.core.cache import cache

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.guests import (
    KEPT,
    SENT_AN_HOUR,
    forget_the_unconfirmed,
    guest_for,
    nameless_guest,
    read_resume,
    send_way_in,
    withdraw_resume_links,
    write_resume,
)
from annotation.domain.recruiting.links import join_by_link, make_link, revoke_link, standing_links
from annotation.models import AuditEntry, Guest, User
from tests.factories import NOON, add_pairs, at_once, make_project, make_user

pytestmark = pytest.mark.postgres

ADDRESS = "eva@example.org"


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def link(db):
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=3)
    return make_link(project=project, round_key="main", actor=None, now=NOON)


def ask(link, address: str = ADDRESS, now=NOON, language: str = "en") -> None:
    send_way_in(project=link.project, address=address, link=link, language=language, now=now)


def test_one_address_is_one_guest_of_a_project(link):
    other = make_project(key="other")

    guests = [
        guest_for(project=link.project, address=ADDRESS),
        guest_for(project=link.project, address=ADDRESS.upper()),
        guest_for(project=other, address=ADDRESS),
    ]

    assert guests[0] == guests[1] != guests[2]
    assert (guests[0].user.email, guests[0].user.has_usable_password()) == (ADDRESS, False)
    assert ADDRESS.split("@")[0] not in guests[0].user.username


@pytest.mark.django_db(transaction=True)
def test_one_address_is_one_guest_also_at_once():
    project = make_project()

    at_once(*[lambda: guest_for(project=project, address=ADDRESS)] * 4)

    assert (Guest.objects.count(), User.objects.count()) == (1, 1)


def test_guests_without_an_address_are_different_people(link):
    names = {nameless_guest(project=link.project).user.username for _ in range(3)}

    assert len(names) == 3


def test_the_link_of_an_e_mail_signs_in_until_it_is_made_void(link, user):
    guest = guest_for(project=link.project, address=ADDRESS)
    token = write_resume(guest, link)
    before = guest.user.get_session_auth_hash()

    assert read_resume(token) == (guest, link)
    withdraw_resume_links(guest=guest, actor=user, now=NOON)

    with pytest.raises(Refusal, match="This link no longer works"):
        read_resume(token)
    assert guest.user.get_session_auth_hash() != before
    assert read_resume(write_resume(guest)) == (guest, None)
    assert AuditEntry.objects.first().action == "resume links withdrawn"


@pytest.mark.parametrize("token", ["", "x", "a:b:c"])
def test_a_link_that_was_changed_is_refused(db, token):
    with pytest.raises(Refusal, match="is incomplete"):
        read_resume(token)


def test_whoever_has_set_a_password_signs_in_with_it(link):
    guest = guest_for(project=link.project, address=ADDRESS)
    guest.user.set_password("a very long password")
    guest.user.save()

    with pytest.raises(Refusal, match="You now have an account"):
        read_resume(write_resume(guest))


def test_somebody_unknown_gets_a_link(link, mailoutbox, settings):
    settings.PUBLIC_URL = "https://semblance.example.org"

    ask(link)

    (mail,) = mailoutbox
    token = mail.body.split("/resume/")[1].split("/")[0]
    assert (mail.to, mail.subject) == ([ADDRESS], "Your link: project")
    assert "https://semblance.example.org/resume/" in mail.body
    assert read_resume(token)[1] == link


def test_the_standing_link_of_a_round_leads_to_a_place_too(link, mailoutbox):
    (standing,) = standing_links(link.project)

    ask(standing)

    found = read_resume(mailoutbox[0].body.split("/resume/")[1].split("/")[0])[1]
    assert (found.kind, found.round, found.pk is not None) == ("standing", "main", True)


def test_whoever_has_an_account_is_asked_to_sign_in(link, user, mailoutbox):
    ask(link, user.email.upper())

    assert f"/account/login/?next=/join/{link.token}/" in mailoutbox[0].body
    assert not Guest.objects.exists()


def test_an_ended_link_leads_only_those_back_who_have_a_place(link, mailoutbox):
    guest = guest_for(project=link.project, address=ADDRESS)
    join_by_link(link=link, user=guest.user, now=NOON)
    revoke_link(link=link, actor=None, now=NOON)
    link.refresh_from_db()

    ask(link)
    ask(link, "max@example.org")

    assert ["/resume/" in mail.body for mail in mailoutbox] == [True, False]
    assert "the invitation has ended" in mailoutbox[1].body
    assert Guest.objects.count() == 1


def test_one_address_gets_few_e_mails_an_hour(link, mailoutbox):
    for _ in range(SENT_AN_HOUR + 2):
        ask(link)
    assert len(mailoutbox) == SENT_AN_HOUR

    ask(link, now=NOON + timedelta(hours=1))

    assert len(mailoutbox) == SENT_AN_HOUR + 1


def test_a_mail_server_that_is_down_is_told(link, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    with pytest.raises(Refusal, match="The email can't be sent at"):
        ask(link)


def test_addresses_that_were_never_confirmed_are_forgotten(link):
    late = guest_for(project=link.project, address=ADDRESS)
    joined = guest_for(project=link.project, address="max@example.org")
    join_by_link(link=link, user=joined.user, now=NOON)
    make_user("ann")
    now = late.created_at + KEPT + timedelta(seconds=1)

    assert forget_the_unconfirmed(now - timedelta(seconds=2)) == 0
    assert forget_the_unconfirmed(now) == 1

    assert set(User.objects.values_list("email", flat=True)) == {"max@example.org", "ann@example.org"}
