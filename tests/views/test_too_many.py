"""How many people one internet address brings in: a class room is let in, a program is not."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.domain.planning.rounds import plan_round
from annotation.domain.rate_limits import TooMany, count_newcomer
from annotation.domain.recruiting.guests import guest_for, write_resume
from annotation.domain.recruiting.links import make_link
from annotation.models import Guest, InvitationLink, Participation, RecruitingOptions, User
from config.settings import base
from tests.crowds import make_study
from tests.factories import NOON, add_pairs, make_project, make_user
from tests.views.sending import client_of
from tests.views.test_crowd import come, prolific

HERE, THERE = "203.0.113.5", "203.0.113.6"


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def link(db) -> InvitationLink:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=60)
    RecruitingOptions.objects.create(project=project, without_address=True)
    return make_link(project=project, round_key="main", actor=None, now=NOON)


def path(link: InvitationLink) -> str:
    return f"/join/{link.token}/"


def begin(link: InvitationLink, address: str = HERE):
    return Client(REMOTE_ADDR=address).post(path(link), {"without": "1"})


def people() -> int:
    return Participation.objects.filter(annotator__isnull=False).count()


def test_a_class_of_fifty_behind_one_address_is_let_in(link, settings):
    settings.JOIN_RATE, settings.JOIN_RATE_OF_ADDRESS = base.JOIN_RATE, base.JOIN_RATE_OF_ADDRESS

    statuses = {begin(link).status_code for _ in range(50)}

    assert (statuses, people()) == ({302}, 50)


def test_a_program_is_told_when_to_come_again_and_makes_nobody(link, settings):
    settings.JOIN_RATE = (2, 3600)
    for _ in range(2):
        begin(link)

    refused = begin(link)
    again_at = refused.context["problem"].again_at

    assert (refused.status_code, people(), Guest.objects.count()) == (429, 2, 2)
    seconds = int(refused["Retry-After"])
    assert 0 < seconds <= 3600
    assert abs(again_at - datetime.now(UTC) - timedelta(seconds=seconds)) < timedelta(minutes=1)
    assert f'datetime="{again_at.isoformat()}"' in refused.text
    assert "Please try again later" in refused.text
    assert begin(link, THERE).status_code == 302


def test_links_are_counted_apart_and_all_together(link, settings):
    settings.JOIN_RATE, settings.JOIN_RATE_OF_ADDRESS = (2, 3600), (3, 3600)
    other = make_link(project=link.project, round_key="main", actor=None, now=NOON)

    statuses = [begin(one).status_code for one in (link, link, link, other, other)]

    assert statuses == [302, 302, 429, 302, 429]


def test_whoever_has_a_place_goes_on_however_many_have_come(link, settings):
    settings.JOIN_RATE = (1, 3600)
    client, account = Client(), client_of(make_user("ben"))
    joined = client.post(path(link), {"without": "1"})
    full = account.post(path(link))
    guest = Guest.objects.get()

    assert full.status_code == 429
    assert client.post(path(link), {"without": "1"})["Location"] == joined["Location"]
    assert Client().post(f"/resume/{write_resume(guest, link)}/")["Location"] == joined["Location"]
    new = guest_for(project=link.project, address="eva@example.org")
    assert Client().post(f"/resume/{write_resume(new, link)}/").status_code == 429
    assert people() == 1


def test_a_crowd_address_is_counted_too(db, settings):
    settings.JOIN_RATE = (1, 3600)
    make_study()
    first, _response = come(prolific())

    _client, refused = come(prolific(number=2))
    _client, back = come(prolific(session=3), first)

    assert (refused.status_code, back.status_code, User.objects.count(), people()) == (429, 302, 1, 1)


@pytest.mark.parametrize(
    ("address", "same"),
    [("2001:db8:1:2:aaaa::1", True), ("2001:db8:1:3::1", False), ("::ffff:203.0.113.5", False)],
)
def test_of_the_newer_addresses_the_network_counts(link, settings, address, same):
    settings.JOIN_RATE = (1, 3600)
    begin(link, "2001:db8:1:2::1")

    assert begin(link, address).status_code == (429 if same else 302)


def test_an_old_address_written_the_new_way_is_the_same(link, settings):
    settings.JOIN_RATE = (1, 3600)
    begin(link)

    assert begin(link, f"::ffff:{HERE}").status_code == 429


def test_the_count_begins_anew(settings):
    settings.JOIN_RATE = (1, 3600)
    count_newcomer(client=HERE, door="x", now=NOON + timedelta(minutes=59))

    with pytest.raises(TooMany) as refusal:
        count_newcomer(client=HERE, door="x", now=NOON + timedelta(minutes=59))
    count_newcomer(client=HERE, door="x", now=NOON + timedelta(minutes=60))

    assert refusal.value.again_at == NOON + timedelta(hours=1)
