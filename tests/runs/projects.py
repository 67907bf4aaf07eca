"""Small projects that simulated people have answered, one of every kind of paper."""

from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.rounds import Behaviour, simulate_round
from annotation.models import Item, Project
from tests.factories import NOON, add_dialogues, add_incidents, add_pairs, make_project
from tests.remembering import remembered

NEWS = {"R1__incidents": "4", "R2__tuples": "6", "R3__annotators": "2", "R3__tuples": "6"}
NEWS |= {"R3__stack_size": "2", "R3__calibration": "0,3,6", "R3__intra": "2"}


def answered(project: Project, *rounds: str, people: int | None = None) -> Project:
    for round_key in rounds:
        plan_round(project=project, round_key=round_key, people=people)
        list(simulate_round(project=project, round_key=round_key, people=None, behaviour=Behaviour(), seed=1, now=NOON))
    return project


@remembered
def news(key: str) -> Project:
    project = make_project("czech_news", key, **NEWS)
    add_incidents(project, 16)
    return answered(project, "R1", "R2", "R3")


@remembered
def relatedness(key: str) -> Project:
    project = make_project("semrel", key, tuples_a_person="0")
    add_pairs(project, 12)
    return answered(project, "main", people=4)


@remembered
def dialogues(key: str) -> Project:
    project = make_project("giccs", key)
    add_dialogues(project, 3)
    return answered(project, "main")


@remembered
def labelled(key: str) -> Project:
    project = make_project("dscs", key, students__people="2", crowd__people="3")
    add_pairs(project, 6, gold=False)
    Item.objects.filter(project=project, key__in=("p1", "p2", "p3")).update(gold=True)
    return answered(project, "main")


EVERY = {"czech_news": news, "semrel": relatedness, "giccs": dialogues, "dscs": labelled}
