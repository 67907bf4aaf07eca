"""Waiting lists of full rounds, and quotas of groups."""

from datetime import timedelta

import pytest
from django.core import mail

from annotation.domain.errors import Refusal
from annotation.domain.messages.unsubscribing import digest_of, unsubscribe
from annotation.domain.participation.lifecycle import leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.guests import nameless_guest
from annotation.domain.recruiting.links import LinkClosed, guard_link, join_by_link, make_link
from annotation.domain.recruiting.overview import RoundFull
from annotation.domain.recruiting.quotas import quotas_of, remove_quota, set_quota
from annotation.domain.recruiting.waiting import HELD, KEPT, forget_waiting, invite_waiting, wait_for_place
from annotation.models import InvitationLink, InvitedAddress, Participation, Project, State, WaitingPerson
from tests.factories import NOON, add_pairs, at_once, make_project
from tests.jobs import work_off

pytestmark = pytest.mark.postgres


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=3)
    return project


def link_to(project: Project, pool: str = "raters", **values: object) -> InvitationLink:
    return make_link(project=project, round_key="main", pool=pool, actor=None, now=NOON, **values)


def come(link: InvitationLink) -> Participation:
    return join_by_link(link=link, user=nameless_guest(project=link.project).user, now=NOON)


def wait(link: InvitationLink, *names: str) -> None:
    for number, name in enumerate(names):
        wait_for_place(link=link, address=f"{name}@Example.org", language="de", now=NOON + timedelta(minutes=number))


def invited(now=NOON) -> list[str]:
    """Invite, send, and give who got an e-mail."""
    mail.outbox.clear()
    invite_waiting(now)
    work_off("mailing", now)
    return [one.to[0] for one in mail.outbox]


def leave_one(project: Project) -> None:
    place = project.participations.filter(state=State.INVITED, annotator__isnull=False).first()
    leave(participation_id=place.pk, reason="No time", now=NOON)


def test_those_who_waited_longest_are_invited_when_a_place_opens(project):
    link = link_to(project)
    for _number in range(3):
        come(link)
    with pytest.raises(RoundFull):
        come(link)
    wait(link, "ada", "ben", "ada")
    assert invited() == []

    leave_one(project)
    assert invited() == ["ada@example.org"]
    assert invited() == []  # the place is held for Ada
    assert mail.outbox == []

    place = InvitedAddress.objects.get().link
    assert (place.most, place.expires_at) == (1, NOON + HELD)
    join_by_link(link=place, user=nameless_guest(project=project).user, now=NOON)
    assert invited() == []
    leave_one(project)
    assert invited() == ["ben@example.org"]


def test_the_next_is_invited_when_somebody_does_not_come_in_time(project):
    link = link_to(project)
    wait(link, "ada", "ben", "cyd", "dan")

    assert invited() == ["ada@example.org", "ben@example.org", "cyd@example.org"]
    assert invited(NOON + HELD) == ["dan@example.org"]
    assert "a place is free" in mail.outbox[0].subject or "Platz" in mail.outbox[0].subject

    wait_for_place(link=link, address="ada@example.org", language="", now=NOON + HELD)
    assert invited(NOON + HELD) == ["ada@example.org"]  # again, with the link of the first time
    assert InvitedAddress.objects.filter(address="ada@example.org").count() == 1


def test_who_has_unsubscribed_gets_no_email(project):
    wait(link_to(project), "ada")
    unsubscribe(project=project, digest=digest_of(project, "ADA@example.org"), now=NOON)

    assert invited() == []


@pytest.mark.parametrize("change", [{"closed_at": NOON}, {"paused_at": NOON}, {"draft": True}])
def test_a_project_that_is_not_running_invites_nobody(project, change):
    wait(link_to(project), "ada")
    Project.objects.update(**change)

    assert invited() == []


def test_addresses_are_forgotten(project):
    wait(link_to(project), "ada")
    assert forget_waiting(NOON + KEPT) == 0
    assert forget_waiting(NOON + KEPT + timedelta(seconds=1)) == 1


def quota(project: Project, user, most: int, pool: str = "", language: str = ""):
    group = {"round_key": "main", "pool": pool, "language": language}
    return set_quota(project=project, most=most, actor=user, now=NOON, **group)


def test_links_of_a_language_stop_at_its_quota(project, user):
    czech, other, german = (
        link_to(project, language="cs"),
        link_to(project, language="cs"),
        link_to(project, language="de"),
    )
    row = quota(project, user, 1, language="cs")
    place = come(czech)

    for link in (czech, other):
        with pytest.raises(LinkClosed, match="Enough people of this group"):
            come(link)
    come(german)
    assert [(one.language, people) for one, people in quotas_of(project)] == [("cs", 1)]

    leave(participation_id=place.pk, reason="No time", now=NOON)  # makes room for another
    come(other)
    remove_quota(quota=row, actor=user, now=NOON)
    guard_link(czech, NOON)


def test_the_quota_of_a_pool_counts_however_people_come(project, user):
    quota(project, user, 1, pool="raters")
    come(link_to(project))

    with pytest.raises(LinkClosed):
        come(link_to(project))
    with pytest.raises(LinkClosed):
        come(link_to(project, pool=""))
    wait(link_to(project), "ada")
    assert invited() == []


def test_who_waits_counts_for_the_language_of_their_link(project, user):
    quota(project, user, 1, language="cs")
    wait(link_to(project, language="cs"), "ada", "ben")
    wait(link_to(project, language="de"), "cyd")

    assert sorted(invited()) == ["ada@example.org", "cyd@example.org"]
    join_by_link(link=InvitedAddress.objects.get(address="ada@example.org").link, user=user, now=NOON)
    assert [people for _quota, people in quotas_of(project)] == [1]
    assert invited(NOON + HELD) == []


def test_a_quota_has_a_group_of_the_project(project, user):
    for group in ({}, {"pool": "experts"}):
        with pytest.raises(Refusal):
            quota(project, user, 1, **group)
    quota(project, user, 1, pool="raters")
    assert quota(project, user, 5, pool="raters").most == 5
    assert WaitingPerson.objects.count() == 0 and project.quotas.count() == 1


@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_do_not_pass_a_quota(user):
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=3)
    quota(project, user, 1, language="cs")
    link = link_to(project, language="cs")

    outcomes = at_once(*[lambda: come(link)] * 3)

    assert sorted(type(one).__name__ for one in outcomes) == ["LinkClosed", "LinkClosed", "Participation"]
