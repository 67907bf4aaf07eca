"""Messages to many: who gets them, and that everybody gets them once."""

from uuid import uuid4

import pytest
from django.core import mail

from annotation.domain.errors import Refusal
from annotation.domain.messages.broadcasts import (
    Audience,
    Recipients,
    recipients_of,
    request_broadcast,
    with_counts,
)
from annotation.domain.messages.messages import mark_read, send_message
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.models import AuditEntry, Broadcast, Message, Participation, Project
from tests.factories import (
    NOON,
    add_pairs,
    answer_all,
    answer_session,
    at_once,
    join,
    make_project,
    make_user,
    rate_next,
    seat_outsider,
    validation_round,
)
from tests.jobs import attempt, work_off

pytestmark = pytest.mark.postgres

KEY = uuid4()


@pytest.fixture
def people(db) -> dict[str, Participation]:
    """One of each kind; the outsider has no address."""
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=6)
    places = {name: join(project, "main", make_user(name)) for name in ("new", "working", "finished", "gone")}
    rate_next(places["working"])
    answer_all(places["finished"])
    exclude(participation_id=places["gone"].pk, reason="Careless.", actor=None, now=NOON)
    return places | {"outsider": seat_outsider(project, "main", "prolific:5f")}


@pytest.fixture
def project(people) -> Project:
    return people["new"].project


def asked(project: Project, *places: Participation, text: str = "Please read 3.2.", key=KEY) -> Broadcast:
    recipients = Recipients(tuple(place.pk for place in places), 0)
    return request_broadcast(project=project, key=key, text=text, recipients=recipients, actor=None, now=NOON)


@pytest.mark.parametrize(
    ("audience", "names"),
    [
        (Audience.EVERYBODY, {"new", "working", "finished", "outsider"}),
        (Audience.NOT_BEGUN, {"new", "outsider"}),
        (Audience.AT_WORK, {"working"}),
        (Audience.RESTING, set()),
        (Audience.FINISHED, {"finished"}),
    ],
)
def test_an_audience_is_who_stands_there(people, project, audience, names):
    found = recipients_of(project, audience=audience)

    assert found.places == tuple(sorted(people[name].pk for name in names))
    assert found.unreachable == ("outsider" in names)
    assert recipients_of(project, audience=audience, round_key="elsewhere") == Recipients((), 0)


def test_who_rests_is_an_audience_too(user):
    place = validation_round(user)
    answer_session(place)

    assert recipients_of(place.project, audience=Audience.RESTING).places == (place.pk,)


def test_the_ticked_are_of_the_project_and_may_be_excluded(people, project):
    elsewhere = validation_round(make_user("elsewhere"), key="elsewhere")

    found = recipients_of(project, audience=Audience.CHOSEN, chosen=[people["gone"].pk, elsewhere.pk, 10**17])

    assert found.places == (people["gone"].pk,)


def test_who_has_two_places_gets_one_message(people, project):
    twice = Participation.objects.create(
        project=project, round="later", seat=1, annotator=people["new"].annotator, state="invited"
    )

    found = recipients_of(project, audience=Audience.NOT_BEGUN)

    assert found.places == (people["outsider"].pk, twice.pk)


def test_other_people_have_another_mark():
    marks = {Recipients(places, 0).mark for places in [(), (1,), (2,), (1, 2)]}

    assert len(marks) == 4


def test_everybody_gets_it_once_and_the_log_says_so(people, project):
    broadcast = asked(project, people["new"], people["outsider"])

    assert (work_off("broadcast", NOON), work_off("broadcast", NOON), Message.objects.count()) == (1, 0, 2)
    assert [letter.to for letter in mail.outbox] == [["new@example.org"]]
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "participation", "details__broadcast"))[1:] == [
        ("message to several asked for", None, broadcast.pk),
        ("message sent", people["new"].pk, broadcast.pk),
        ("message sent", people["outsider"].pk, broadcast.pk),
    ]
    mark_read(message=Message.objects.get(participation=people["outsider"]), now=NOON)
    counts = with_counts(Broadcast.objects.all()).values_list("reached", "mailed", "read", "state").get()
    assert counts == (2, 1, 1, "done")


def test_the_same_form_twice_is_one_message(people, project):
    first, second = (asked(project, people["new"]) for _click in range(2))

    assert (first, Broadcast.objects.count()) == (second, 1)
    assert AuditEntry.objects.filter(action="message to several asked for").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_are_one_message(user):
    place = validation_round(user)

    first, second = at_once(*[lambda: asked(place.project, place)] * 2)

    assert first == second
    assert AuditEntry.objects.filter(action="message to several asked for").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_the_same_moment_write_once_to_each(user):
    place = validation_round(user)
    asked(place.project, place)

    assert sum(at_once(*[lambda: work_off("broadcast", NOON)] * 2)) == 1
    assert Message.objects.count() == 1


def test_another_worker_goes_on_where_one_was_lost(people, project, user):
    broadcast = asked(project, people["new"], people["working"])
    send_message(participation_id=people["new"].pk, text="x", actor=user, broadcast=broadcast, now=NOON)

    assert attempt(broadcast) == "done"
    assert Message.objects.filter(broadcast=broadcast).count() == 2


def test_who_is_gone_by_then_is_left_out(people, project):
    broadcast = asked(project, people["new"], people["working"])
    Broadcast.objects.update(recipients=[*broadcast.recipients, 10**9])
    people["new"].annotator.erased_at = NOON
    people["new"].annotator.save()

    assert (attempt(broadcast), Message.objects.count()) == ("done", 1)


@pytest.mark.parametrize(
    ("text", "names", "fault"),
    [(" ", ["new"], "Enter a message"), ("x" * 5001, ["new"], "5000 characters"), ("Hello.", [], "Nobody matches")],
)
def test_what_makes_no_message_is_refused(people, project, text, names, fault):
    with pytest.raises(Refusal, match=fault):
        asked(project, *(people[name] for name in names), text=text)
    assert not Broadcast.objects.exists()
