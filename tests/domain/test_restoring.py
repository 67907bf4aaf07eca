"""Taking somebody back in, giving places on, and what both do to the places around them."""

from datetime import timedelta

import pytest

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.judgment.saving import rate
from annotation.domain.participation.flow import Ended, Finished, Rest, Screen, where_now
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import begin_session, exclude, leave, reassign
from annotation.domain.participation.reinstatement import restore
from annotation.domain.recruiting.overview import annotator_for
from annotation.models import AuditEntry, Incident, Participation, Project, Tuple
from tests.domain.best_worst import accounts_balance, at_work, best_worst_project, choose_first
from tests.factories import (
    NOON,
    answer_all,
    answer_session,
    answer_to,
    at_once,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
    seat_outsider,
    select_next,
    selection_round,
    validation_round,
)

pytestmark = pytest.mark.postgres


def back(participation: Participation, **values: object) -> Participation:
    given = {"reason": "A mistake.", "actor": None, "now": NOON} | values
    return restore(participation_id=participation.pk, **given)


def out(participation: Participation) -> Participation:
    return exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)


def test_who_was_excluded_goes_on_where_they_were(user):
    participation = rating_round(user)
    rate_next(participation)
    before = where_now(reread(participation), NOON)
    out(participation)

    restored = back(participation)

    assert where_now(reread(participation), NOON) == before
    assert (restored.state, restored.reason, restored.ended_from) == ("active", "", "")
    assert not Participation.objects.filter(replaces=participation).exists()
    entry = AuditEntry.objects.filter(action="restored").get()
    assert (entry.reason, entry.details) == ("A mistake.", {"from": "excluded", "withdrawn": 3})


@pytest.mark.parametrize("state", ["finished", "resting", "invited"])
def test_the_state_of_before_comes_back(user, state):
    participation = validation_round(user)
    if state == "finished":
        answer_all(participation)
    elif state == "resting":
        answer_session(participation)
    else:
        Participation.objects.update(state="invited", consented_at=None)
    before = where_now(reread(participation), NOON)
    out(participation)

    back(participation)

    assert reread(participation).state == state
    assert where_now(reread(participation), NOON) == before


@pytest.mark.parametrize("state", ["finished", "active", "invited"])
def test_of_ends_before_it_was_noted_the_state_is_worked_out(user, state):
    participation = rating_round(user)
    if state == "finished":
        answer_all(participation)
    out(participation)
    Participation.objects.filter(pk=participation.pk).update(ended_from="")
    if state == "invited":
        Participation.objects.filter(pk=participation.pk).update(consented_at=None)

    assert back(participation).state == state


def withdraw_present(participation: Participation) -> None:
    """Withdraws the item that the person is to judge now, after excluding them."""
    key = present_screen(participation).item.key
    out(participation)
    withdraw_items(project=participation.project, keys=[key], reason="A typo.", actor=None, now=NOON)


def test_who_comes_back_after_everything_left_was_withdrawn_is_finished(user):
    participation = rating_round(user, 2)
    rate_next(participation)
    withdraw_present(participation)

    assert back(participation).state == "finished"
    assert where_now(reread(participation), NOON) == Finished(NOON)


def test_who_comes_back_after_the_rest_of_a_session_was_withdrawn_rests_before_the_next(user):
    participation = validation_round(user, "R3", calibration=1, main=2, intra=0)
    for _ in range(2):
        rate_next(participation)
    withdraw_present(participation)

    back(participation)

    assert where_now(reread(participation), NOON) == Rest(NOON + timedelta(hours=72), enforced=True, over=False)


def test_who_left_in_the_pause_and_was_excluded_comes_back_to_the_pause(user):
    participation = answer_session(validation_round(user))
    before = where_now(participation, NOON)
    leave(participation_id=participation.pk, reason="Ill.", now=NOON)
    out(participation)

    back(participation)

    assert isinstance(before, Rest) and where_now(reread(participation), NOON) == before


def test_who_left_in_the_second_session_and_was_excluded_goes_on_in_it(user):
    participation = answer_session(validation_round(user))
    later = participation.rest_until
    begin_session(participation_id=participation.pk, now=later)
    rate_next(participation, now=later)
    leave(participation_id=participation.pk, reason="Ill.", now=later)
    out(participation)

    assert back(participation, now=later).state == "active"


