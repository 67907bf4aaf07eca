"""A best-worst screen is served, and a choice saved, in the same number of queries at 20 tuples and at 2,000."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Participation, User
from tests.best_worst import choice, tuple_round
from tests.factories import make_user, present_screen
from tests.views.sending import HTMX, client_of, url_of

NO_QUERIES = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
SIZES = {"small": 10, "large": 1000}  # two tuples for each pair
REQUESTS = ("page", "back", "answer again by htmx", "plain answer", "page of a new tuple", "answer by htmx")
FIXED, OPEN = (7, 9, 11, 7, 10, 7), (7, 9, 11, 7, 16, 12)


def prepared(client: Client, participation: Participation, request: str) -> Callable[[], HttpResponse]:
    url = url_of(participation)
    if "answer" not in request:
        return lambda: client.get(f"{url}back/" if request == "back" else url)
    screen, again = present_screen(participation), {}
    if "again" in request:
        screen, again = participation.assignments.get(position=screen.position - 1), {"again": "1"}
    fields, headers = choice(screen, **again), HTMX if "htmx" in request else {}
    return lambda: client.post(url, fields, headers=headers)


def numbers_of_queries(user: User, participation: Participation) -> dict[str, int]:
    """The queries of every kind of request in the middle of the work, with those of session and account."""
    client, found = client_of(user), {}
    client.get(url_of(participation))
    client.post(url_of(participation), choice(present_screen(participation)))
    client.get(url_of(participation))
    for request in REQUESTS:
        send = prepared(client, participation, request)
        with CaptureQueriesContext(connection) as queries:
            response = send()
        assert response.status_code == (302 if request == "plain answer" else 200)
        found[request] = sum(not query["sql"].startswith(NO_QUERIES) for query in queries)
    return found


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(("open_", "most"), [("false", FIXED), ("true", OPEN)])
def test_choosing_takes_the_same_few_queries_at_20_and_2000_tuples(open_, most):
    small, large = (
        numbers_of_queries(user, tuple_round(user, pairs=SIZES[user.username], key=user.username, open=open_))
        for user in (make_user("small"), make_user("large"))
    )

    assert small == large
    assert all(large[request] <= number for request, number in zip(REQUESTS, most, strict=True)), large
