"""The Czech News protocol from import to dataset, by the management commands alone (Czech News 4 and 8)."""

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Count

from annotation.models import Assignment, Item, Participation, Project

Pair = tuple[str, str]


@dataclass(frozen=True)
class Size:
    """Numbers of a collection; the paper's are those of section 4."""

    annotators: int
    incidents: int
    summary: int
    tuples_r2: int
    validated: int
    tuples_r3: int
    stack: int
    intra: int

    @property
    def settings(self) -> list[str]:
        return [
            f"R1.incidents={self.incidents}",
            f"R2.tuples={self.tuples_r2}",
            f"R3.annotators={self.validated}",
            f"R3.tuples={self.tuples_r3}",
            f"R3.stack_size={self.stack}",
            f"R3.intra={self.intra}",
        ]


SMALL = Size(annotators=6, incidents=2, summary=5, tuples_r2=6, validated=2, tuples_r3=8, stack=3, intra=3)
QUARTER = Size(annotators=18, incidents=3, summary=10, tuples_r2=8, validated=2, tuples_r3=15, stack=9, intra=5)
PAPER = Size(annotators=72, incidents=6, summary=10, tuples_r2=30, validated=8, tuples_r3=50, stack=9, intra=5)


def write_incidents(path: Path, size: Size) -> None:
    chance = random.Random(7)
    words = [f"slovo{number}" for number in range(2000)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=12)) + "."

    with path.open("w", encoding="utf-8") as file:
        for number in range(size.annotators * size.incidents):
            reports = [
                {"id": f"r{report}", "title": "", "sentences": [sentence() for _ in range(8)]} for report in range(3)
            ]
            summary = [sentence() for _ in range(size.summary)]
            incident = {"id": f"i{number}", "title": "", "language": "cs", "summary": summary, "reports": reports}
            file.write(json.dumps(incident) + "\n")


def run_protocol(size: Size, folder: Path, *options: str) -> Project:
    """The whole collection; returns the project, its dataset is in the folder."""
    project = run_up_to_stacks(size, folder, *options)
    call_command("simulate", "news", "R3", "--seed", "3", *options)
    refresh_statistics()
    call_command("release", "news", "--out", str(folder))
    return project


def run_up_to_stacks(size: Size, folder: Path, *options: str) -> Project:
    """R1 and R2, and the plan of R3."""
    write_incidents(folder / "incidents.jsonl", size)
    changes = [word for setting in size.settings for word in ("--set", setting)]
    call_command("create_project", "news", "--preset", "czech_news", *changes)
    call_command("import_items", "news", str(folder / "incidents.jsonl"))
    call_command("plan", "news", "R1", "--people", str(size.annotators))
    call_command("simulate", "news", "R1", "--seed", "3")
    people = size.validated * size.stack * 3
    call_command("plan", "news", "R2", "--people", str(people))
    refresh_statistics()
    call_command("simulate", "news", "R2", "--seed", "3", *options)
    call_command("plan", "news", "R3", "--people", str(people))
    refresh_statistics()
    return Project.objects.get(key="news")


def refresh_statistics() -> None:
    """A test is one transaction, in which PostgreSQL's own process never sees how the tables have grown.

    Named one by one: of all tables some are the server's, whose locks would hold up others until the test ends.
    """
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor) if connection.vendor == "postgresql" else []
        cursor.execute(f"ANALYZE {', '.join(tables)}")


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def pairs(path: Path) -> set[Pair]:
    return {(row[0], row[1]) for row in rows(path)}


def texts(items) -> set[Pair]:
    return set(items.values_list("sentence2", "sentence1"))


def check_dataset(project: Project, size: Size, folder: Path) -> None:
    expected = size.validated * size.tuples_r3 * 3
    for name in ("test-free.tsv", "test-dep.tsv"):
        annotations = [row[3].split(",") for row in rows(folder / name)]
        assert [len(values) for values in annotations] == [size.stack] * expected
        assert [float(row[2]) for row in rows(folder / name)] == pytest.approx(
            [sum(map(float, values)) / len(values) for values in annotations], abs=5e-5
        )
    train = pairs(folder / "train-RAW.tsv")
    later = Item.objects.filter(assignments__participation__round__in=["R2", "R3"])
    assert train.isdisjoint(texts(later))
    assert train.isdisjoint(texts(project.items.filter(calibration_order__isnull=False)))
    selected = texts(project.items.filter(selections__judgment__superseded_at__isnull=True))
    assert train == selected - texts(later)
    assert pairs(folder / "train-N1.tsv") <= pairs(folder / "train-N2.tsv") <= train


def check_people(project: Project, size: Size) -> None:
    intra = Assignment.objects.filter(participation__project=project, block="intra", participation__round="R3")
    a_person = intra.values_list("participation", "session").annotate(Count("pk")).order_by()
    people = size.validated * size.stack * 3
    assert [number for *_, number in a_person] == [size.intra] * people * 2
    for participation in Participation.objects.filter(project=project, round="R3").select_related("annotator"):
        own = participation.assignments.all()
        before = Assignment.objects.filter(participation__annotator=participation.annotator, participation__round="R2")
        rated = set(before.values_list("item", flat=True))
        assert rated >= set(own.filter(block="intra").values_list("item", flat=True))
        assert rated.isdisjoint(own.filter(block="main").values_list("item", flat=True))
        first, second = (list(own.filter(session=one).values_list("block", "item")) for one in (1, 2))
        assert first == second


def check_stacks(project: Project, size: Size) -> None:
    """As in the paper, at most a single stack in 1,200 stands twice."""
    stacks: dict[int, list[int]] = {}
    main = Assignment.objects.filter(participation__project=project, participation__round="R3", block="main", session=1)
    for item, person in main.order_by("participation").values_list("item", "participation"):
        stacks.setdefault(item, []).append(person)
    assert len(stacks) - len(Counter(map(tuple, stacks.values()))) <= 1


@pytest.mark.django_db
def test_czech_news_protocol_ends_in_its_dataset(tmp_path):
    project = run_protocol(SMALL, tmp_path)

    check_dataset(project, SMALL, tmp_path)
    check_people(project, SMALL)
    check_stacks(project, SMALL)
    assert not Participation.objects.filter(project=project, round="R3", rest_until=None).exists()


@pytest.mark.thorough
@pytest.mark.django_db
def test_czech_news_with_people_leaving_still_gets_every_annotation(tmp_path):
    project = run_protocol(SMALL, tmp_path, "--leaving", "0.2", "--careless", "0.1", "--drift", "0.1")

    check_dataset(project, SMALL, tmp_path)
    assert Participation.objects.filter(project=project, state="left").exists()


def check_plan(project: Project, size: Size) -> None:
    check_people(project, size)
    check_stacks(project, size)
    rated = Item.objects.filter(assignments__participation__round="R3", assignments__block="main").distinct()
    assert rated.count() == size.validated * size.tuples_r3 * 3


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.django_db
def test_a_quarter_of_the_paper_is_planned_for_as_many_raters_a_pair(tmp_path):
    check_plan(run_up_to_stacks(QUARTER, tmp_path), QUARTER)


@pytest.mark.slow
@pytest.mark.django_db
def test_czech_news_at_the_size_of_the_paper(tmp_path, paper_size):
    if not paper_size:
        pytest.skip("--paper-size was not given")

    project = run_protocol(PAPER, tmp_path)

    check_dataset(project, PAPER, tmp_path)
    check_plan(project, PAPER)
