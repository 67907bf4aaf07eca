"""How far a person has come, and how long the rest will take them."""

from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Max, Q

from annotation.domain.flow import is_open
from annotation.models import Assignment, Judgment, Participation, Tuple
from annotation.queries import current

RECENT = 12  # answers that tell a person's present speed
LONGEST_SECONDS = 300  # of one answer; beyond it the person was away


@dataclass(frozen=True)
class Progress:
    done: int
    total: int | None
    """None in an open round where people answer as many as they like."""
    block_done: int
    block_total: int | None
    minutes_left: int | None
    """None until the person has answered something."""


def progress(assignment: Assignment) -> Progress:
    """Where an assignment stands in its block (of a selection: in its incident) and in the round.

    Three queries at the most, whatever the size.
    """
    answered, block = Q(answered_at__isnull=False), Q(session=assignment.session, block=assignment.block)
    if assignment.sentence:
        block &= Q(sentence__document=assignment.sentence.document_id)
    own = Assignment.objects.filter(participation=assignment.participation_id, lapsed_at__isnull=True)
    counts = own.aggregate(
        done=Count("pk", filter=answered),
        total=Count("pk"),
        block_done=Count("pk", filter=answered & block),
        block_total=Count("pk", filter=block),
    )
    if is_open(assignment.participation.design):
        counts["total"] = counts["block_total"] = most_tuples(assignment.participation)
    seconds = _recent_seconds(assignment)
    known = seconds is not None and counts["total"] is not None
    minutes = max(1, round(seconds * (counts["total"] - counts["done"]) / 60)) if known else None
    return Progress(**counts, minutes_left=minutes)


def most_tuples(participation: Participation) -> int | None:
    """Of an open round: how many tuples the person answers at the most, never more than there are; None: no limit."""
    if participation.most is None:
        return None
    tuples = Tuple.objects.filter(project=participation.project_id, round=participation.round)
    return min(participation.most, tuples.aggregate(last=Max("position"))["last"] or 0)


def _recent_seconds(assignment: Assignment) -> float | None:
    """The median time of the person's last answers, in seconds."""
    recent = current(Judgment.objects.all()).filter(
        assignment__participation=assignment.participation_id, answered_ms__isnull=False
    )
    times = list(recent.order_by("-pk").values_list("answered_ms", flat=True)[:RECENT])
    return min(median(times) / 1000, LONGEST_SECONDS) if times else None
