"""A screen is served, and an answer saved, in the same few queries whatever the size."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Participation, User
from tests.factories import (
    answer_all,
    make_project,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    select_next,
    selection_round,
)
from tests.views.sending import HTMX, client_of, rating, selection, url_of

MOST = 12
ANSWER = 6  # with BEGIN and COMMIT 8
NO_QUERIES = ("BEGIN", "COMMIT")
KEY = "00000000-0000-4000-8000-000000000000"
REQUESTS = ("page", "part", "confirmation", "answer again", "back", "plain answer", "answer by htmx")
SIZES = {"small": (10, {"summary": 4}), "large": (10_000, {"summary": 60, "reports": 30, "sentences": 40})}


def queries_of(client: Client, participation: Participation, request: str, fill) -> list[str]:
    """All queries of one request, with those of session and account."""
    screen = present_screen(participation)
    if request == "answer again":
        screen = participation.assignments.get(position=screen.position - 1)
    fields = fill(screen, **({"again": "1"} if request == "answer again" else {}))
    url, headers = url_of(participation), HTMX if request in ("part", "answer by htmx", "back") else {}
    if request == "answer by htmx":
        client.get(url)
    with CaptureQueriesContext(connection) as queries:
        if "answer" in request:
            response = client.post(url, fields, headers=headers)
        else:
            path = {"back": f"{url}back/", "confirmation": f"{url}?saved={KEY}"}.get(request, url)
            response = client.get(path, headers=headers)
    shows_the_next = request == "answer by htmx" and screen.item is not None
    assert response.status_code == (302 if "answer" in request and not shows_the_next else 200)
    return [query["sql"] for query in queries if not query["sql"].startswith(NO_QUERIES)]


def measured(user: User, participation: Participation, give, fill) -> dict[str, list[str]]:
    """The queries of every request, in the middle of the work."""
    client = client_of(user)
    give(participation)
    client.get(url_of(participation))
    return {request: queries_of(client, participation, request, fill) for request in REQUESTS}


def numbers(counts: dict[str, list[str]]) -> dict[str, int]:
    return {request: len(queries) for request, queries in counts.items()}


@pytest.mark.django_db(transaction=True)
def test_rating_takes_the_same_few_queries_at_10_and_10000_items():
    small, large = (
        measured(user, rating_round(user, SIZES[user.username][0], key=user.username), rate_next, rating)
        for user in (make_user("small"), make_user("large"))
    )

    assert numbers(small) == numbers(large)
    assert max(numbers(large).values()) <= MOST, large
    assert len(large["answer by htmx"]) <= ANSWER, large["answer by htmx"]


@pytest.mark.django_db(transaction=True)
def test_selecting_takes_the_same_few_queries_at_small_and_large_incidents():
    small, large = (
        measured(user, selection_round(user, key=user.username, **SIZES[user.username][1]), select_next, selection)
        for user in (make_user("small"), make_user("large"))
    )

    assert numbers(small) == numbers(large)
    assert max(numbers(large).values()) <= MOST, large


@pytest.mark.parametrize("finished", [False, True])
def test_home_takes_the_same_queries_for_one_and_three_rounds(db, django_assert_max_num_queries, finished):
    found = []
    for number in (1, 3):
        user = make_user(f"ann{number}")
        for index in range(number):
            participation = rating_round(user, 2, key=f"p{number}-{index}")
            if finished:
                answer_all(participation)
        client = client_of(user)
        with django_assert_max_num_queries(6) as queries:
            client.get("/")
        found.append(len(queries))

    assert found[0] == found[1]


def test_overview_takes_the_same_queries_at_one_and_three_rounds(db, django_assert_max_num_queries):
    user = make_user(is_superuser=True)
    client, found = client_of(user), []
    for preset in ("stss131", "czech_news"):
        project = make_project(preset, key=preset.replace("_", "-"))
        with django_assert_max_num_queries(15) as queries:
            client.get(f"/projects/{project.key}/")
        found.append(len(queries))

    assert found[0] == found[1]
