"""How far a person has come, and how long the rest will take them."""

from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Q

from annotation.models import Assignment, Judgment
from annotation.queries import current

RECENT = 12  # answers that tell a person's present speed
LONGEST_SECONDS = 300  # of one answer; beyond it the person was away


@dataclass(frozen=True)
class Progress:
    done: int
    total: int
    block_done: int
    block_total: int
    minutes_left: int | None
    """None until the person has answered something."""


def progress(assignment: Assignment) -> Progress:
    """Where an assignment stands in its block (of a selection: in its incident) and in the round; two queries."""
    answered, block = Q(answered_at__isnull=False), Q(session=assignment.session, block=assignment.block)
    if assignment.sentence:
        block &= Q(sentence__document=assignment.sentence.document_id)
    counts = Assignment.objects.filter(participation=assignment.participation_id).aggregate(
        done=Count("pk", filter=answered),
        total=Count("pk"),
        block_done=Count("pk", filter=answered & block),
        block_total=Count("pk", filter=block),
    )
    seconds = _recent_seconds(assignment)
    open_screens = counts["total"] - counts["done"]
    minutes = None if seconds is None else max(1, round(seconds * open_screens / 60))
    return Progress(**counts, minutes_left=minutes)


def _recent_seconds(assignment: Assignment) -> float | None:
    """The median time of the person's last answers, in seconds."""
    recent = current(Judgment.objects.all()).filter(
        assignment__participation=assignment.participation_id, answered_ms__isnull=False
    )
    times = list(recent.order_by("-pk").values_list("answered_ms", flat=True)[:RECENT])
    return min(median(times) / 1000, LONGEST_SECONDS) if times else None
