"""By what managers know the people of a project who have no account of their own."""

import pytest

from annotation.domain.account.erasure import erase_annotator
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.guests import guest_for, nameless_guest
from annotation.domain.recruiting.links import join_by_link, make_link
from annotation.domain.recruiting.overview import annotator_for
from annotation.models import Annotator, InvitationLink, Membership, User
from tests.crowds import arrive, make_study, pid, worker
from tests.factories import NOON, add_pairs, at_once, make_project, make_user
from tests.views.sending import client_of

pytestmark = pytest.mark.postgres


def opened(people: int = 9, key: str = "project") -> InvitationLink:
    project = make_project(key=key)
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=people)
    return make_link(project=project, round_key="main", actor=None, now=NOON)


def come(link: InvitationLink) -> Annotator:
    return join_by_link(link=link, user=nameless_guest(project=link.project).user, now=NOON).annotator


def test_guests_without_an_address_are_numbered_in_their_project(db):
    link, other = opened(), opened(key="other")

    names = [come(link).name, come(link).name, come(other).name]

    assert names == ["Guest 1", "Guest 2", "Guest 1"]


@pytest.mark.django_db(transaction=True)
def test_guests_who_come_at_once_have_different_numbers():
    link = opened()

    people = at_once(*[lambda: come(link)] * 4)

    assert sorted(person.guest_number for person in people) == [1, 2, 3, 4]


def test_whoever_has_an_address_or_an_outside_id_is_known_by_it(user):
    link = opened()
    guest = guest_for(project=link.project, address="eva@example.org")
    people = {
        "account": annotator_for(link.project, user=user),
        "guest": join_by_link(link=link, user=guest.user, now=NOON).annotator,
        "outside": annotator_for(link.project, external_id="rater 7"),
        "prolific": arrive(make_study(link.project)).annotator,
        "mturk": arrive(make_study(link.project, platform="mturk", study_id="")).annotator,
    }

    assert {kind: person.name for kind, person in people.items()} == {
        "account": "ann@example.org",
        "guest": "eva@example.org",
        "outside": "rater 7",
        "prolific": f"Prolific {pid()}",
        "mturk": f"MTurk {worker()}",
    }
    assert {str(person) for person in people.values()} == {person.name for person in people.values()}


def test_a_guest_who_gives_an_address_later_is_known_by_it(db):
    person = come(opened())
    User.objects.filter(pk=person.user_id).update(email="late@example.org")

    assert Annotator.objects.get(pk=person.pk).name == "late@example.org"


def test_whoever_is_erased_is_a_pseudonym_and_no_number(db):
    link = opened()
    erased = erase_annotator(annotator=come(link), now=NOON)

    assert (erased.name, erased.guest_number) == (erased.pseudonym, None)


@pytest.mark.parametrize(
    ("name", "email", "shown"),
    [("guest-x", "", "Guest"), ("crowd-x", "", "Guest"), ("guest-x", "a@b.org", "a@b.org"), ("ann", "", "ann")],
)
def test_an_account_is_never_shown_by_a_name_drawn_by_chance(name, email, shown):
    assert User(username=name, email=email).shown_name == shown


def test_no_page_shows_the_name_of_a_guests_account(db):
    link = opened()
    place = join_by_link(link=link, user=nameless_guest(project=link.project).user, now=NOON)
    crowd = arrive(make_study(link.project))
    manager = make_user("manager")
    add_member(project=link.project, user=manager, role=Membership.Role.OWNER)
    client, people = client_of(manager), "/projects/project/people/"
    one = f"{people}{place.pk}/"
    pages = [people, one, f"{people}{crowd.pk}/", f"{one}exclude/", f"{one}do/message/"]
    pages += ["/projects/project/watch/", "/projects/project/recruiting/guests/", "/projects/project/log/"]

    shown = {page: client.get(page) for page in pages}
    own = client_of(place.annotator.user).get("/").text

    assert {page.status_code for page in shown.values()} == {200}
    assert [path for path, page in shown.items() if "guest-" in page.text or "crowd-" in page.text] == []
    for path in (people, one, "/projects/project/recruiting/guests/"):
        assert "Guest 1" in shown[path].text, path
    assert f"Prolific {pid()}" in shown[people].text
    assert ("guest-" in own, '<summary><span dir="auto">Guest</span></summary>' in own) == (False, True)
