"""A small planned round of every preset, and of every way in which a preset plans its work."""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.domain.planning.rounds import plan_round
from annotation.models import Project
from tests.factories import (
    add_dialogues,
    add_incidents,
    add_pairs,
    add_pairs_in_context,
    add_texts,
    do_round,
    make_project,
    news_project,
)
from tests.practice_sets import add_tasks


@dataclass(frozen=True)
class World:
    """A project with one planned round in which nobody has a place yet."""

    project: Project
    round: str = "main"


def planned(project: Project, round_key: str = "main", people: int | None = None) -> World:
    plan_round(project=project, round_key=round_key, people=people)
    return World(project, round_key)


def selection() -> World:
    project = make_project("czech_news", R1__incidents="1")
    add_incidents(project, 2, summary=3)
    return planned(project, "R1")


def validation() -> World:
    return planned(news_project(people=1, incidents=2, R2__tuples="4"), "R2")


def stacks() -> World:
    project = news_project(people=2, incidents=3, R2__tuples="4", R3__annotators="1", R3__tuples="4", R3__intra="1")
    do_round(project, "R2")
    return planned(project, "R3")


def two_contexts() -> World:
    numbers = {"ratings": "2", "items_a_person": "4", "calibration": "0,3", "intra": "1"}
    project = make_project("two_contexts", **numbers)
    add_pairs_in_context(project, 8)
    return planned(project)


def dialogues() -> World:
    project = make_project("giccs", people="2", tuples_a_person="7")
    add_dialogues(project, 1, utterances=4)
    return planned(project)


def texts() -> World:
    project = make_project("best_worst", people="2", tuples_a_person="4")
    add_texts(project, 6)
    return planned(project)


def tuples(*, practice: int = 0, **changes: str) -> World:
    project = make_project("semrel", **{"people": "2", "tuples_a_person": "0"} | changes)
    add_pairs(project, 6)
    add_tasks(project, practice=practice, check=practice)
    return planned(project, people=2 if practice else None)


def pairs(preset: str, number: int = 4, *, people: int | None = None, calibration: int = 0, **changes: str) -> World:
    project = make_project(preset, **changes)
    add_pairs(project, number, calibration=calibration)
    return planned(project, people=people)


POOLS = {"students__people": "1", "crowd__people": "2"}
POOLED = {"open": "true", "items_a_person": "3"}
WORLDS: dict[str, Callable[[], World]] = {
    "czech_news R1": selection,
    "czech_news R2": validation,
    "czech_news R3": stacks,
    "semrel": tuples,
    "semrel planned ahead, with a check": lambda: tuples(practice=1, open="no"),
    "giccs": dialogues,
    "dscs": lambda: pairs("dscs", **POOLS),
    "dscs from pools": lambda: pairs("dscs", **POOLS | POOLED),
    "stss131": lambda: pairs("stss131", people=3, calibration=2),
    "stss131 from a pool": lambda: pairs("stss131", calibration=1, raters__people="2", **POOLED),
    "two_contexts": two_contexts,
    "rating": lambda: pairs("rating", 6, ratings="2", items_a_person="4"),
    "rating from a pool": lambda: pairs("rating", ratings="2", **POOLED),
    "best_worst": texts,
}
