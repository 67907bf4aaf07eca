"""Progress is stored with the present screen and carried on; it equals what counting all screens gives."""

import pytest

from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.participation.flow import Screen, where_now
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.progress import count, progress, tally_of
from annotation.models import Assignment
from tests.best_worst import choice, tuple_round
from tests.domain.best_worst import at_work, best_worst_project, choose_first, lent_to
from tests.domain.rating_pool import open_project
from tests.factories import NOON, join, make_user, rating_round, reread, selection_round, validation_round
from tests.views.sending import HTMX, client_of, rating, selection, url_of


def present(participation) -> Assignment:
    """The present screen, after a look at what is stored with it."""
    screen = next_place(reread(participation), NOON).assignment
    stored = tally_of(screen)
    assert stored is None or stored == count(screen)
    return screen


def answer(client, participation, **fields) -> None:
    screen = present(participation)
    given = choice(screen, **fields) if screen.tuple_id else rating(screen, answered_ms=1500, **fields)
    assert client.post(url_of(participation), given, headers=HTMX).status_code == 200


@pytest.mark.parametrize("calibration", [0, 2])
def test_it_is_stored_from_the_first_screen_of_a_block_on(user, calibration):
    participation, client = validation_round(user, calibration=calibration, main=4, intra=2), client_of(user)
    client.get(url_of(participation))

    known = []
    while isinstance(where_now(reread(participation), NOON), Screen):
        known.append(tally_of(present(participation)) is not None)
        answer(client, participation)

    assert known == [True] * (calibration + 6)


def test_an_answer_without_the_next_screen_leaves_it_uncounted_until_it_is_shown(user):
    participation, client = rating_round(user), client_of(user)
    client.get(url_of(participation))
    client.post(url_of(participation), rating(present(participation)))
    before = tally_of(present(participation))

    client.get(url_of(participation))

    assert (before, tally_of(present(participation)).done) == (None, 1)


@pytest.mark.parametrize("positions", [(1, 2, 3, 4), (3, 1, 4, 2)])
def test_a_selection_is_counted_once_an_incident_in_whatever_order_it_is_answered(user, positions):
    participation, client = selection_round(user, summary=4), client_of(user)
    client.get(url_of(participation))

    for done, position in enumerate(positions):
        screen = participation.assignments.get(position=position)
        assert tally_of(present(participation)).block_done == done
        page = client.get(f"{url_of(participation)}?screen={screen.pk}")
        assert page.context["progress"] == progress(present(participation))
        client.post(url_of(participation), selection(screen, answered_ms=1000 * position), headers=HTMX)

    assert (present(participation).position, tally_of(present(participation))) == (5, None)


def test_a_changed_selection_is_counted_with_its_new_time(user):
    participation, client = selection_round(user, summary=4), client_of(user)
    client.get(url_of(participation))
    first = present(participation)
    client.post(url_of(participation), selection(first, answered_ms=1000), headers=HTMX)

    client.post(url_of(participation), selection(first, again="1", answered_ms=9000), headers=HTMX)

    assert tally_of(present(participation)) is None
    client.get(url_of(participation))
    assert tally_of(present(participation)).recent == [9000]


def test_a_changed_answer_is_counted_with_its_new_time(user):
    participation, client = rating_round(user), client_of(user)
    client.get(url_of(participation))
    answer(client, participation)
    answer(client, participation)
    last = participation.assignments.get(position=2)

    client.post(url_of(participation), rating(last, again="1", answered_ms=9000), headers=HTMX)

    assert progress(present(participation)).done == 2
    assert count(present(participation)).recent == [9000, 1500]
    answer(client, participation)
    assert progress(present(participation)).done == 3


def test_a_withdrawn_item_is_counted_no_more(user):
    participation, client = rating_round(user, 6), client_of(user)
    client.get(url_of(participation))
    answer(client, participation)
    others = participation.assignments.filter(position__in=(2, 5)).values_list("item__key", flat=True)

    given = {"project": participation.project, "actor": make_user("manager"), "now": NOON, "reason": "Unclear"}
    for key in list(others):
        withdraw_items(keys=[key], **given)

    assert progress(present(participation)).total == 4
    answer(client, participation)
    answer(client, participation)
    assert (progress(present(participation)).done, progress(present(participation)).total) == (3, 4)


def test_an_item_asked_for_again_changes_nothing_for_who_is_at_work(user):
    participation, client = rating_round(user, 4), client_of(user)
    client.get(url_of(participation))
    answer(client, participation)
    project = participation.project
    given = {"project": project, "keys": ["p3"], "actor": make_user("manager"), "now": NOON, "reason": "More"}
    project.items.filter(position=3).update(key="p3")

    ask_for_more(round_key=participation.round, further=1, **given)

    assert progress(present(participation)).total == 4
    answer(client, participation)
    assert progress(present(participation)).done == 2


@pytest.mark.parametrize("most", ["", "4"])
def test_leased_tuples_are_counted_as_they_are_answered(user, most):
    participation = tuple_round(user, pairs=10, open="true", **({"tuples_a_person": most} if most else {}))
    client = client_of(user)
    client.get(url_of(participation))
    for _ in range(3):
        answer(client, participation)

    assert tally_of(present(participation)).done == 3
    assert progress(present(participation)).total == (4 if most else None)


def test_a_lease_that_ran_out_and_was_taken_back_is_counted_where_it_is_answered(db):
    project = best_worst_project(12, open="true")
    ann, bob = at_work(project, "ann", "bob")
    first = lent_to(ann)
    Assignment.objects.filter(pk=first.pk).update(lapsed_at=NOON, lent_until=NOON)
    choose_first(ann)
    choose_first(bob)

    choose_first(ann, first)

    assert progress(present(ann)).done == 2
    choose_first(ann)
    assert progress(present(ann)).done == 3


def test_pooled_items_are_counted_as_they_are_rated(user):
    participation, client = join(open_project(6), "main", user), client_of(user)
    client.get(url_of(participation))

    for done in range(3):
        assert progress(present(participation)).done == done
        answer(client, participation)

    assert progress(present(participation)).total == 4


def test_the_time_left_follows_from_the_answers_so_far(user):
    participation, client = rating_round(user), client_of(user)
    client.get(url_of(participation))
    assert progress(present(participation)).minutes_left is None

    client.post(url_of(participation), rating(present(participation), answered_ms=60_000), headers=HTMX)

    assert progress(present(participation)).minutes_left == 3
