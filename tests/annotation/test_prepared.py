"""Prepared queries give what Django's own give, and lock only in a transaction."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from annotation.domain.participation.locking import lock_own
from annotation.models import Assignment, Message, Participation, User
from annotation.prepared import Prepared, prepared_queries
from annotation.queries.screens import next_screens, open_screens, with_texts
from tests.best_worst import tuple_round
from tests.factories import NOON, make_user, rate_next, rating_round, selection_round


@pytest.mark.parametrize("made", [rating_round, selection_round, partial(tuple_round, open="false")])
def test_the_next_screens_are_those_of_the_plain_query(user, made):
    participation = made(user)

    screens = next_screens(participation)

    assert screens == list(open_screens(with_texts(participation.assignments.all()))[:2])
    assert [screen.participation for screen in screens] == [participation] * 2


def test_what_a_screen_shows_is_read_with_it(user, django_assert_num_queries):
    participation = tuple_round(user, open="false")
    participation.project.protocol  # noqa: B018 read before

    with django_assert_num_queries(2):
        screens = next_screens(participation)
        assert all(place.item.texts for screen in screens for place in screen.tuple.places.all())


def test_each_call_has_its_own_parameters(user):
    first, second = rating_round(user, key="first"), rating_round(make_user("bob"), key="second")
    rate_next(second)

    found = [[screen.position for screen in next_screens(one)] for one in (first, second, first)]

    assert found == [[1, 2], [2, 3], [1, 2]]


def test_the_statement_is_that_of_the_plain_query(user):
    participation = rating_round(user)
    plain = open_screens(Assignment.objects.filter(participation=participation).select_related("item"))[:2]
    next_screens(participation)

    with CaptureQueriesContext(connection) as queries:
        list(plain)
        next_screens(participation)

    assert queries[0]["sql"] == _planned(queries[1]["sql"])


def _planned(sql: str) -> str:
    """What PostgreSQL has planned under the name that a statement runs; on SQLite the statement itself."""
    if not (run := re.fullmatch(r"EXECUTE (\w+) \((\d+)\)", sql)):
        return sql
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements WHERE name = %s", [run[1]])
        return cursor.fetchone()[0].removeprefix(f"PREPARE {run[1]} AS ").replace("$1", run[2])


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_plans_are_made_anew_after_a_connection_has_ended():
    user = make_user()
    assert User.objects.get(pk=user.pk) == user

    connection.close()

    assert User.objects.get(pk=user.pk) == user


def test_ones_own_place_is_locked_and_tells_of_unread_messages(user):
    participation = rating_round(user)
    with transaction.atomic():
        before = lock_own(participation.pk, user)
    Message.objects.create(participation=participation, text="Hello", sent_at=NOON)

    with transaction.atomic():
        after = lock_own(participation.pk, user)

    assert (before, after) == (participation, participation)
    assert (before.has_letters, after.has_letters) == (False, True)


def test_somebody_elses_place_is_not_found(user):
    participation = rating_round(user)

    with transaction.atomic(), pytest.raises(Participation.DoesNotExist):
        lock_own(participation.pk, make_user("bob"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_a_lock_needs_a_transaction():
    user = make_user()
    participation = rating_round(user)
    with transaction.atomic():
        lock_own(participation.pk, user)

    with pytest.raises(TransactionManagementError):
        lock_own(participation.pk, user)


def test_accounts_are_found_by_id_and_by_anything_else(user):
    assert User.objects.get(pk=user.pk) == User.objects.get(pk=str(user.pk)) == User.objects.get(username="ann") == user
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=user.pk + 1)


def test_the_accounts_of_a_group_are_those_of_the_group_alone(user):
    group = Group.objects.create(name="others")

    with pytest.raises(User.DoesNotExist):
        group.user_set.get(pk=user.pk)


def test_threads_share_no_compiler(user):
    User.objects.get(pk=user.pk)

    with ThreadPoolExecutor(1) as thread:
        others = thread.submit(prepared_queries).result()

    assert (len(prepared_queries()) > 0, len(others)) == (True, 0)


def test_a_query_without_parameters_is_prepared_too(user):
    @Prepared
    def everybody():
        return User.objects.order_by("pk")

    assert everybody() == [user]
    other = make_user("bob")
    assert everybody() == [user, other]
