"""Small open rounds of ratings for tests."""

from collections import Counter

from django.db.models import F

from annotation.domain.judgment.saving import rate
from annotation.domain.participation.flow import Screen
from annotation.domain.participation.leasing import next_place
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Judgment, Participation, PooledItem, Project
from annotation.queries.counting import counted
from tests.factories import NOON, add_pairs, answer_to, make_project, reread


def open_project(
    pairs: int = 6,
    *,
    preset: str = "stss131",
    key: str = "project",
    places: int | None = None,
    calibration: int = 0,
    **changes: str,
) -> Project:
    """A planned open round: three ratings of each pair, at most four pairs for one person, if nothing else is said."""
    numbers = {"raters__people": "3"} if preset == "stss131" else {}
    project = make_project(preset, key, **{"open": "true", "items_a_person": "4"} | numbers | changes)
    add_pairs(project, pairs, calibration=calibration)
    plan_round(project=project, round_key="main", people=places)
    return project


def rate_lent(participation: Participation, assignment: Assignment | None = None, now=NOON, value="1") -> Judgment:
    """A rating of the person's present pair, or of another one."""
    assignment = assignment or next_place(reread(participation), now).assignment
    return rate(participation_id=participation.pk, answer=answer_to(assignment), value=value, now=now)


def rate_all(participation: Participation, now=NOON) -> int:
    """Rates until nothing more comes. Returns how many."""
    answered = 0
    while isinstance(next_place(reread(participation), now), Screen):
        rate_lent(participation, now=now)
        answered += 1
    return answered


def ratings_by_item(project: Project) -> Counter:
    """How many counted ratings each pooled item has from each group of raters."""
    judged = counted(Judgment.objects.filter(assignment__pooled__project=project))
    return Counter(judged.values_list("assignment__pooled__pool", "assignment__item__key"))


def accounts_balance(project: Project) -> bool:
    """Whether every item counts as given exactly what is leased or rated, and counts; never more than planned."""
    live = Assignment.objects.filter(pooled__project=project, lapsed_at__isnull=True).exclude(
        participation__state="excluded"
    )
    given = Counter(live.values_list("pooled", flat=True))
    stored = Counter(dict(PooledItem.objects.filter(project=project).values_list("pk", "given")))
    return +given == +stored and not PooledItem.objects.filter(project=project, given__gt=F("planned")).exists()
