"""Items asked for again, and items taken out."""

from datetime import timedelta

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.participation.flow import Finished, Next, Rest, Screen, where_now
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import consent, exclude, leave
from annotation.domain.participation.reinstatement import restore
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, AuditEntry, Item, Participation, Project, Tuple
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from scoring.domain.runs.snapshots import take_snapshot
from tests.domain.best_worst import accounts_balance, at_work, best_worst_project, choose_first
from tests.factories import (
    NOON,
    add_pairs,
    at_once,
    do_round,
    make_project,
    make_user,
    news_project,
    present_screen,
    rate_next,
    rating_round,
    reread,
    seat_outsider,
    validation_round,
)
from tests.practice_sets import practising_person

pytestmark = pytest.mark.postgres


def more(project: Project, *keys: str, round_key: str = "main", further: int = 1, **values) -> list[Participation]:
    given = {"reason": "Disputed.", "actor": None, "now": NOON} | values
    return ask_for_more(project=project, round_key=round_key, keys=keys, further=further, **given)


def withdraw(project: Project, *keys: str, reason: str = "Broken text.") -> None:
    withdraw_items(project=project, keys=keys, reason=reason, actor=None, now=NOON)


def screens(place: Participation) -> list[tuple]:
    return list(place.assignments.order_by("session", "position").values_list("session", "block", "item__key"))


def shown(participation: Participation) -> list[str]:
    """The keys of what the person answers up to the end."""
    keys = []
    while isinstance(where_now(reread(participation), NOON), Screen):
        keys.append(present_screen(participation).item.key)
        rate_next(participation)
    return keys


# further judgments


def test_further_ratings_are_free_places_with_just_these_items(user):
    project = rating_round(user).project

    places = more(project, "p1", "p3", "p1", further=2)

    assert [(place.seat, place.annotator, place.state) for place in places] == [
        (3, None, "invited"),
        (4, None, "invited"),
    ]
    assert [{key for _, _, key in screens(place)} for place in places] == [{"p1", "p3"}] * 2
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("items reopened", "Disputed.")
    assert entry.details == {"round": "main", "items": ["p1", "p3"], "further": 2, "places": [3, 4]}


def test_further_ratings_have_every_session_of_the_round(user):
    project = validation_round(user).project

    (place,) = more(project, "p2", round_key="R3")

    assert screens(place) == [(1, "main", "p2"), (2, "main", "p2")]


def test_further_ratings_are_of_the_pool_that_is_asked_for(db):
    project = make_project("dscs")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main")
    first, second = (pool.key for pool in project.round("main").design.pools)

    assert more(project, "p1")[0].pool == first
    assert more(project, "p1", pool=second)[0].pool == second
    with pytest.raises(Refusal, match="no pool"):
        more(project, "p1", pool="nobody")


def test_nobody_takes_a_place_with_a_pair_that_they_rated_before(db):
    project = news_project(people=1)
    (first, *_) = do_round(project, "R2")
    key = first.assignments.filter(block="main").first().item.key
    more(project, key, round_key="R2")

    newcomer = seat_outsider(project, "R2", "somebody new")

    assert {row[2] for row in screens(newcomer)} == {key}


def test_further_choices_of_an_open_round_come_from_the_pool(db):
    project = best_worst_project(places=1, main__people="1")
    (place,) = at_work(project, "one")
    while isinstance(next_place(reread(place), NOON), Screen):
        choose_first(place)
    assert isinstance(where_now(reread(place), NOON), Finished)
    held = Tuple.objects.filter(items__key="p1").count()

    (made,) = more(project, "p1", further=2)

    assert made.annotator is None
    for name in ("two", "three"):
        (one,) = at_work(project, name)
        while isinstance(next_place(reread(one), NOON), Screen):
            choose_first(one)
    answers = Assignment.objects.filter(answered_at__isnull=False).exclude(participation=place)
    assert answers.count() == 2 * held
    assert accounts_balance(project)


def test_further_choices_of_a_fixed_round_are_free_places(db):
    project = best_worst_project(main__open="false", tuples_a_person="12")
    held = Tuple.objects.filter(items__key="p1")
    before = dict(held.values_list("pk", "planned"))

    (place,) = more(project, "p1")

    assert set(place.assignments.values_list("tuple", flat=True)) == set(before)
    assert dict(held.values_list("pk", "given")) == {pk: planned + 1 for pk, planned in before.items()}
    assert all(len(order) == 4 for order in place.assignments.values_list("order", flat=True))


