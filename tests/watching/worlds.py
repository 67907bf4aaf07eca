"""Small projects to watch."""

from datetime import timedelta

from annotation.domain.assigning import plan_round
from annotation.domain.participation import consent
from annotation.domain.projects import add_member
from annotation.models import Membership, Participation, Project, User
from scoring.domain.watching.pulse import take_pulse
from tests.factories import NOON, add_pairs, answer_all, make_project, make_user, rate_next, seat_outsider

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


def measured(people: int = 3, **values: int) -> Project:
    project = watched(people, **values)
    take_pulse(project.pk, LATER)
    return project


def member(project: Project, role: str) -> User:
    user = make_user(role)
    add_member(project=project, user=user, role=role)
    return user


def seat(project: Project, number: int) -> Participation:
    return project.participations.get(seat=number)
