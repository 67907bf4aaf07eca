"""What happens to a person in a round besides answering: consent, pauses, leaving, exclusion and refills."""

from datetime import datetime
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.deadlines import deadline_of_new
from annotation.domain.errors import Refusal
from annotation.domain.flow import Consent, guard_begin, is_open, where_now
from annotation.domain.leasing import give_back, keep_lent
from annotation.domain.locking import lock
from annotation.domain.log import require_reason, write_down
from annotation.models import Assignment, AuditEntry, Participation, Project, State, User
from annotation.planning.dealing import draw_order
from annotation.protocols.spec import BestWorstDesign, BlockKind
from annotation.queries import ENDED, offered, to_answer

BATCH = 2000


@transaction.atomic
def consent(*, participation_id: int, now: datetime) -> Participation:
    """The person agrees to take part, and practises first where there is a set for it; again changes nothing."""
    participation = lock(participation_id)
    if isinstance(where_now(participation, now), Consent):
        participation.consented_at, participation.state = now, State.ACTIVE
        participation.asking = _is_asked(participation)
        participation.practising = _has_practice(participation)
        participation.save(update_fields=["consented_at", "state", "asking", "practising"])
    return participation


def _is_asked(participation: Participation) -> bool:
    """Whether there are questions about the person that they have not seen in an earlier round."""
    annotator = participation.annotator
    return annotator is not None and annotator.asked_at is None and participation.project.questions.exists()


def _has_practice(participation: Participation) -> bool:
    tasks = participation.project.practice_tasks.all()
    return isinstance(participation.design, BestWorstDesign) and to_answer(tasks).exists()


@transaction.atomic
def begin_session(*, participation_id: int, now: datetime) -> Participation:
    """The person ends the rest and begins the next session.

    Raises:
        TooEarly, WrongScreen: see `guard_begin`.
    """
    participation = lock(participation_id)
    guard_begin(participation, now)
    participation.state = State.ACTIVE
    participation.save(update_fields=["state"])
    return participation


def show(assignment: Assignment, now: datetime) -> None:
    """Notes when the server first showed the screen; later showings, and any after the answer, change nothing."""
    if assignment.shown_at is None and assignment.answered_at is None:
        unseen = Assignment.objects.filter(pk=assignment.pk, shown_at__isnull=True, answered_at__isnull=True)
        unseen.update(shown_at=now)
        assignment.shown_at = now
    keep_lent(assignment, now)


@transaction.atomic
def shorten_pause(
    *, participation_id: int, until: datetime, reason: str, actor: User | None, now: datetime
) -> Participation:
    """Lets one person come back earlier; the log keeps who allowed it and why.

    Raises:
        Refusal: no reason given, not at rest, or a time that is not earlier.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.state != State.RESTING or participation.rest_until is None or participation.rest_until <= now:
        raise Refusal(_("Only a pause that is running can be shortened."))
    if until >= participation.rest_until:
        raise Refusal(_("The new end of the pause must be earlier than the present one."))
    before, until = participation.rest_until, max(until, now)
    participation.rest_until, participation.rest_shortened = until, True
    participation.save(update_fields=["rest_until", "rest_shortened"])
    details = {"from": before, "to": until}
    _log("pause shortened", participation, reason=reason, actor=actor, now=now, **details)
    return participation


@transaction.atomic
def leave(*, participation_id: int, reason: str, now: datetime) -> Participation:
    """The person leaves; their answers stay, and a free place with what they left open takes over.

    Their reason stands with the place, not in the log: it is theirs to erase.

    Raises:
        Refusal: the round has ended for them already.
    """
    participation = lock(participation_id)
    if participation.state in (*ENDED, State.FINISHED):
        raise Refusal(_("This round has ended for you already."))
    refill = _end(participation, State.LEFT, reason or "No reason given.", now)
    _log("left", participation, actor=None, now=now, by=AuditEntry.By.ANNOTATOR, refill=_seat(refill))
    return participation


@transaction.atomic
def give_on(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """A place that stands idle goes to somebody else: its answers stay, a free place takes what is still open.

    Raises:
        Refusal: no reason given, nobody in the place, or the round has ended for them already.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.annotator_id is None:
        raise Refusal(_("Nobody has taken this place yet."))
    if participation.state in (*ENDED, State.FINISHED):
        raise Refusal(_("The round has ended for this person already; there is nothing to give on."))
    participation.given_on = True
    refill = _end(participation, State.LEFT, reason, now)
    _log("given on", participation, reason=reason, actor=actor, now=now, refill=_seat(refill))
    return participation