def test_what_cannot_be_asked_for_says_why(db):
    project = news_project(people=1)
    ready = make_project(key="ready")
    add_pairs(ready, 1)

    for keys, values, message in (
        (("nothing",), {"round_key": "R2"}, "no item “nothing”"),
        ((), {"round_key": "R2"}, "at least one"),
        ((Item.objects.first().key,), {"round_key": "R1"}, "Exclude the annotator"),
        ((Item.objects.first().key,), {"round_key": "R2"}, "not planned yet"),
        ((Item.objects.first().key,), {"round_key": "R2", "further": 0}, "1 to 100"),
        ((Item.objects.first().key,), {"round_key": "R2", "reason": ""}, "Give a reason"),
    ):
        with pytest.raises(Refusal, match=message):
            more(project, *keys, **values)
    assert not AuditEntry.objects.exists()


def test_an_item_in_no_tuple_is_left_to_the_next_plan(db):
    project = best_worst_project()
    Item.objects.create(project=project, key="late", position=99, sentence1="a", sentence2="b")

    with pytest.raises(Refusal, match="Plan the round again"):
        more(project, "late")


# withdrawing


def test_a_withdrawn_item_is_shown_to_nobody_and_in_no_score(user):
    participation = rating_round(user)
    rate_next(participation)
    answered = participation.assignments.get(answered_at__isnull=False).item.key
    project = participation.project
    other = next(key for key in ("p1", "p2", "p3", "p4") if key != answered)

    withdraw(project, answered, other)

    assert set(shown(participation)) == {"p1", "p2", "p3", "p4"} - {answered, other}
    assert isinstance(where_now(reread(participation), NOON), Finished)
    assert {one.assignment.item.key for one in counted(judgments_of(project))} == {"p1", "p2", "p3", "p4"} - {
        answered,
        other,
    }
    snapshot = take_snapshot(project)
    assert {snapshot.items.keys[item] for item in snapshot.ratings.items} == {"p1", "p2", "p3", "p4"} - {
        answered,
        other,
    }
    assert snapshot.reasons.numbers == {"withdrawn": 1}
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason, set(entry.details["items"])) == (
        "items withdrawn",
        "Broken text.",
        {answered, other},
    )


def test_who_has_nothing_left_of_a_session_rests(user):
    participation = validation_round(user, calibration=1, main=1, intra=1)
    for _ in range(2):
        rate_next(participation)
    last = present_screen(participation).item.key

    withdraw(participation.project, last)

    assert where_now(reread(participation), NOON) == Rest(NOON + timedelta(hours=72), enforced=True, over=False)


def test_who_has_nothing_left_of_the_round_is_finished(user):
    participation = rating_round(user, 2)
    rate_next(participation)

    withdraw(participation.project, present_screen(participation).item.key)

    assert where_now(reread(participation), NOON) == Finished(NOON)


def test_who_agrees_to_take_part_when_everything_is_withdrawn_is_finished(user):
    participation = rating_round(user, 2)
    Participation.objects.update(state="invited", consented_at=None)
    withdraw(participation.project, "p1", "p2")

    consent(participation_id=participation.pk, now=NOON)

    assert where_now(reread(participation), NOON) == Finished(NOON)


def test_who_practises_for_what_is_withdrawn_is_finished(db):
    participation = practising_person(open_=False, practice=1)
    project = participation.project

    withdraw(project, *project.items.values_list("key", flat=True))

    assert where_now(reread(participation), NOON) == Finished(NOON)


def test_who_rests_with_nothing_to_come_is_finished(user):
    participation = validation_round(user, "R3", calibration=1, main=1, intra=0)
    for _ in range(2):
        rate_next(participation)

    withdraw(participation.project, "p1", "p2")

    assert where_now(reread(participation), NOON) == Finished(NOON)


def test_who_takes_over_is_not_asked_for_what_is_withdrawn(user):
    participation = rating_round(user)
    rate_next(participation)
    key = participation.assignments.get(answered_at__isnull=False).item.key
    withdraw(participation.project, key)

    exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)

    assert key not in {one[2] for one in screens(reread(participation).refill)}
    assert reread(participation).refill.assignments.count() == 3


