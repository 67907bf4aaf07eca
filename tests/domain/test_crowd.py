"""People from crowd platforms: how they come in, and with what they go back."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotation.domain.errors import Refusal
from annotation.domain.participation.flow import Ended, where_now
from annotation.domain.participation.lifecycle import begin_session, exclude, leave
from annotation.domain.recruiting.crowd.arrival import (
    Arrival,
    FullUp,
    NotRecruiting,
    enter,
    find_study,
    place_at,
    read_mturk_ids,
    read_prolific_ids,
    read_ticket,
    write_ticket,
)
from annotation.domain.recruiting.crowd.bonuses import plan_bonuses
from annotation.domain.recruiting.crowd.completion import Way, refused_consent, sessions_counted, way_back
from annotation.domain.recruiting.crowd.studies import finishers, save_study
from annotation.models import Annotator, AuditEntry, CrowdStudy, CrowdSubmission, Judgment, Participation, Project
from tests.crowds import SECOND, STUDY, arrive, make_study, pid, sid, two_sessions, worker
from tests.factories import NOON, answer_all, answer_session, at_once, make_project, rate_next, reread

pytestmark = pytest.mark.postgres

PAUSE_OVER = NOON + timedelta(hours=73)
IDS = {"PROLIFIC_PID": pid(), "STUDY_ID": STUDY, "SESSION_ID": sid()}


def told(place: Participation, now=NOON) -> tuple[str, str]:
    """The way back and its code."""
    place = reread(place)
    way = way_back(place, where_now(place, now))
    return way.way.value, way.code


def test_ids_of_prolific_are_read():
    assert read_prolific_ids(IDS | {"more": "1"}) == IDS


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("value", ["", "{{%PROLIFIC_PID%}}", "5" * 23, "g" * 24, "5" * 24 + "\n"])
def test_ids_that_are_missing_or_wrong_are_named(name, value):
    with pytest.raises(Refusal, match=f"{name} is missing or wrong"):
        read_prolific_ids(IDS | {name: value})


def test_ids_of_mturk_are_read():
    ids = {"workerId": worker(), "assignmentId": "3ABCDEFGHIJ", "hitId": "3HITHITHITHIT"}

    assert read_mturk_ids(ids) == ids
    with pytest.raises(Refusal, match="workerId, hitId is missing or wrong"):
        read_mturk_ids({"assignmentId": "3ABCDEFGHIJ", "workerId": "<b>"})


@pytest.mark.parametrize("hidden", [{"draft": True}, {"key": "renamed"}])
def test_a_project_that_admits_nobody_looks_like_none(db, hidden):
    study = make_study()
    which = {"platform": "prolific", "key": "project", "round_key": "main", "study_id": STUDY}
    assert find_study(**which) == study

    Project.objects.update(**hidden)

    with pytest.raises(NotRecruiting):
        find_study(**which)


def test_a_ticket_cannot_be_made_up():
    arrival = Arrival(1, pid(), sid())

    assert read_ticket(write_ticket(arrival)) == arrival
    with pytest.raises(Refusal, match="This page has expired"):
        read_ticket(write_ticket(arrival)[:-1])


def test_somebody_new_gets_a_place_with_consent_given(db):
    study = make_study()

    place = arrive(study)

    assert (place.state, place.consented_at, place.seat) == ("active", NOON, 1)
    assert place.annotator.external_id == f"prolific:{pid()}"
    user = place.annotator.user
    assert (user.email, user.has_usable_password(), pid() in user.username) == ("", False, False)
    submission = CrowdSubmission.objects.get()
    assert (submission.study, submission.participation, submission.submission_id) == (study, place, sid())


def test_whoever_comes_again_with_a_new_submission_goes_on(db):
    study = make_study()
    place = arrive(study)
    rate_next(place)

    again = arrive(study, submission=9, now=NOON + timedelta(days=1))

    assert (again, again.annotator.user) == (place, place.annotator.user)
    assert again.consented_at == NOON
    assert CrowdSubmission.objects.count() == 2
    assert Judgment.objects.count() == 1


def test_a_submission_belongs_to_one_person(db):
    study = make_study()
    arrive(study)

    with pytest.raises(Refusal, match="do not belong together"):
        arrive(study, 2, submission=1)

    assert Annotator.objects.count() == 1


def test_a_study_that_is_full_takes_nobody_and_keeps_nothing(db):
    study = make_study()
    for number in (1, 2, 3):
        arrive(study, number)

    with pytest.raises(Refusal, match="All places"):
        arrive(study, 4)

    assert Annotator.objects.count() == CrowdSubmission.objects.count() == 3


def test_a_closed_study_lets_only_those_in_who_have_a_place(db):
    study = make_study()
    place = arrive(study)
    CrowdStudy.objects.update(open=False)

    assert arrive(study) == place
    with pytest.raises(NotRecruiting):
        arrive(study, 2)


@pytest.mark.django_db(transaction=True)
def test_one_person_who_comes_twice_at_once_has_one_place():
    study = make_study()

    places = at_once(*[lambda number=number: arrive(study, 1, number) for number in (1, 2, 3)])

    assert len({place.pk for place in places}) == 1
    assert (Annotator.objects.count(), CrowdSubmission.objects.count()) == (1, 3)


def test_the_code_comes_when_every_judgment_is_counted(db):
    place = arrive(make_study())
    assert told(place) == ("going on", "")

    answer_all(place)
    assert told(place) == ("complete", "DONE1")

    Judgment.objects.first().delete()
    assert told(place) == ("going on", "")
    assert sessions_counted(reread(place)) == set()


def test_without_a_code_of_the_platform_everybody_gets_their_own(db):
    study = make_study(platform="mturk", study_id="", completion_code="")
    codes = [told(answer_all(arrive(study, number)))[1] for number in (1, 2)]

    assert len(set(codes)) == 2
    assert all(len(code) == 8 for code in codes)


def test_a_code_leads_to_prolific(db):
    place = answer_all(arrive(make_study(completion_code="A&B")))

    way = way_back(place, where_now(place, NOON))

    assert way.url == "https://app.prolific.com/submissions/complete?cc=A%26B"


def test_two_sessions_are_two_studies_with_codes_of_their_own(user):
    place, first, second = two_sessions(user)
    assert told(place) == ("going on", "")

    answer_session(place)
    assert told(place) == ("complete", "DONE1")
    assert finishers(first) == [pid()]

    arrive(second, submission=2, now=NOON + timedelta(hours=1))
    assert told(place, NOON + timedelta(hours=1)) == ("early", "")
    arrive(second, submission=2, now=PAUSE_OVER)
    assert told(place, PAUSE_OVER) == ("going on", "")
    begin_session(participation_id=place.pk, now=PAUSE_OVER)
    assert told(place, PAUSE_OVER) == ("going on", "")
    answer_session(place, PAUSE_OVER)
    assert told(place, PAUSE_OVER) == ("complete", "DONE2")

    arrive(first, now=PAUSE_OVER + timedelta(hours=1))
    assert told(place, PAUSE_OVER) == ("complete", "DONE1")


def test_a_second_study_takes_only_those_of_the_first(user):
    _place, _first, second = two_sessions(user)

    with pytest.raises(FullUp, match="continues an earlier one"):
        arrive(second, 7)

    assert place_at(second, pid(7)) is None


def test_whoever_leaves_goes_back_without_a_code(db):
    place = arrive(make_study())
    leave(participation_id=place.pk, reason="", now=NOON)

    assert told(place) == ("ended", "")


def test_whoever_is_excluded_after_the_work_still_gets_the_code(db):
    """The work was done; whether it is paid is settled on the platform."""
    place = answer_all(arrive(make_study()))
    exclude(participation_id=place.pk, reason="Contradicts the labels.", actor=None, now=NOON)

    assert told(place) == ("complete", "DONE1")
    assert isinstance(where_now(reread(place), NOON), Ended)


def test_whoever_came_by_themselves_has_no_way_back(user):
    place, *_ = two_sessions(user)
    CrowdSubmission.objects.all().delete()

    assert way_back(place, where_now(place, NOON)) is None


def test_who_does_not_agree_goes_back_with_that_code(db):
    way = refused_consent(make_study())

    assert (way.way, way.code) == (Way.NO_CONSENT, "NO1")


def test_a_study_is_saved_and_logged(user):
    study = make_study()
    study.completion_code = "OTHER"

    save_study(study=study, actor=user, now=NOON)
    new = CrowdStudy(project=study.project, round=study.round, pool=study.pool, platform="mturk")
    save_study(study=new, actor=user, now=NOON)

    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "crowd study changed",
        "crowd study added",
    ]
    assert "OTHER" not in str(AuditEntry.objects.last().details)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"round": "R9"}, "no such round"),
        ({"session": 2}, "The session number is too high"),
        ({"study_id": ""}, "For Prolific, enter the study ID"),
        ({"completion_code": ""}, "For Prolific, enter the study ID"),
        ({"study_id": STUDY[:-1]}, "has 24 characters"),
        ({"study_id": "A" * 24}, "has 24 characters"),
        ({}, "already"),
        ({"session": 1, "study_id": SECOND}, "already"),
    ],
)
def test_a_study_that_cannot_be_is_refused(user, values, reason):
    stored = make_study()
    names = ("round", "pool", "platform", "study_id", "completion_code")
    study = CrowdStudy(project=stored.project, **{name: getattr(stored, name) for name in names} | values)

    with pytest.raises(Refusal, match=reason):
        save_study(study=study, actor=user, now=NOON)


def test_a_study_of_prolific_belongs_to_one_project(user):
    make_study()
    other = make_project(key="other")
    values = {"round": "main", "pool": "raters", "platform": "prolific", "study_id": STUDY, "completion_code": "D"}

    with pytest.raises(Refusal, match="Another project already uses this Prolific"):
        save_study(study=CrowdStudy(project=other, **values), actor=user, now=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        CrowdStudy.objects.create(project=other, **values)
    save_study(study=CrowdStudy(project=other, **values | {"study_id": SECOND}), actor=user, now=NOON)


@pytest.mark.django_db(transaction=True)
def test_of_two_projects_that_take_a_study_at_once_one_has_it(user):
    projects = [make_project(key=key) for key in ("one", "other")]
    values = {"round": "main", "pool": "raters", "platform": "prolific", "study_id": STUDY, "completion_code": "D"}

    results = at_once(
        *[
            lambda project=project: save_study(study=CrowdStudy(project=project, **values), actor=user, now=NOON)
            for project in projects
        ]
    )

    assert sorted(type(result).__name__ for result in results) == ["CrowdStudy", "Refusal"]
    assert CrowdStudy.objects.count() == 1


def test_the_id_of_a_study_stays_when_bonuses_hang_on_it(user):
    study = make_study()
    plan_bonuses(study=study, lines=f"{arrive(study) and pid()},1", currency="GBP", reason="R", actor=user, now=NOON)
    study.study_id = SECOND

    with pytest.raises(Refusal, match="The study ID can't be changed"):
        save_study(study=study, actor=user, now=NOON)

    assert CrowdStudy.objects.get().study_id == STUDY


def test_two_projects_do_not_know_each_others_people(db):
    one = make_study()
    other_project = make_project(key="other")
    other = make_study(other_project, study_id=SECOND)
    place = arrive(one)

    assert place_at(other, pid()) is None
    with pytest.raises(Refusal):
        enter(arrival=Arrival(other.pk, pid(), sid()), now=NOON)
    assert reread(place).annotator.project == one.project
