"""Acts that ask first, say whether they can be undone, and offer an Undo where they can."""

import re

import pytest

from annotation.domain.account.tokens import make_token
from annotation.domain.planning.rounds import plan_round
from annotation.models import ApiToken, InvitationLink, Project
from tests.api.worlds import member
from tests.factories import add_pairs, make_project, seat_outsider
from tests.views.sending import client_of
from tests.watching.worlds import seat, watched

HOME = "/projects/project/"
UNDO = re.compile(r'<form class="undo success" method="post" action="([^"]+)">')


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=2)
    Project.objects.update(draft=True)
    project.refresh_from_db()
    return project


@pytest.fixture
def client(project):
    return client_of(member(project, "owner"))


def acted(client, path: str, **sent: str) -> str:
    """The address of the Undo that is offered after an act."""
    page = client.post(f"{HOME}{path}", sent, follow=True)
    (address,) = UNDO.findall(page.text)
    return address


def test_a_launch_asks_and_is_undone_until_somebody_has_a_place(project, client):
    asked = client.get(f"{HOME}setup/launch/")
    project.refresh_from_db()
    assert ("You can undo the launch" in asked.text, project.launched_at) == (True, None)

    undo = acted(client, "setup/launch/")
    assert undo in client.get(f"{HOME}setup/").text
    client.post(undo)
    project.refresh_from_db()
    assert (project.draft, project.launched_at) == (True, None)

    acted(client, "setup/launch/")
    seat_outsider(project, "main", "somebody")
    assert undo not in client.get(f"{HOME}setup/").text
    page = client.post(undo, follow=True)
    project.refresh_from_db()
    assert project.launched_at is not None and "because an annotator already has a place" in page.text
    actions = list(project.audit_entries.order_by("pk").values_list("action", flat=True))
    assert actions == ["project launched", "launch taken back", "project launched"]


def test_closing_is_undone(project, client):
    Project.objects.update(draft=False)

    undo = acted(client, "setup/close/", reason="All is there.")
    project.refresh_from_db()
    closed = project.closed_at
    client.post(undo)

    project.refresh_from_db()
    assert closed is not None and project.closed_at is None


@pytest.mark.parametrize("kind", ["standing", "open"])
def test_withdrawing_a_link_asks_and_is_undone(project, client, kind):
    link = InvitationLink.objects.create(
        project=project, round="main", pool="raters", kind=kind, token="t" if kind == "open" else ""
    )
    path = (
        "recruiting/standing/revoke/?place=main/raters" if kind == "standing" else f"recruiting/links/{link.pk}/revoke/"
    )

    asked = client.get(f"{HOME}{path}").text
    assert InvitationLink.objects.filter(revoked_at=None).exists()
    undo = acted(client, path)
    link.refresh_from_db()
    revoked = link.revoked_at
    listed = client.get(f"{HOME}recruiting/").text
    client.post(undo)

    link.refresh_from_db()
    assert "You can undo this at any time." in asked
    assert revoked is not None and link.revoked_at is None
    assert f'action="{undo}"' in listed  # also later


def test_an_exclusion_is_undone_at_once(db):
    project = watched()
    client = client_of(member(project, "manager"))
    place = seat(project, 1)

    undo = acted(client, f"people/{place.pk}/exclude/", reason="Too quick.")
    place.refresh_from_db()
    state = place.state
    client.post(undo)

    place.refresh_from_db()
    assert (state, place.state) == ("excluded", "finished")


def test_removing_members_and_questions_asks_first(project, client):
    question = project.questions.create(position=1, text="How old are you?")
    researcher = project.memberships.get(user=member(project, "researcher"))
    paths = {
        f"setup/questions/{question.pk}/remove/": "This cannot be undone.",
        f"members/{researcher.pk}/remove/": "again",
    }

    for path, said in paths.items():
        assert said in client.get(f"{HOME}{path}").text
    assert (project.questions.count(), project.memberships.count()) == (1, 2)
    for path in paths:
        client.post(f"{HOME}{path}")

    assert (project.questions.count(), project.memberships.count()) == (0, 1)


def test_excluding_several_people_is_undone_for_all_of_them_together(project, client):
    Project.objects.update(draft=False)
    places = [seat_outsider(project, "main", name).pk for name in ("ann", "ben")]

    undo = acted(client, "people/bulk/", action="exclude", place=",".join(map(str, places)), reason="Both clicked.")
    states = project.participations.filter(pk__in=places).order_by("pk").values_list("state", flat=True)
    assert list(states) == ["excluded"] * 2

    page = client.post(undo, follow=True)
    assert "2 annotators were reinstated." in page.text
    assert "excluded" not in list(states.all())
    assert client.post(undo, follow=True).text.count("0 annotators were reinstated.") == 1


def test_tokens_webhooks_and_rehearsals_ask_before_they_are_gone(project, client):
    owner = project.memberships.get(role="owner").user
    token, _key = make_token(user=owner, name="script", scope="read", project=None, days=30)
    hook = project.webhooks.create(url="https://example.org/hook", events=[])
    rehearsal = project.own_rehearsals.create(state="done")
    for path, rows in (
        (f"/account/tokens/{token.token_key}/revoke/", ApiToken.objects),
        (f"{HOME}webhooks/{hook.pk}/remove/", project.webhooks),
        (f"{HOME}rehearsals/{rehearsal.pk}/discard/", project.own_rehearsals),
    ):
        asked = client.get(path)
        assert (asked.status_code, "This cannot be undone" in asked.text, rows.count()) == (200, True, 1), path
        client.post(path)
        assert rows.count() == 0, path
