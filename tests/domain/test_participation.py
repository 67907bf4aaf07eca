"""Consent, pauses, leaving and exclusion."""

import csv
from datetime import timedelta

import pytest

from annotation.domain.errors import Refusal, TooEarly, WrongScreen
from annotation.domain.participation.flow import Rest, Screen, where_now
from annotation.domain.participation.lifecycle import begin_session, consent, exclude, leave, shorten_pause, show
from annotation.domain.recruiting.overview import annotator_for
from annotation.models import AuditEntry, Participation
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from scoring.exports.judgments import export_judgments
from tests.factories import (
    NOON,
    answer_all,
    answer_session,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
    select_next,
    selection_round,
    validation_round,
)
from tests.releases.making import frozen_now

pytestmark = pytest.mark.postgres

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
END = NOON + 72 * HOUR


def screens(participation: Participation) -> list[tuple]:
    rows = participation.assignments.order_by("session", "position")
    return list(rows.values_list("session", "context", "block", "position", "item", "sentence"))


def entries(participation: Participation) -> list[tuple]:
    rows = AuditEntry.objects.filter(participation=participation, project=participation.project)
    return list(rows.values_list("action", "reason", "actor__username", "details", "at"))


def test_consent_given_twice_keeps_the_first_time(user):
    participation = rating_round(user)

    consent(participation_id=participation.pk, now=NOON + HOUR)

    participation = reread(participation)
    assert (participation.state, participation.consented_at) == ("active", NOON)


def test_consent_after_leaving_changes_nothing(user):
    participation = rating_round(user)
    leave(participation_id=participation.pk, reason="Ill.", now=NOON)
    Participation.objects.filter(pk=participation.pk).update(consented_at=None)

    consent(participation_id=participation.pk, now=NOON)

    participation = reread(participation)
    assert (participation.state, participation.consented_at) == ("left", None)


def test_show_keeps_the_first_time(user):
    participation = rating_round(user)
    stale = present_screen(participation)
    show(present_screen(participation), NOON)

    show(present_screen(participation), NOON + HOUR)
    show(stale, NOON + HOUR)

    assert participation.assignments.get(position=1).shown_at == NOON


@pytest.mark.parametrize("round_key", ["R2", "R3"])
def test_begin_session_one_second_early(user, round_key):
    """The pause of R2 is recommended, that of R3 enforced."""
    participation = answer_session(validation_round(user, round_key))

    if round_key == "R3":
        with pytest.raises(TooEarly):
            begin_session(participation_id=participation.pk, now=END - SECOND)
    else:
        begin_session(participation_id=participation.pk, now=END - SECOND)

    here = where_now(reread(participation), END - SECOND)
    assert here == Rest(END, enforced=True, over=False) if round_key == "R3" else isinstance(here, Screen)


def test_begin_session_at_the_second(user):
    participation = answer_session(validation_round(user))

    begin_session(participation_id=participation.pk, now=END)

    screen = present_screen(participation, END)
    assert (screen.session, screen.context, screen.position) == (2, "dependent", 1)


def test_begin_session_twice_is_refused(user):
    participation = answer_session(validation_round(user))
    begin_session(participation_id=participation.pk, now=END)

    with pytest.raises(WrongScreen, match="This session has already started"):
        begin_session(participation_id=participation.pk, now=END)


def test_a_shortened_pause_opens_earlier_is_logged_and_told(user, tmp_path):
    participation = answer_session(validation_round(user))
    actor = make_user("manager")
    until = NOON + 10 * HOUR

    shorten_pause(participation_id=participation.pk, until=until, reason=" Holiday. ", actor=actor, now=NOON + HOUR)

    with pytest.raises(TooEarly):
        begin_session(participation_id=participation.pk, now=until - SECOND)
    begin_session(participation_id=participation.pk, now=until)
    assert entries(participation) == [
        (
            "pause shortened",
            "Holiday.",
            "manager",
            {"from": "2026-03-05T12:00:00Z", "to": "2026-03-02T22:00:00Z"},
            NOON + HOUR,
        )
    ]
    export_judgments(frozen_now(participation.project), tmp_path)
    with (tmp_path / "judgments.csv").open() as file:
        assert {row["pause_shortened"] for row in csv.DictReader(file)} == {"1"}


@pytest.mark.parametrize(
    ("until", "reason", "now", "refusal"),
    [
        (NOON + HOUR, " ", NOON, "Give a reason. It is stored in the audit log."),
        (END, "Holiday.", NOON, "The new end of the pause must be earlier than the current one."),
        (END + HOUR, "Holiday.", NOON, "The new end of the pause must be earlier than the current one."),
        (END - HOUR, "Holiday.", END, "Only a pause in progress can be shortened."),
    ],
)
def test_shorten_pause_refuses(user, until, reason, now, refusal):
    participation = answer_session(validation_round(user))

    with pytest.raises(Refusal) as error:
        shorten_pause(participation_id=participation.pk, until=until, reason=reason, actor=None, now=now)

    participation = reread(participation)
    assert str(error.value) == refusal
    assert (participation.rest_until, participation.rest_shortened, entries(participation)) == (END, False, [])


