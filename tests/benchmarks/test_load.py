"""The load benchmark: its people answer on a real server, and what it says of the database is true."""

import random
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from django.urls import reverse

from annotation.domain.judgment.saving import rate
from annotation.models import Judgment, Tuple
from benchmarks.load.checking import check
from benchmarks.load.driving import Crowd, NotAcknowledged, Outcome, drive
from benchmarks.load.peers.comparing import TITLE, write
from benchmarks.load.processes import family, megabytes, seconds, spent
from benchmarks.load.screens import answer_to
from benchmarks.load.servers import rebound
from benchmarks.load.worlds import KINDS, seat_people
from tests.config.surroundings import ROOT, clean_environment
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import NOON, present_screen, rating_round
from tests.factories import answer_to as given_to

FOUND = re.compile(r"acknowledged ([\d,]+), stored ([\d,]+), (.*)")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_load_on_the_embedded_server():
    command = "-m benchmarks.load --embedded --kind ratings --clients 4 --seconds 2 --pairs 400 --signed-in 8".split()
    done = subprocess.run(
        [sys.executable, *command, "--port", "23400"],
        cwd=ROOT,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    acknowledged, stored, rest = FOUND.search(done.stdout).groups()
    assert acknowledged == stored != "0"
    assert rest == "missing 0, doubled 0, screens with two answers 0, not acknowledged 0, overshoot 0"
    row = next(line for line in done.stdout.splitlines() if line.startswith("| ratings |"))
    assert len(row.split("|")) == 14


# what it says of the database


@pytest.fixture
def answered(user):
    """Two acknowledged answers, as the clients know them."""
    place = rating_round(user, pairs=3)
    known = []
    for value in ("1", "2"):
        answer = given_to(present_screen(place))
        rate(participation_id=place.pk, answer=answer, value=value, now=NOON)
        known.append((str(answer.assignment_id), str(answer.key)))
    return known


FINE = {"acknowledged": 2, "stored": 2, "missing": 0, "doubled": 0, "screens with two answers": 0}
FINE |= {"not acknowledged": 0, "overshoot": 0}


def test_check_where_all_is_stored(answered):
    assert check(answered, last=0) == FINE


def test_check_finds_an_answer_that_is_lost(answered):
    Judgment.objects.first().delete()
    assert check(answered, last=0) == FINE | {"stored": 1, "missing": 1}


def test_check_finds_an_answer_that_nobody_acknowledged(answered):
    assert check(answered[:1], last=0) == FINE | {"acknowledged": 1, "not acknowledged": 1}


def test_check_finds_an_answer_acknowledged_twice(answered):
    found = check([*answered, answered[0]], last=0)
    assert found == FINE | {"acknowledged": 3, "missing": 1, "doubled": 1}


def test_check_leaves_earlier_answers_out(answered):
    last = Judgment.objects.first().pk
    assert check(answered[1:], last) == FINE | {"acknowledged": 1, "stored": 1}


def test_check_finds_a_tuple_with_more_answers_than_planned(db):
    project = best_worst_project()
    place = at_work(project, "one")[0]
    judgment = choose_first(place)
    assert check([(judgment.assignment_id, str(judgment.key))], last=0)["overshoot"] == 0
    Tuple.objects.filter(pk=judgment.assignment.tuple_id).update(planned=0, given=0)
    assert check([(judgment.assignment_id, str(judgment.key))], last=0)["overshoot"] == 1


# its people


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_screen_is_answered_as_its_page_asks(db, client, kind):
    place = seat_people(KINDS[kind](2, 16), 2)[0]
    client.force_login(place.annotator.user)
    address, chance = reverse("work", args=[place.pk]), random.Random(0)
    page = client.get(address).text
    keys = []
    for _ in range(3):
        fields = answer_to(page, chance)
        response = client.post(address, fields, headers={"HX-Request": "true"})
        assert response["X-Saved"] == fields["key"]
        keys.append(fields["key"])
        page = client.post(address, fields, follow=True).text
    stored = Judgment.objects.filter(assignment__participation=place).order_by("pk")
    assert [str(key) for key in stored.values_list("key", flat=True)] == keys


def test_page_without_a_screen_has_no_answer():
    assert answer_to("<h1>Thank you</h1>", random.Random(0)) == {}


class Person:
    """Somebody with some screens, the last of which is refused if it has to be."""

    def __init__(self, screens: int, *, refused: bool = False):
        self.screens, self.refused, self.open_windows = screens, refused, 0

    def open(self) -> bool:
        self.open_windows += 1
        return self.screens > 0

    def answer(self, chance: random.Random) -> int | None:
        if not self.screens:
            return None
        if self.screens == 1 and self.refused:
            raise NotAcknowledged("500")
        self.screens -= 1
        return self.screens

    def close(self) -> None:
        self.open_windows -= 1


def test_drive_lets_the_next_person_follow_and_names_what_went_wrong():
    people = [Person(0), Person(3), Person(2, refused=True), Person(1)]
    began = []

    outcome = drive(Crowd.of(people), clients=1, seconds=60, ready=lambda: began.append(people[1].open_windows))

    assert began == [1]
    assert outcome.acknowledged == [2, 1, 0, 1, 0]
    assert outcome.answers == 5 and outcome.percentile(99) >= outcome.percentile(50) > 0
    assert outcome.problems == [
        "500",
        "The annotators ran out of items before the time was up.",
    ]
    assert [person.open_windows for person in people] == [0, 0, 0, 0]


def test_drive_ends_where_somebody_cannot_begin():
    class Stranger(Person):
        def open(self) -> bool:
            raise NotAcknowledged("401")

    with pytest.raises(NotAcknowledged, match="401"):
        drive(Crowd.of([Person(1), Stranger(1)]), clients=2, seconds=60, ready=list)


def test_outcome_of_nobody_has_no_percentile():
    assert str(replace(Outcome(), seconds=1.0).percentile(50)) == "nan"


# what it measures


def test_write_replaces_the_table_of_its_section_only(tmp_path):
    page = tmp_path / "performance.md"
    page.write_text(f"# Page\n\n{TITLE}\n\nWhat is measured.\n\n## Next\n\n| 1 | 2 |\n")
    for table in ("2 processors, 1 May\n\n| old |", "2 processors, 2 May\n\n| new |"):
        write(table, page)
    assert page.read_text() == (
        f"# Page\n\n{TITLE}\n\nWhat is measured.\n\n2 processors, 2 May\n\n| new |\n\n## Next\n\n| 1 | 2 |\n"
    )


def test_rebound_replaces_the_address_only():
    command = ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--threads", "8"]
    assert rebound(command, 8341) == [*command[:3], "127.0.0.1:8341", *command[4:]]


def test_rebound_of_a_command_with_another_address():
    with pytest.raises(ValueError, match="Cannot tell which address this command listens on"):
        rebound(["gunicorn", "--bind", "0.0.0.0:9000"], 8341)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_processor_time_and_memory_of_a_family():
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    with subprocess.Popen([sys.executable, "-c", busy]) as parent:
        try:
            while len(members := family(parent.pid)) < 2:
                pass
            before = seconds([parent.pid])
            while (used := spent(before, seconds(members))) < 0.2:
                pass
            child = members[1]
            assert spent(before, {parent.pid: before[parent.pid]}) == 0 < used
            assert megabytes(members) > megabytes([child]) > 1
            assert seconds([2**30]) == {}
        finally:
            subprocess.run(["kill", *map(str, family(parent.pid))], check=True)
