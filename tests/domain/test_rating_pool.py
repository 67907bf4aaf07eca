"""Open rounds of ratings: leased, rated, passed on, given back; every item gets its ratings and never more."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import F

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.participation.flow import Finished, Idle, Screen, where_now
from annotation.domain.participation.leasing import next_place, stop
from annotation.domain.participation.lifecycle import consent, exclude, leave
from annotation.domain.participation.progress import progress, screens_in_all
from annotation.domain.participation.reinstatement import restore
from annotation.domain.planning.rounds import plan_round
from annotation.models import Participation, PooledItem, State
from annotation.queries.progress import Block, blocks_of, pool_counts
from annotation.queries.screens import open_screens
from tests.domain.best_worst import at_work
from tests.domain.rating_pool import accounts_balance, open_project, rate_all, rate_lent, ratings_by_item
from tests.factories import NOON, add_pairs, join, make_project, make_user, reread, seat_outsider

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
LATER = NOON + timedelta(hours=1)
BY = {"reason": "Why not.", "actor": None, "now": NOON}


def everybody_comes(project, most=100) -> list[Participation]:
    """People who come one after the other and rate as many pairs as they may, as long as there are places."""
    came = []
    for number in range(most):
        try:
            place = seat_outsider(project, "main", f"new-{number}-{project.annotators.count()}")
        except Refusal:
            return came
        consent(participation_id=place.pk, now=NOON)
        rate_all(place)
        came.append(place)
    raise AssertionError("People come and come.")


def test_a_plan_has_as_many_places_as_the_ratings_need():
    project = open_project(10)

    assert Participation.objects.filter(project=project).count() == 8  # 30 ratings, 4 by each person
    assert list(pool_counts(project)) == [{"round": "main", "wanted": 30, "answers": 0}]
    assert set(PooledItem.objects.values_list("planned", "given")) == {(3, 0)}


@pytest.mark.parametrize("places", [2, 31])
def test_too_few_or_too_many_people_are_refused(places):
    with pytest.raises(Refusal, match=rf"\({places}\).* Plan 3 to 30 people"):
        open_project(10, places=places)


def test_every_pair_is_rated_as_often_as_planned_by_people_with_at_most_their_share():
    project = open_project(10)
    came = everybody_comes(project)

    assert ratings_by_item(project) == {("raters", f"p{index}"): 3 for index in range(1, 11)}
    shares = [place.assignments.filter(answered_at__isnull=False).count() for place in came]
    assert max(shares) == 4 and sum(shares) == 30
    assert accounts_balance(project)


def test_each_group_of_raters_has_a_pool_for_itself():
    project = open_project(4, preset="dscs", students__people="2", crowd__people="3")
    everybody_comes(project)

    keys = [f"p{index}" for index in range(1, 5)]
    expected = {("students", key): 2 for key in keys} | {("crowd", key): 3 for key in keys}
    assert ratings_by_item(project) == expected


def test_the_preset_rating_can_be_open():
    project = open_project(6, preset="rating", ratings="2")
    everybody_comes(project)

    assert ratings_by_item(project) == {("", f"p{index}"): 2 for index in range(1, 7)}


def test_the_pairs_with_the_fewest_ratings_come_first():
    project = open_project(8)
    for place in at_work(project, "ann", "bob"):
        rate_all(place)

    assert set(ratings_by_item(project).values()) == {1} and len(ratings_by_item(project)) == 8


def test_calibration_pairs_come_first_for_everybody_and_are_not_in_the_pool():
    project = open_project(8, calibration=2)
    [ann] = at_work(project, "ann")

    assert screens_in_all(reread(ann)) == 6
    assert rate_all(ann) == 6
    blocks = list(ann.assignments.order_by("position").values_list("block", "item__key"))
    assert blocks[:2] == [("calibration", "p1"), ("calibration", "p2")]
    assert [block for block, _ in blocks[2:]] == ["main"] * 4
    assert not PooledItem.objects.filter(item__calibration_order__isnull=False).exists()


def test_a_place_that_is_made_later_has_the_calibration_pairs_and_the_same_maximum():
    project = open_project(5, calibration=1, raters__people="1", places=1)
    [ann] = at_work(project, "ann")
    leave(participation_id=ann.pk, reason="", now=NOON)
    [eve] = at_work(project, "eve")

    assert (eve.seat, eve.pool, eve.most, eve.replaces) == (2, "raters", 4, ann)
    assert rate_all(eve) == 5
    assert set(ratings_by_item(project).values()) == {1}


def test_progress_counts_up_to_the_maximum():
    project = open_project(8, calibration=1)
    [ann] = at_work(project, "ann")
    counts = progress(next_place(ann, NOON).assignment)
    assert (counts.done, counts.total, counts.block_total) == (0, 5, 1)

    rate_lent(ann)
    rate_lent(ann)
    counts = progress(next_place(reread(ann), NOON).assignment)

    assert (counts.done, counts.total, counts.block_done, counts.block_total) == (2, 5, 1, 4)


def test_the_progress_of_the_round_counts_the_ratings_that_its_pool_wants():
    project = open_project(8, calibration=1)
    [ann] = at_work(project, "ann")
    rate_all(ann)

    calibration, main = blocks_of(project)["main"]
    places = Participation.objects.count()
    assert calibration == Block(1, "free", "calibration", 1, places)
    assert main == Block(1, "free", "main", 4, 21)


def test_a_pair_that_lies_about_is_passed_on_when_nothing_else_is_left():
    project = open_project(3, raters__people="1", places=2)
    ann, bob = at_work(project, "ann", "bob")
    lying = next_place(bob, NOON).assignment
    assert rate_all(ann) == 2
    assert next_place(reread(ann), NOON) == Idle()

    assert next_place(reread(ann), LATER).assignment.item == lying.item
    rate_lent(ann, now=LATER)
    with pytest.raises(WrongScreen, match="went to someone else"):
        rate_lent(bob, lying, now=LATER)
    assert next_place(reread(bob), LATER) == Finished(LATER)
    assert set(ratings_by_item(project).values()) == {1} and accounts_balance(project)


def test_whoever_leaves_gives_back_the_open_pair_and_their_ratings_count():
    project = open_project(4)
    [ann] = at_work(project, "ann")
    rate_lent(ann)
    next_place(reread(ann), NOON)
    leave(participation_id=ann.pk, reason="tired", now=NOON)

    assert sum(ratings_by_item(project).values()) == 1 and accounts_balance(project)
    everybody_comes(project)
    assert set(ratings_by_item(project).values()) == {3}


def test_the_ratings_of_an_excluded_person_are_given_by_others():
    project = open_project(4)
    ann, *_ = everybody_comes(project)
    exclude(participation_id=ann.pk, **BY)
    assert sum(ratings_by_item(project).values()) == 8

    everybody_comes(project)

    assert set(ratings_by_item(project).values()) == {3} and len(ratings_by_item(project)) == 4
    assert accounts_balance(project)


def test_whoever_is_reinstated_counts_again_unless_others_have_rated_their_pairs():
    project = open_project(4)
    ann, bob, *_ = everybody_comes(project)
    exclude(participation_id=ann.pk, **BY)
    restore(participation_id=ann.pk, **BY)
    assert set(ratings_by_item(project).values()) == {3} and accounts_balance(project)

    exclude(participation_id=bob.pk, **BY)
    everybody_comes(project)
    with pytest.raises(Refusal, match="4 of the pairs that this annotator rated have since been assigned to others"):
        restore(participation_id=bob.pk, **BY)


def test_a_withdrawn_pair_is_shown_to_nobody_and_a_reinstated_one_to_as_many_as_asked_for():
    project = open_project(4)
    [ann] = at_work(project, "ann")
    first = next_place(ann, NOON).assignment
    withdraw_items(project=project, keys=[first.item.key], **BY)
    assert next_place(reread(ann), NOON).assignment.item != first.item

    rate_all(ann)
    everybody_comes(project)
    assert first.item.key not in {key for _, key in ratings_by_item(project)}
    assert set(ratings_by_item(project).values()) == {3}

    ask_for_more(project=project, round_key="main", keys=[first.item.key], further=3, **BY)
    everybody_comes(project)
    assert set(ratings_by_item(project).values()) == {3} and len(ratings_by_item(project)) == 4
    assert accounts_balance(project)


def test_further_ratings_come_from_the_pool():
    project = open_project(4)
    everybody_comes(project)
    [place] = ask_for_more(project=project, round_key="main", keys=["p1", "p2"], further=2, **BY)
    everybody_comes(project)

    counts = ratings_by_item(project)
    assert place.seat == 4
    assert [counts["raters", f"p{index}"] for index in range(1, 5)] == [5, 5, 3, 3]


def test_new_pairs_are_planned_into_the_pool():
    project = open_project(4)
    everybody_comes(project)
    project.items.bulk_create(
        type(project.items.first())(
            project=project, key=f"new{index}", position=10 + index, sentence1="One.", sentence2="Two."
        )
        for index in range(2)
    )
    outcome = plan_round(project=project, round_key="main")

    assert (outcome["new pairs"], outcome["new places"]) == (2, 3)
    everybody_comes(project)
    assert set(ratings_by_item(project).values()) == {3} and len(ratings_by_item(project)) == 6
    with pytest.raises(Refusal, match="already has all its places"):
        plan_round(project=project, round_key="main")


def test_without_a_maximum_people_stop_when_they_like():
    project = open_project(4, items_a_person="0")
    [ann] = at_work(project, "ann")
    rate_lent(ann)
    next_place(reread(ann), NOON)

    assert screens_in_all(reread(ann)) is None
    assert stop(participation_id=ann.pk, now=NOON).state == State.FINISHED
    assert accounts_balance(project)


def test_people_who_come_by_the_link_of_a_group_get_a_place_of_it():
    project = make_project("dscs", open="true", items_a_person="2", students__people="1", crowd__people="2")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main")
    ann = join(project, "main", make_user("ann"), pool="students")
    rate_all(ann)

    with pytest.raises(Refusal, match="All places"):
        join(project, "main", make_user("bob"), pool="students")
    assert join(project, "main", make_user("eve"), pool="crowd").pool == "crowd"


def test_where_now_only_looks(django_assert_num_queries):
    project = open_project()
    [ann] = at_work(project, "ann")
    ann = reread(ann)

    with django_assert_num_queries(1):
        where_now(ann, NOON)
    assert not ann.assignments.exists()


def test_nobody_rates_a_pair_twice():
    project = open_project(6, items_a_person="0")
    people = at_work(project, "ann", "bob", "eve")

    assert [rate_all(place) for place in people] == [6, 6, 6]
    assert Counter(ratings_by_item(project).values()) == {3: 6}
    assert isinstance(next_place(reread(people[0]), NOON), Screen | Finished)


def test_who_answers_a_pair_that_was_passed_on_answers_no_more_than_their_maximum():
    project = open_project(4, items_a_person="2")
    (place,) = at_work(project, "one")
    rate_lent(place)
    first = next_place(reread(place), NOON).assignment
    leave_lent(first)
    second = next_place(reread(place), NOON).assignment

    rate_lent(place, first)

    assert first != second and where_now(reread(place), NOON) == Finished(NOON)
    assert place.assignments.filter(answered_at__isnull=False).count() == 2
    assert not open_screens(place.assignments.all()).exists()
    assert accounts_balance(project)


def leave_lent(assignment) -> None:
    """Returns a leased pair to the pool, as if it had been passed on to somebody who then left."""
    assignment.lapsed_at = NOON
    assignment.save()
    PooledItem.objects.filter(pk=assignment.pooled_id).update(given=F("given") - 1)