def test_a_pause_shortened_to_a_time_that_is_past_ends_now(user):
    participation = answer_session(validation_round(user))

    shorten_pause(participation_id=participation.pk, until=NOON - HOUR, reason="Holiday.", actor=None, now=NOON)

    assert reread(participation).rest_until == NOON


def test_shorten_pause_without_a_pause_is_refused(user):
    participation = validation_round(user)

    with pytest.raises(Refusal, match="Only a pause in progress can be shortened"):
        shorten_pause(participation_id=participation.pk, until=NOON, reason="Holiday.", actor=None, now=NOON)


def test_leaving_passes_on_what_is_open_with_its_calibration(user):
    participation = validation_round(user, "R2", calibration=2, main=3, intra=1)
    for _ in range(3):
        rate_next(participation)
    before = screens(participation)

    leave(participation_id=participation.pk, reason="  No time. ", now=NOON)

    left = reread(participation)
    passed_on = [row for row in before if row[2] != "intra" and (row[0], row[3]) != (1, 3)]
    assert (left.state, left.reason, screens(left)) == ("left", "No time.", before)
    assert screens(left.refill) == passed_on
    assert entries(left) == [("left", "", None, {"refill": 2}, NOON)]


def test_a_refill_is_a_free_place_like_the_one_left(user):
    participation = validation_round(user)
    Participation.objects.update(pool="crowd", validates=participation)

    leave(participation_id=participation.pk, reason="", now=NOON)

    row = Participation.objects.filter(replaces=participation).values().get()
    assert row == {
        "id": row["id"],
        "project_id": participation.project_id,
        "round": "R3",
        "seat": 2,
        "pool": "crowd",
        "annotator_id": None,
        "state": "invited",
        "reason": "",
        "ended_from": "",
        "reassigned": False,
        "passed_on": False,
        "consent_version": None,
        "validates_id": participation.pk,
        "replaces_id": participation.pk,
        "invited_at": None,
        "most": None,
        "consented_at": None,
        "asking": False,
        "practising": False,
        "rest_until": None,
        "rest_shortened": False,
        "reminded_at": None,
        "due_at": None,
        "due_closes": False,
        "due_reminded_at": None,
        "stopped_reminded_at": None,
        "finished_at": None,
        "screened_at": None,
    }
    assert reread(participation).reason == "No reason given."


def test_leaving_at_rest_passes_on_the_second_session_only(user):
    participation = answer_session(validation_round(user, "R2"))
    second = [row for row in screens(participation) if row[0] == 2 and row[2] != "intra"]

    leave(participation_id=participation.pk, reason="", now=NOON)

    assert screens(reread(participation).refill) == second


def test_leaving_in_the_last_intra_block_needs_no_refill(user):
    participation = answer_session(validation_round(user, "R2"))
    begin_session(participation_id=participation.pk, now=NOON)
    while present_screen(participation).block != "intra":
        rate_next(participation)

    leave(participation_id=participation.pk, reason="", now=NOON)

    assert entries(participation) == [("left", "", None, {"refill": None}, NOON)]
    assert Participation.objects.count() == 1


def test_a_begun_incident_is_passed_on_whole(user):
    participation = selection_round(user, incidents=3)
    for _ in range(4):
        select_next(participation)
    before = screens(participation)

    leave(participation_id=participation.pk, reason="", now=NOON)

    refill = reread(participation).refill
    owners = {assignment.sentence.document.incident_id: refill.pk for assignment in refill.assignments.all()}
    first = participation.assignments.get(position=1).sentence.document.incident_id
    assert screens(refill) == before[3:]
    assert dict(participation.project.incidents.values_list("pk", "participation")) == owners | {
        first: participation.pk
    }


def test_a_begun_incident_is_done_again_without_meeting_the_older_answers(user):
    participation = selection_round(user, incidents=1)
    select_next(participation)
    leave(participation_id=participation.pk, reason="", now=NOON)
    refill = reread(participation).refill
    from_scratch = [(row.answered_at, row.shown_at) for row in refill.assignments.all()]

    assert from_scratch == [(None, None)] * 3


@pytest.mark.parametrize("end", ["left", "excluded", "finished"])
def test_leaving_after_the_end_is_refused(user, end):
    participation = rating_round(user)
    if end == "finished":
        answer_all(participation)
    elif end == "left":
        leave(participation_id=participation.pk, reason="", now=NOON)
    else:
        exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)
    places = Participation.objects.count()

    with pytest.raises(Refusal, match=r"^This round has already ended for you.$"):
        leave(participation_id=participation.pk, reason="", now=NOON)

    assert (reread(participation).state, Participation.objects.count()) == (end, places)


@pytest.mark.parametrize("answered", [0, 2, 8])
def test_exclusion_passes_on_every_screen_but_the_personal_ones(user, answered):
    participation = validation_round(user, "R2")
    for _ in range(answered):
        if isinstance(where_now(reread(participation), NOON), Rest):
            begin_session(participation_id=participation.pk, now=NOON)
        rate_next(participation)
    actor = make_user("manager")

    exclude(participation_id=participation.pk, reason="Careless. ", actor=actor, now=NOON)

    out = reread(participation)
    assert (out.state, out.reason) == ("excluded", "Careless.")
    assert screens(out.refill) == [row for row in screens(out) if row[2] != "intra"]
    assert entries(out) == [("excluded", "Careless.", "manager", {"refill": 2}, NOON)]


