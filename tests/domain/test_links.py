"""Invitation links: a limit that holds, an end, and withdrawal."""

from datetime import timedelta

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.links import (
    LinkClosed,
    NoLink,
    find_link,
    guard_link,
    join_by_link,
    make_link,
    path_of,
    places_of,
    revoke_link,
    standing_link,
    standing_links,
    with_uses,
)
from annotation.domain.recruiting.overview import Invitation, join_round, write_invitation
from annotation.models import AuditEntry, InvitationLink, LinkUse, Participation, Project
from tests.factories import NOON, add_pairs, at_once, make_project, make_user

pytestmark = pytest.mark.postgres

HOUR = timedelta(hours=1)


def planned(people: int = 3) -> Project:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=people)
    return project


def link_to(project: Project, **values: object) -> InvitationLink:
    return make_link(project=project, round_key="main", actor=None, now=NOON, **values)


def test_a_link_leads_to_a_place_and_counts_it(user):
    link = link_to(planned())

    place = join_by_link(link=link, user=user, now=NOON)

    assert (place.annotator.user, place.seat) == (user, 1)
    assert with_uses(InvitationLink.objects.all()).get().used == 1
    assert LinkUse.objects.get().at == NOON


def test_who_has_a_place_does_not_use_a_link(user):
    project = planned()
    place = join_round(project=project, round_key="main", user=user)
    link = link_to(project, most=1)

    assert join_by_link(link=link, user=user, now=NOON) == place
    assert not LinkUse.objects.exists()


def test_tokens_are_long_and_all_different(db):
    project = planned()

    tokens = {link_to(project).token for _ in range(20)}

    assert len(tokens) == 20
    assert min(map(len, tokens)) == 32  # of 64 signs: 192 bits


@pytest.mark.parametrize(
    ("state", "told"),
    [("revoked", "has been revoked"), ("expired", "has expired"), ("full", "The maximum number of people have")],
)
def test_a_link_that_has_ended_says_how(user, state, told):
    link = link_to(planned(), most=1, expires_at=NOON + HOUR)
    if state == "revoked":
        revoke_link(link=link, actor=None, now=NOON)
    if state == "full":
        join_by_link(link=link, user=make_user("ben"), now=NOON)
    now = NOON + HOUR if state == "expired" else NOON

    with pytest.raises(LinkClosed, match=told):
        join_by_link(link=link, user=user, now=now)

    assert Participation.objects.filter(annotator__user=user).count() == 0


def test_a_link_that_would_have_run_out_is_not_made(db):
    with pytest.raises(Refusal, match="This time has already passed"):
        link_to(planned(), expires_at=NOON)


@pytest.mark.parametrize(("round_key", "pool"), [("R9", ""), ("main", "nobody")])
def test_a_link_to_what_is_not_there_is_not_made(db, round_key, pool):
    with pytest.raises(Refusal, match="no such round or pool"):
        make_link(project=planned(), round_key=round_key, pool=pool, actor=None, now=NOON)


def test_withdrawing_twice_is_logged_once(user):
    link = link_to(planned())

    for _ in range(2):
        revoke_link(link=link, actor=user, now=NOON)

    assert list(AuditEntry.objects.order_by("pk").values_list("action", "actor")) == [
        ("link made", None),
        ("link withdrawn", user.pk),
    ]


def test_links_are_found_by_their_token_or_signature(db):
    project = planned()
    own, standing = link_to(project), write_invitation(Invitation("project", "main"))

    assert find_link(own.token) == own
    assert (find_link(standing).kind, find_link(standing).pk) == ("standing", None)
    for token in ("", "nothing", standing[:-1], write_invitation(Invitation("project", "R9"))):
        with pytest.raises(NoLink):
            find_link(token)
    with pytest.raises(NoLink):
        find_link(write_invitation(Invitation("elsewhere", "main")))


def test_a_standing_link_is_stored_when_it_is_needed_and_can_be_withdrawn(user):
    project = planned()
    pool = places_of(project).popitem()[0][1]
    token = write_invitation(Invitation("project", "main", pool))
    join_by_link(link=find_link(token), user=user, now=NOON)
    assert [(one.round, one.used) for one in standing_links(project)] == [("main", 1)]

    revoke_link(link=standing_link(project, "main", pool), actor=None, now=NOON)

    with pytest.raises(LinkClosed, match="has been revoked"):
        guard_link(find_link(token), NOON)
    assert InvitationLink.objects.count() == 1


def test_a_standing_link_goes_by_its_signature(db):
    project = planned()

    (link,) = standing_links(project)

    assert find_link(path_of(link).split("/")[2]).round == "main"


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_has_the_last_use():
    link = link_to(planned(people=8), most=3)
    users = [make_user(f"u{number}") for number in range(6)]

    outcomes = at_once(*[lambda user=user: join_by_link(link=link, user=user, now=NOON) for user in users])

    assert sorted(type(one).__name__ for one in outcomes) == ["LinkClosed"] * 3 + ["Participation"] * 3
    assert LinkUse.objects.count() == 3
    assert Participation.objects.filter(annotator__isnull=False).count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_standing_link_used_by_several_at_once_is_stored_once():
    project = planned(people=4)
    token = write_invitation(Invitation("project", "main"))
    users = [make_user(f"u{number}") for number in range(4)]

    at_once(*[lambda user=user: join_by_link(link=find_link(token), user=user, now=NOON) for user in users])

    assert (InvitationLink.objects.count(), LinkUse.objects.count()) == (1, 4)
    assert project.participations.filter(annotator__isnull=True).count() == 0


def test_a_link_of_a_closed_project_says_so_before_anybody_asks_for_an_e_mail(db):
    project = planned()
    link = link_to(project)
    guard_link(link, NOON)

    link.project.closed_at = NOON

    with pytest.raises(LinkClosed, match="This project is closed"):
        guard_link(link, NOON)
