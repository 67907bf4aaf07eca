"""What happens to a person in a round besides answering: consent, pauses, leaving, exclusion and refills."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from annotation.domain.errors import Refusal
from annotation.domain.flow import Consent, guard_begin, where_now
from annotation.models import Assignment, AuditEntry, Participation, State, User
from annotation.protocols.spec import BlockKind
from annotation.queries import ENDED

BATCH = 2000


def lock(participation_id: int) -> Participation:
    """The participation as it stands now, with its project; nobody else changes it until the transaction ends."""
    return Participation.objects.select_for_update(of=("self",)).select_related("project").get(pk=participation_id)


@transaction.atomic
def consent(*, participation_id: int, now: datetime) -> Participation:
    """The person agrees to take part; agreeing twice changes nothing."""
    participation = lock(participation_id)
    if isinstance(where_now(participation, now), Consent):
        participation.consented_at, participation.state = now, State.ACTIVE
        participation.save(update_fields=["consented_at", "state"])
    return participation


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


@transaction.atomic
def shorten_pause(
    *, participation_id: int, until: datetime, reason: str, actor: User | None, now: datetime
) -> Participation:
    """Lets one person come back earlier; the log keeps who allowed it and why.

    Raises:
        Refusal: no reason given, not at rest, or a time that is not earlier.
    """
    participation = lock(participation_id)
    _require_reason(reason)
    if participation.state != State.RESTING or participation.rest_until is None or participation.rest_until <= now:
        raise Refusal("Only a pause that is running can be shortened.")
    if until >= participation.rest_until:
        raise Refusal("The new end of the pause must be earlier than the present one.")
    before, until = participation.rest_until, max(until, now)
    participation.rest_until, participation.rest_shortened = until, True
    participation.save(update_fields=["rest_until", "rest_shortened"])
    _log("pause shortened", participation, reason, actor, now, {"from": before, "to": until})
    return participation


@transaction.atomic
def leave(*, participation_id: int, reason: str, now: datetime) -> Participation:
    """The person leaves; their answers stay, and a free place with what they left open takes over.

    Raises:
        Refusal: the round has ended for them already.
    """
    participation = lock(participation_id)
    if participation.state in (*ENDED, State.FINISHED):
        raise Refusal("This round has ended for you already.")
    return _end(participation, State.LEFT, reason or "No reason given.", None, now)


@transaction.atomic
def exclude(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """The person's answers no longer count, and a free place with all their screens takes over.

    Raises:
        Refusal: no reason given, nobody in the place, excluded before, or left and replaced.
    """
    participation = lock(participation_id)
    _require_reason(reason)
    if participation.annotator_id is None:
        raise Refusal("Nobody has taken this place yet.")
    if participation.state == State.EXCLUDED:
        raise Refusal("This person has been excluded from the round already.")
    if hasattr(participation, "refill"):
        raise Refusal("This person left, and somebody has taken over; exclude whoever is at fault there.")
    return _end(participation, State.EXCLUDED, reason, actor, now)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise Refusal("Please give a reason; the log keeps it.")


def _end(participation: Participation, state: State, reason: str, actor: User | None, now: datetime) -> Participation:
    participation.state, participation.reason = state, reason.strip()
    participation.save(update_fields=["state", "reason"])
    refill = _refill(participation)
    _log(state.value, participation, reason, actor, now, {"refill": refill.seat if refill else None})
    return participation


def _refill(leaving: Participation) -> Participation | None:
    """A free place with the screens that are now missing; None where nothing is.

    After an exclusion that is every screen, after leaving what was not answered, with the calibration of those
    sessions. The intra-annotator block is personal and ends with the person; an incident begun is given on whole.
    """
    screens = _missing_screens(leaving)
    if not screens:
        return None
    seats = Participation.objects.filter(project=leaving.project, round=leaving.round)
    refill = Participation.objects.create(
        project=leaving.project,
        round=leaving.round,
        seat=seats.aggregate(last=Max("seat"))["last"] + 1,
        pool=leaving.pool,
        validates=leaving.validates,
        replaces=leaving,
    )
    leaving.incidents.filter(
        documents__sentences__in=[screen.sentence_id for screen in screens if screen.sentence_id]
    ).update(participation=refill)
    Assignment.objects.bulk_create(_copied(screens, refill), batch_size=BATCH)
    return refill


def _missing_screens(leaving: Participation) -> list[Assignment]:
    screens = list(leaving.assignments.exclude(block=BlockKind.INTRA).select_related("sentence__document"))
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
        )
        for screen in screens
    ]


def _log(
    action: str, participation: Participation, reason: str, actor: User | None, now: datetime, details: dict
) -> None:
    AuditEntry.objects.create(
        project=participation.project,
        participation=participation,
        actor=actor,
        action=action,
        reason=reason.strip(),
        details=details,
        at=now,
    )