def test_an_excluded_person_stays_in_the_log_and_counts_no_more(user):
    participation = rating_round(user)
    rate_next(participation)

    exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)

    judgments = judgments_of(participation.project)
    assert (judgments.count(), counted(judgments).count()) == (1, 0)


def test_exclusion_of_whoever_selected_passes_on_all_incidents(user):
    participation = selection_round(user, incidents=2)
    for _ in range(4):
        select_next(participation)

    exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)

    refill = reread(participation).refill
    assert screens(refill) == screens(participation)
    assert set(participation.project.incidents.values_list("participation", flat=True)) == {refill.pk}


def left_and_excluded(participation: Participation, taken_by: str = "") -> Participation:
    """Somebody who left, whose place was then taken or is still free, and who is excluded at last."""
    leave(participation_id=participation.pk, reason="", now=NOON)
    if taken_by:
        newcomer = annotator_for(participation.project, external_id=taken_by)
        Participation.objects.filter(replaces=participation).update(annotator=newcomer)
    exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)
    return reread(participation)


def test_exclusion_of_somebody_who_left_adds_the_rest_to_the_free_place(user):
    participation = validation_round(user, "R2", calibration=2, main=3, intra=1)
    for _ in range(3):
        rate_next(participation)

    out = left_and_excluded(participation)

    assert (out.state, out.ended_from, out.refills.count()) == ("excluded", "left", 1)
    assert screens(out.refill) == [row for row in screens(out) if row[2] != "intra"]
    assert entries(out)[0] == ("excluded", "Careless.", None, {"refill": 2}, NOON)


def test_exclusion_of_somebody_who_left_keeps_the_place_that_is_taken(user):
    participation = validation_round(user, "R2", calibration=2, main=3, intra=1)
    for _ in range(4):
        rate_next(participation)
    answered = screens(participation)[:4]

    out = left_and_excluded(participation, "newcomer")

    kept, refill = out.refills.order_by("seat")
    passed_on = [row for row in screens(out) if row[2] != "intra" and (row[0], row[3]) not in {(1, 3), (1, 4)}]
    assert (screens(kept), kept.annotator.external_id) == (passed_on, "newcomer")
    assert (screens(refill), refill.annotator, refill.seat) == (answered, None, 3)
    assert entries(out)[0] == ("excluded", "Careless.", None, {"refill": 3}, NOON)


def test_exclusion_of_somebody_who_left_after_the_last_pair_passes_on_everything(user):
    participation = answer_session(validation_round(user, "R2"))
    begin_session(participation_id=participation.pk, now=NOON)
    while present_screen(participation).block != "intra":
        rate_next(participation)

    out = left_and_excluded(participation)

    assert screens(out.refill) == [row for row in screens(out) if row[2] != "intra"]


@pytest.mark.parametrize("taken_by", ["", "newcomer"])
def test_exclusion_of_somebody_who_left_without_an_answer_changes_no_place(user, taken_by):
    out = left_and_excluded(rating_round(user), taken_by)

    assert (out.state, screens(out.refills.get())) == ("excluded", screens(out))
    assert entries(out)[0][3] == {"refill": None}


@pytest.mark.parametrize("taken_by", ["", "newcomer"])
def test_exclusion_of_somebody_who_left_passes_on_finished_incidents(user, taken_by):
    participation = selection_round(user, incidents=3)
    for _ in range(4):
        select_next(participation)

    out = left_and_excluded(participation, taken_by)

    first, *rest = out.refills.order_by("seat")
    done, begun = screens(out)[:3], screens(out)[3:]
    assert [screens(place) for place in (first, *rest)] == ([begun, done] if taken_by else [done + begun])
    assert not out.incidents.exists()
    assert [place.incidents.count() for place in (first, *rest)] == ([2, 1] if taken_by else [3])


def test_exclusion_of_a_free_place_is_refused(user):
    free = rating_round(user).project.participations.get(annotator=None)

    with pytest.raises(Refusal, match=r"^This place is still free.$"):
        exclude(participation_id=free.pk, reason="Careless.", actor=None, now=NOON)


@pytest.mark.parametrize(
    ("times", "reason", "refusal"),
    [
        (1, " ", "Give a reason. It is stored in the audit log."),
        (2, "Careless.", "This annotator is already excluded from the round."),
    ],
)
def test_exclusion_is_refused(user, times, reason, refusal):
    participation = rating_round(user)
    for _ in range(times - 1):
        exclude(participation_id=participation.pk, reason=reason, actor=None, now=NOON)
    places = Participation.objects.count()

    with pytest.raises(Refusal) as error:
        exclude(participation_id=participation.pk, reason=reason, actor=None, now=NOON)

    assert (str(error.value), Participation.objects.count()) == (refusal, places)