def test_who_left_comes_back_as_well(user):
    participation = rating_round(user)
    leave(participation_id=participation.pk, reason="Ill.", now=NOON)

    assert back(participation).state == "active"
    assert isinstance(where_now(reread(participation), NOON), Screen)


def test_incidents_come_back_with_their_person(user):
    participation = selection_round(user)
    select_next(participation)
    out(participation)
    assert not participation.incidents.exists()

    back(participation)

    assert participation.incidents.count() == Incident.objects.count() == 2


def test_nobody_comes_back_when_somebody_else_has_begun(user):
    participation = rating_round(user)
    out(participation)
    newcomer = annotator_for(participation.project, external_id="new")
    Participation.objects.filter(replaces=participation).update(annotator=newcomer)

    with pytest.raises(Refusal, match="The replacement place"):
        back(participation)

    assert reread(participation).state == "excluded"


def left_and_taken(user) -> Participation:
    """Somebody who answered two of four screens and left, and whose place somebody has taken."""
    participation = rating_round(user)
    for _ in range(2):
        rate_next(participation)
    leave(participation_id=participation.pk, reason="Ill.", now=NOON)
    take(participation, "new")
    return participation


def take(participation: Participation, external_id: str) -> None:
    newcomer = annotator_for(participation.project, external_id=external_id)
    participation.refills.filter(annotator=None).update(annotator=newcomer)


def test_who_was_excluded_after_leaving_has_left_again(user):
    participation = left_and_taken(user)
    out(participation)

    restored = back(participation)

    assert (restored.state, restored.reason, restored.ended_from) == ("left", "Reason not kept.", "")
    assert restored.refills.get().annotator.external_id == "new"
    assert AuditEntry.objects.get(action="restored").details == {"from": "excluded", "withdrawn": 4}
    with pytest.raises(Refusal, match="The replacement place"):
        back(participation)
    assert out(participation).state == "excluded"


def test_an_exclusion_after_leaving_stays_when_somebody_else_has_begun(user):
    participation = left_and_taken(user)
    out(participation)
    take(participation, "newer")

    with pytest.raises(Refusal, match="The replacement place"):
        back(participation)

    assert reread(participation).state == "excluded"


def test_who_left_without_an_answer_can_be_excluded_and_taken_back(user):
    participation = rating_round(user)
    leave(participation_id=participation.pk, reason="Ill.", now=NOON)
    take(participation, "new")
    out(participation)

    restored = back(participation)

    assert (restored.state, restored.refills.get().annotator.external_id) == ("left", "new")


def test_a_reason_and_an_end_are_needed(user):
    participation = rating_round(user)

    with pytest.raises(Refusal, match="Only annotators who left or were excluded"):
        back(participation)
    out(participation)
    with pytest.raises(Refusal, match="Give a reason"):
        back(participation, reason=" ")
    participation.annotator.erased_at = NOON
    participation.annotator.save()
    with pytest.raises(Refusal, match="cannot be reinstated"):
        back(participation)


def test_in_an_open_round_answers_are_counted_in_the_pool_again(db):
    project = best_worst_project()
    (place,) = at_work(project, "one")
    for _ in range(3):
        choose_first(place)
    next_place(reread(place), NOON)
    out(place)
    assert sum(Tuple.objects.values_list("given", flat=True)) == 0

    back(place)

    assert accounts_balance(project)
    assert sum(Tuple.objects.values_list("given", flat=True)) == 3
    choose_first(place)
    assert accounts_balance(project)


def test_in_an_open_round_nobody_comes_back_when_others_have_done_it(db):
    project = best_worst_project(places=2, main__people="1")
    place, other = at_work(project, "one", "two")
    choose_first(place)
    out(place)
    while isinstance(next_place(reread(other), NOON), Screen):
        choose_first(other)

    with pytest.raises(Refusal, match="1 of the tuples"):
        back(place)

    assert accounts_balance(project)


def free(project: Project) -> list[int]:
    return list(project.participations.filter(annotator=None).order_by("seat").values_list("seat", flat=True))


