"""Small best-worst rounds for tests."""

from collections import Counter

from django.db.models import F

from annotation.domain.judgment.saving import choose
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import consent
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Judgment, Participation, Project, Tuple
from annotation.queries.counting import counted
from tests.factories import NOON, add_pairs, answer_to, make_project, reread, seat_outsider


def best_worst_project(pairs: int = 12, *, places: int | None = None, **changes: str) -> Project:
    """A planned project of 4-tuples: an open round, if the changes do not say otherwise."""
    project = make_project("semrel", **{"tuples_a_person": "0"} | changes)
    add_pairs(project, pairs)
    plan_round(project=project, round_key="main", people=places)
    return project


def at_work(project: Project, *names: str) -> list[Participation]:
    """People who took a place and agreed to take part."""
    places = [seat_outsider(project, "main", name) for name in names]
    return [consent(participation_id=place.pk, now=NOON) for place in places]


def lent_to(participation: Participation, now=NOON) -> Assignment:
    """The tuple that the person has now, lent this moment if they had none."""
    return next_place(reread(participation), now).assignment


def choose_first(participation: Participation, assignment: Assignment | None = None, now=NOON, **values) -> Judgment:
    """The first item of the tuple as best, the last as worst."""
    assignment = assignment or lent_to(participation, now)
    best, *_, worst = assignment.tuple.places.values_list("item", flat=True)
    return choose(
        participation_id=participation.pk,
        answer=answer_to(assignment, **values.pop("answer", {})),
        now=now,
        **{"best": best, "worst": worst} | values,
    )


def answers_by_tuple(project: Project) -> Counter:
    """How many answers each tuple has that count."""
    judged = counted(Judgment.objects.filter(assignment__tuple__project=project))
    return Counter(judged.values_list("assignment__tuple", flat=True))


def accounts_balance(project: Project) -> bool:
    """Whether every tuple counts as given exactly what is lent out or answered, and counts."""
    live = Assignment.objects.filter(tuple__project=project, lapsed_at__isnull=True).exclude(
        participation__state="excluded"
    )
    given = Counter(live.values_list("tuple", flat=True))
    stored = Counter(dict(Tuple.objects.filter(project=project).values_list("pk", "given")))
    return +given == +stored and not Tuple.objects.filter(project=project, given__gt=F("planned")).exists()
