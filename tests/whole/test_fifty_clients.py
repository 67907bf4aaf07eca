"""Fifty people at once over real HTTP, without JavaScript: every tuple gets exactly the answers that were planned."""

import os
import random
import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPConnection
from itertools import count
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.models import Assignment, Judgment, Participation, Project, User
from tests.domain.best_worst import accounts_balance, answers_by_tuple, best_worst_project

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.slow]
CLIENTS = 50
FIELD = re.compile(r'<input[^>]*\bname="(assignment|key|csrfmiddlewaretoken)"[^>]*\bvalue="([^"]*)"')
BEST = re.compile(r'<input[^>]*\bname="best"[^>]*\bvalue="(\d+)"')
FORM = re.compile(r'<form[^>]*\baction="([^"]*)"')


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a production web server, two processes with eight threads each, on the test's database."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(CLIENTS)
        address = f"fd://{listener.fileno()}"
        options = ["--bind", address, "--workers", "2", "--threads", "8", "--log-level", "warning"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *options, "config.wsgi"],
            env=os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings.test"},
            pass_fds=[listener.fileno()],
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.terminate()
            process.wait()


def database_url() -> str:
    """The test's own database as a server in another process finds it."""
    one = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{one['NAME']}"
    return f"postgres://{one['USER']}:{one['PASSWORD']}@{one['HOST']}:{one['PORT'] or 5432}/{one['NAME']}"


@dataclass
class Visitor:
    """One person with a browser that knows links and forms, and no more."""

    url: str
    session: str
    path: str
    chance: random.Random

    def request(self, method: str, path: str, fields: dict[str, str] | None = None) -> str:
        """The page that the server answers with, after following its redirects."""
        parts = urlsplit(self.url)
        line = HTTPConnection(parts.hostname, parts.port, timeout=120)
        cookies = f"{settings.SESSION_COOKIE_NAME}={self.session}; {settings.CSRF_COOKIE_NAME}={'c' * 32}"
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode((fields or {}) | {"csrfmiddlewaretoken": "c" * 32}) if method == "POST" else None
        line.request(method, path, body, headers)
        response = line.getresponse()
        page, status, location = response.read().decode(), response.status, response.getheader("Location")
        line.close()
        assert status < 500, page
        return self.request("GET", location) if location else page

    def work(self, *, stops_after: int | None = None, sends_twice: bool = False) -> int:
        """Agrees and answers until nothing more comes, or goes away without a word. Returns the answers given."""
        page = self.request("POST", f"{self.path}consent/")
        answered = 0
        while (items := BEST.findall(page)) and answered != stops_after:
            best, worst = self.chance.sample(items, 2)
            fields = dict(FIELD.findall(page)) | {"best": best, "worst": worst}
            page = self.request("POST", self.path, fields)
            if sends_twice:
                page = self.request("POST", self.path, fields)
            answered += 1
        return answered


def visitor(project: Project, url: str, number: int) -> Visitor:
    """Somebody signed in, with a place in the project."""
    user = User.objects.create_user(f"u{number}", f"u{number}@example.org")
    place = take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user))
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return Visitor(url, session, f"/my-work/{place.pk}/", random.Random(number))


def all_at_once(*calls) -> list[int]:
    def make(call):
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(make, call) for call in calls]]


@pytest.mark.thorough
@pytest.mark.parametrize("open_round", ["true", "false"])
def test_every_tuple_has_exactly_the_answers_planned(server, open_round, paper_size):
    items = 100 if paper_size else 25
    project = best_worst_project(items, places=CLIENTS, open=open_round, tuples_a_person="0")
    people = [visitor(project, server, number) for number in range(CLIENTS)]

    done = all_at_once(*[person.work for person in people])

    assert sum(done) == Judgment.objects.count() == 2 * items * 4
    assert Counter(answers_by_tuple(project).values()) == {4: 2 * items}
    assert accounts_balance(project)


@pytest.mark.thorough
def test_who_goes_away_double_sends_or_is_excluded_costs_no_answer(server, paper_size):
    items = 60 if paper_size else 20
    project = best_worst_project(items, places=CLIENTS, tuples_a_person="0")
    people = [visitor(project, server, number) for number in range(CLIENTS)]
    vanishing = [lambda one=one, after=after: one.work(stops_after=after) for after, one in enumerate(people[:10])]
    doubling = [lambda one=one: one.work(sends_twice=True) for one in people[10:20]]

    all_at_once(*vanishing, *doubling, *[person.work for person in people[20:]])
    for place in Participation.objects.filter(annotator__user__username__in=["u45", "u46", "u47", "u48", "u49"]):
        exclude(participation_id=place.pk, reason="a test", actor=None, now=timezone.now())
    Assignment.objects.update(lent_until=timezone.now() - timedelta(hours=1))
    newcomers = count(CLIENTS)
    while Counter(answers_by_tuple(project).values()) != {4: 2 * items}:
        assert visitor(project, server, next(newcomers)).work()

    assert len(answers_by_tuple(project)) == 2 * items
    assert accounts_balance(project)
