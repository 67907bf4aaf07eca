"""Small projects to watch."""

from datetime import datetime, timedelta

from annotation.domain.participation.lifecycle import consent
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import Membership, Participation, Project, User
from scoring.models import ProjectStatistics
from tests.factories import NOON, add_pairs, answer_all, make_project, make_user, rate_next, seat_outsider
from tests.jobs import attempt

LATER = NOON + timedelta(hours=1)
ROLE = Membership.Role


def watched(people: int = 3, *, pairs: int = 4, key: str = "project") -> Project:
    """A rating project where everybody has answered everything but the last, who has answered one screen."""
    project = make_project("stss131", key)
    add_pairs(project, pairs)
    plan_round(project=project, round_key="main", people=people + 1)
    for number in range(1, people):
        answer_all(seat_outsider(project, "main", f"person-{number}"))
    last = seat_outsider(project, "main", f"person-{people}")
    consent(participation_id=last.pk, now=NOON)
    rate_next(last, "3.5")
    return project


def measure_project(project_id: int, now: datetime) -> bool:
    """Whether there was anything new to measure."""
    row, _created = ProjectStatistics.objects.get_or_create(project_id=project_id)
    before = row.basis
    ProjectStatistics.objects.update(state="waiting")
    assert attempt(row, now) == "done"
    return row.basis != before


def measured(people: int = 3, **values: int) -> Project:
    project = watched(people, **values)
    measure_project(project.pk, LATER)
    return project


def member(project: Project, role: str) -> User:
    user = make_user(role)
    add_member(project=project, user=user, role=role)
    return user


def seat(project: Project, number: int) -> Participation:
    return project.participations.get(seat=number)