def test_in_an_open_round_the_place_that_was_made_instead_goes_again(db):
    project = best_worst_project(places=1, main__people="1")
    (place,) = at_work(project, "one")
    choose_first(place)
    out(place)
    assert free(project) == [2]

    back(place)

    assert free(project) == []
    assert AuditEntry.objects.get(action="restored").details == {"from": "excluded", "withdrawn": 2}
    out(place)
    assert free(project) == [2]


def test_in_an_open_round_whoever_has_taken_that_place_stays(db):
    project = best_worst_project(places=1, main__people="1")
    (place,) = at_work(project, "one")
    choose_first(place)
    leave(participation_id=place.pk, reason="Ill.", now=NOON)
    (other,) = at_work(project, "two")
    assert reread(other).replaces == place

    restored = back(place)

    assert (restored.state, reread(other).state, reread(other).replaces) == ("active", "active", None)
    leave(participation_id=place.pk, reason="Ill again.", now=NOON)
    out(place)
    assert reread(place).state == "excluded"
    assert accounts_balance(project)


def test_in_an_open_round_nobody_is_replaced_twice(db):
    project = best_worst_project(places=1, main__people="1")
    (place,) = at_work(project, "one")
    leave(participation_id=place.pk, reason="Ill.", now=NOON)

    out(place)

    assert (reread(place).state, free(project)) == ("excluded", [2])
    assert accounts_balance(project)


def test_in_an_open_round_a_place_that_was_planned_stays_when_somebody_comes_back(db):
    project = best_worst_project(places=2, main__people="1")
    (place,) = at_work(project, "one")
    choose_first(place)
    out(place)
    assert free(project) == [2]

    back(place)

    assert free(project) == [2]


@pytest.mark.django_db(transaction=True)
def test_coming_back_and_taking_the_place_at_once_ends_with_one_of_the_two():
    participation = rating_round(make_user())
    free = participation.project.participations.get(annotator=None)
    seat_outsider(participation.project, "main", "second")
    assert reread(free).annotator is not None
    out(participation)

    results = at_once(
        lambda: back(participation),
        lambda: seat_outsider(Project.objects.get(), "main", "third"),
    )

    refused = [result for result in results if isinstance(result, Refusal)]
    came_back = reread(participation).state == "active"
    assert len(refused) == 1
    assert came_back != Participation.objects.filter(replaces=participation).exists()


# giving a place on


def test_an_idle_place_is_given_to_somebody_else(user):
    participation = rating_round(user)
    rate_next(participation)

    reassign(participation_id=participation.pk, reason="Idle.", actor=user, now=NOON)

    reassigned = reread(participation)
    assert (reassigned.state, reassigned.reassigned, reassigned.refill.assignments.count()) == ("left", True, 3)
    here = where_now(reassigned, NOON)
    assert isinstance(here, Ended) and here.reason.startswith("Your place was given to someone else")
    assert AuditEntry.objects.values_list("action", "reason", "details").get() == ("given on", "Idle.", {"refill": 3})


def test_a_place_given_on_can_be_given_back(user):
    participation = rating_round(user)
    reassign(participation_id=participation.pk, reason="Idle.", actor=user, now=NOON)

    back(participation)

    assert (reread(participation).state, reread(participation).reassigned) == ("active", False)


def test_only_a_place_at_work_is_given_on(user):
    participation = rating_round(user)
    free = participation.project.participations.get(annotator=None)

    with pytest.raises(Refusal, match="still free"):
        reassign(participation_id=free.pk, reason="Idle.", actor=user, now=NOON)
    answer_all(participation)
    with pytest.raises(Refusal, match="ended for this annotator"):
        reassign(participation_id=participation.pk, reason="Idle.", actor=user, now=NOON)


def test_an_answer_after_the_place_was_given_on_is_not_taken(user):
    participation = rating_round(user)
    here = where_now(participation, NOON)
    reassign(participation_id=participation.pk, reason="Idle.", actor=user, now=NOON)

    with pytest.raises(WrongScreen, match="given to someone else"):
        rate(participation_id=participation.pk, answer=answer_to(here.assignment), value="2", now=NOON)