def test_who_leaves_passes_on_nothing_that_is_withdrawn(user):
    participation = rating_round(user)
    key = present_screen(participation).item.key
    withdraw(participation.project, key)

    leave(participation_id=participation.pk, reason="", now=NOON)

    assert reread(participation).refill.assignments.count() == 3


def test_in_an_open_round_the_tuples_go_with_the_item(db):
    project = best_worst_project(places=2, main__people="2")
    place, other = at_work(project, "one", "two")
    for _ in range(3):
        choose_first(place)
    next_place(reread(other), NOON)

    withdraw(project, "p1")

    for one in (place, other):
        while isinstance(next_place(reread(one), NOON), Screen):
            tuple_ = next_place(reread(one), NOON).assignment.tuple
            assert not tuple_.items.filter(key="p1").exists()
            choose_first(one)
    assert accounts_balance(project)
    exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)
    assert accounts_balance(project)
    assert (
        not Tuple.objects.filter(items__key="p1")
        .exclude(given=0, planned=0)
        .exclude(assignments__answered_at__isnull=False)
        .exists()
    )
    restore(participation_id=place.pk, reason="A mistake.", actor=None, now=NOON)
    assert accounts_balance(project)


def test_an_item_comes_back_when_it_is_asked_for(user):
    participation = rating_round(user)
    rate_next(participation)
    key = participation.assignments.get(answered_at__isnull=False).item.key
    project = participation.project
    withdraw(project, key)
    assert counted(judgments_of(project)).count() == 0

    more(project, key)

    assert counted(judgments_of(project)).count() == 1
    assert Item.objects.get(key=key).withdrawn_at is None


def test_tuples_with_another_withdrawn_item_stay_out(db):
    project = best_worst_project()
    tuples = Tuple.objects.filter(items__key="p1")
    others = set(Item.objects.filter(tuples__in=tuples).values_list("key", flat=True)) - {"p1"}
    withdraw(project, "p1", *others)

    with pytest.raises(Refusal, match="Every tuple with these items"):
        more(project, "p1")
    assert Item.objects.get(key="p1").withdrawn_at is not None


def test_a_plan_leaves_out_what_is_withdrawn(db):
    project = make_project()
    add_pairs(project, 3)
    withdraw(project, "p2")

    plan_round(project=project, round_key="main", people=1)

    assert {key for _, _, key in screens(project.participations.get())} == {"p1", "p3"}


def test_a_best_worst_plan_goes_round_tuples_with_what_is_withdrawn(db):
    project = best_worst_project()
    withdraw(project, "p1")
    Item.objects.create(project=project, key="late", position=99, sentence1="a", sentence2="b")

    plan_round(project=project, round_key="main")

    new = Tuple.objects.filter(items__key="late")
    assert new.exists() and not new.filter(items__key="p1").exists()


def test_a_withdrawn_selection_is_in_no_later_round(db):
    project = news_project(people=1)
    select = project.items.first()

    withdraw(project, select.key)
    plan_round(project=project, round_key="R2")

    assert not Assignment.objects.filter(participation__round="R2", item=select).exists()


def test_an_item_is_withdrawn_once(user):
    project = rating_round(user).project
    withdraw(project, "p1")

    with pytest.raises(Refusal, match="already withdrawn"):
        withdraw(project, "p1", "p2")
    with pytest.raises(Refusal, match="Give a reason"):
        withdraw(project, "p3", reason="")


@pytest.mark.django_db(transaction=True)
def test_withdrawing_and_answering_at_once_leaves_everybody_somewhere():
    participation = rating_round(make_user())
    key = present_screen(participation).item.key

    at_once(lambda: withdraw(participation.project, key), lambda: rate_next(participation))

    assert set(shown(participation)) <= {"p1", "p2", "p3", "p4"} - {key}
    assert isinstance(where_now(reread(participation), NOON), Finished)


@pytest.mark.django_db(transaction=True)
def test_withdrawing_while_many_take_from_the_pool_keeps_the_accounts():
    project = best_worst_project(places=4, main__people="3")
    places = at_work(project, *"abcd")

    def work(place):
        for _ in range(4):
            if isinstance(next_place(reread(place), NOON), Screen):
                choose_first(place)

    at_once(*[lambda place=place: work(place) for place in places], lambda: withdraw(project, "p1"))

    assert accounts_balance(project)
    for place in places:
        here = next_place(reread(place), NOON)
        assert not isinstance(here, Next)
        if isinstance(here, Screen):
            assert not here.assignment.tuple.items.filter(key="p1").exists()