@transaction.atomic
def exclude(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """The person's answers no longer count, and a free place with all their screens takes over.

    Raises:
        Refusal: no reason given, nobody in the place, excluded before, or left and replaced.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.annotator_id is None:
        raise Refusal(_("Nobody has taken this place yet."))
    if participation.state == State.EXCLUDED:
        raise Refusal(_("This person has been excluded from the round already."))
    if hasattr(participation, "refill") and not is_open(participation.design):
        raise Refusal(_("This person left, and somebody has taken over; exclude whoever is at fault there."))
    refill = _end(participation, State.EXCLUDED, reason, now)
    _log("excluded", participation, reason=reason, actor=actor, now=now, refill=_seat(refill))
    return participation


def _seat(refill: Participation | None) -> int | None:
    return refill.seat if refill else None


def _end(participation: Participation, state: State, reason: str, now: datetime) -> Participation | None:
    """Ends a participation. Returns the place that takes over, where one is needed."""
    participation.ended_from, participation.state = participation.state, state
    participation.reason = reason.strip()
    participation.save(update_fields=["ended_from", "state", "reason", "given_on"])
    return give_back(participation, now) if is_open(participation.design) else _refill(participation, now)


def _refill(leaving: Participation, now: datetime) -> Participation | None:
    """A free place with the screens that are now missing; None where nothing is.

    After an exclusion that is every screen, after leaving what was not answered, with the calibration of those
    sessions. The intra-annotator block is personal and ends with the person; an incident begun is given on whole. What
    was withdrawn is not asked for again.
    """
    screens = _missing_screens(leaving)
    if not screens:
        return None
    Project.objects.select_for_update().get(pk=leaving.project_id)  # two places made at once get two numbers
    seats = Participation.objects.filter(project=leaving.project, round=leaving.round)
    refill = Participation.objects.create(
        project=leaving.project,
        round=leaving.round,
        seat=seats.aggregate(last=Max("seat"))["last"] + 1,
        pool=leaving.pool,
        validates=leaving.validates,
        replaces=leaving,
        **_deadline(leaving, now),
    )
    leaving.incidents.filter(
        documents__sentences__in=[screen.sentence_id for screen in screens if screen.sentence_id]
    ).update(participation=refill)
    Assignment.objects.bulk_create(_copied(screens, refill), batch_size=BATCH)
    return refill


def _deadline(leaving: Participation, now: datetime) -> dict[str, Any]:
    """The day of who goes, if it is to come; else that of the round."""
    if leaving.due_at is not None and leaving.due_at > now:
        return {"due_at": leaving.due_at, "due_closes": leaving.due_closes}
    return deadline_of_new(leaving.project, leaving.round, now)


def _missing_screens(leaving: Participation) -> list[Assignment]:
    asked = offered(leaving.assignments.filter(lapsed_at__isnull=True)).exclude(block=BlockKind.INTRA)
    screens = list(asked.select_related("sentence__document"))
    if leaving.state == State.EXCLUDED:
        return screens
    missing = {screen for screen in screens if screen.answered_at is None and screen.block == BlockKind.MAIN}
    sessions = {screen.session for screen in missing}
    incidents = {screen.sentence.document.incident_id for screen in missing if screen.sentence}
    return [
        screen
        for screen in screens
        if screen in missing
        or (screen.block == BlockKind.CALIBRATION and screen.session in sessions)
        or (screen.sentence and screen.sentence.document.incident_id in incidents)
    ]


def _copied(screens: list[Assignment], refill: Participation) -> list[Assignment]:
    return [
        Assignment(
            participation=refill,
            session=screen.session,
            context=screen.context,
            block=screen.block,
            position=screen.position,
            item_id=screen.item_id,
            sentence_id=screen.sentence_id,
            tuple_id=screen.tuple_id,
            order=_order(screen, refill),
        )
        for screen in screens
    ]


def _order(screen: Assignment, refill: Participation) -> str:
    """The order in which the new person sees a tuple: one of their own."""
    if screen.tuple_id is None:
        return ""
    generator = np.random.default_rng([refill.project.seed, refill.seat, screen.position])
    return draw_order(len(screen.order), generator)


def _log(action: str, participation: Participation, **values: Any) -> None:
    write_down(action, participation.project, participation=participation, **values)
