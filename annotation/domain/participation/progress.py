"""The progress of an annotator in their round, and the estimated time left."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from django.db.models import Count, Max, Q

from annotation.domain.participation.open_round import pool_of
from annotation.models import Assignment, Judgment, Participation
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import current

RECENT = 12  # the last answers, from which a person's speed is computed
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


@dataclass(frozen=True)
class Tally:
    """An annotator's progress when a screen is shown: counted once, then updated from screen to screen.

    It is stored with the screen that is shown, so that the cost of an answer does not grow with the number of answers.
    """

    layout: int
    """The project's when this was counted: another one means that screens were withdrawn or restored since."""
    done: int
    total: int | None
    block_done: int
    block_total: int | None
    recent: Sequence[int]
    """Milliseconds of the last answers, the last one first."""

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))

    def after(self, answered_ms: int | None) -> "Tally":
        """Return the tally of the next screen of the same block, after an answer that took so long."""
        recent = self.recent if answered_ms is None else [answered_ms, *self.recent][:RECENT]
        return replace(self, done=self.done + 1, block_done=self.block_done + 1, recent=recent)


def progress(assignment: Assignment) -> Progress:
    """Return the progress in the block (in a selection, the incident) and in the round."""
    tally = tally_of(assignment) or count(assignment)
    seconds = min(median(tally.recent) / 1000, LONGEST_SECONDS) if tally.recent else None
    known = seconds is not None and tally.total is not None
    minutes = max(1, round(seconds * (tally.total - tally.done) / 60)) if known else None
    return Progress(tally.done, tally.total, tally.block_done, tally.block_total, minutes)


def tally_of(assignment: Assignment) -> Tally | None:
    """Return the stored tally of a screen; None if there is none, or the screens have changed since."""
    tally = Tally(**assignment.tally) if assignment.tally else None
    return tally if tally and tally.layout == assignment.participation.project.layout else None


def count(assignment: Assignment) -> Tally:
    """Count a person's progress at a screen, in at most four queries."""
    answered, block = Q(answered_at__isnull=False), Q(session=assignment.session, block=assignment.block)
    if assignment.sentence:
        block &= Q(sentence__document=assignment.sentence.document_id)
    screens = Assignment.objects.filter(participation=assignment.participation_id, lapsed_at__isnull=True)
    counts = screens.aggregate(
        done=Count("pk", filter=answered),
        total=Count("pk"),
        block_done=Count("pk", filter=answered & block),
        block_total=Count("pk", filter=block),
    )
    participation = assignment.participation
    if participation.design.is_open:
        counts["total"] = screens_in_all(participation)
        if assignment.block == BlockKind.MAIN:
            counts["block_total"] = _most_entries(participation)
    return Tally(participation.project.layout, **counts, recent=_recent_times(assignment))


def screens_in_all(participation: Participation) -> int | None:
    """Return the number of a person's screens, in an open round the maximum; None if there is no limit."""
    screens = participation.assignments.filter(lapsed_at__isnull=True)
    if not participation.design.is_open:
        return screens.count()
    most = _most_entries(participation)
    return None if most is None else screens.exclude(block=BlockKind.MAIN).count() + most


def _most_entries(participation: Participation) -> int | None:
    """Return the maximum number of tuples or items of a person in an open round, or None if there is no limit."""
    if participation.most is None:
        return None
    last = pool_of(participation).entries.aggregate(last=Max("position"))["last"]
    return min(participation.most, last or participation.most)


def _recent_times(assignment: Assignment) -> list[int]:
    """Return the milliseconds of the person's last answers, the last one first.

    The screens come first: sorted by judgment, a database may walk through everybody's to find those of one person.
    """
    answered = Assignment.objects.filter(participation=assignment.participation_id, answered_at__isnull=False)
    last = answered.order_by("-answered_at", "-session", "-position").values("pk")[:RECENT]
    timed = current(Judgment.objects.filter(assignment__in=last, answered_ms__isnull=False))
    ordered = timed.order_by("-assignment__answered_at", "-assignment__session", "-assignment__position")
    return list(ordered.values_list("answered_ms", flat=True))
