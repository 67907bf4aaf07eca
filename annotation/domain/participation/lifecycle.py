"""The life cycle of a participation: consent, pauses, leaving, exclusion and replacement."""

from datetime import datetime
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.participation.advancing import finish_if_all_is_withdrawn
from annotation.domain.participation.deadlines import deadline_of_new
from annotation.domain.participation.flow import Consent, guard_begin, where_now
from annotation.domain.participation.leasing import give_back, keep_lent
from annotation.domain.participation.locking import lock
from annotation.domain.participation.progress import count, tally_of
from annotation.models import Assignment, AuditEntry, Participation, Project, State, User
from annotation.models.audit_actions import Action
from annotation.planning.dealing import draw_order
from annotation.protocols.terms import BlockKind
from annotation.queries.people import ENDED, free_seats
from annotation.queries.projects import to_answer
from annotation.queries.screens import offered

BATCH = 2000


@transaction.atomic
def consent(*, participation_id: int, now: datetime) -> Participation:
    """Store the person's consent; practice follows if there is a set. A repeated consent changes nothing."""
    participation = lock(participation_id)
    if isinstance(where_now(participation, now), Consent):
        participation.consented_at, participation.state = now, State.ACTIVE
        participation.consent_version = _version_of_consent(participation.project, now)
        participation.asking = _is_asked(participation)
        participation.practising = _has_practice(participation)
        participation.save(update_fields=["consented_at", "consent_version", "state", "asking", "practising"])
        finish_if_all_is_withdrawn(participation, now)
    return participation


def _version_of_consent(project: Project, now: datetime) -> int:
    """Return the number of the project's present consent text, and store a text that nobody has agreed to before."""
    texts = project.consent_texts
    if known := texts.filter(text=project.consent).first():
        return known.number
    Project.objects.select_for_update().get(pk=project.pk)  # two people who come at once agree to the same version
    number = (texts.aggregate(last=Max("number"))["last"] or 0) + 1
    return texts.get_or_create(text=project.consent, defaults={"number": number, "first_at": now})[0].number


def _is_asked(participation: Participation) -> bool:
    """Return whether there are questions about the person that they have not seen in an earlier round."""
    annotator = participation.annotator
    return annotator is not None and annotator.asked_at is None and participation.project.questions.exists()


def _has_practice(participation: Participation) -> bool:
    tasks = participation.project.practice_tasks.all()
    return participation.design.compares and to_answer(tasks).exists()


@transaction.atomic
def begin_session(*, participation_id: int, now: datetime) -> Participation:
    """End the rest and begin the next session. Raise TooEarly or WrongScreen as `guard_begin` does."""
    participation = lock(participation_id)
    guard_begin(participation, now)
    participation.state = State.ACTIVE
    participation.save(update_fields=["state"])
    return participation


def show(assignment: Assignment, now: datetime, *, counted: bool = True) -> None:
    """Store when the server first showed the screen; later showings, and any after the answer, change nothing.

    Parameters: counted, whether to store how far the person is; only a page needs this.
    """
    if assignment.shown_at is None and assignment.answered_at is None:
        first: dict[str, Any] = {"shown_at": now}
        if counted and assignment.sentence_id is None:
            first["tally"] = assignment.tally = count(assignment).to_json()
        unseen = Assignment.objects.filter(pk=assignment.pk, shown_at__isnull=True, answered_at__isnull=True)
        unseen.update(**first)
        assignment.shown_at = now
    keep_lent(assignment, now)


def keep_tally(present: Assignment) -> None:
    """Store with the present screen of a selection how far the person is, unless it is known.

    Locked, since the screens of an incident are answered in any order: an answer to another one would be missed.
    """
    if present.sentence_id is None or tally_of(present) is not None:
        return
    with transaction.atomic():
        lock(present.participation_id)
        present.tally = count(present).to_json()
        Assignment.objects.filter(pk=present.pk, answered_at__isnull=True).update(tally=present.tally)


@transaction.atomic
def shorten_pause(
    *, participation_id: int, until: datetime, reason: str, actor: User | None, now: datetime
) -> Participation:
    """Let one person come back earlier, and log who allowed it and why.

    Raises:
        Refusal: no reason is given, the person is not resting, or the time is not earlier.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.state != State.RESTING or participation.rest_until is None or participation.rest_until <= now:
        raise Refusal(_("Only a pause in progress can be shortened."))
    if until >= participation.rest_until:
        raise Refusal(_("The new end of the pause must be earlier than the current one."))
    before, until = participation.rest_until, max(until, now)
    participation.rest_until, participation.rest_shortened = until, True
    participation.save(update_fields=["rest_until", "rest_shortened"])
    details = {"from": before, "to": until}
    _log(Action.PAUSE_SHORTENED, participation, reason=reason, actor=actor, now=now, **details)
    return participation


@transaction.atomic
def leave(*, participation_id: int, reason: str, now: datetime) -> Participation:
    """End the round at the annotator's request; their answers are kept, and a free place takes over the open screens.

    Where refills take over all sessions, their answers to pairs with an open screen no longer count.

    The reason is stored with the place and not in the log, so that it can be erased.

    Raises:
        Refusal: the round has ended for them already.
    """
    participation = lock(participation_id)
    if participation.state in (*ENDED, State.FINISHED):
        raise Refusal(_("This round has already ended for you."))
    refill = _end(participation, State.LEFT, reason or "No reason given.", now)
    _log(Action.LEFT, participation, actor=None, now=now, by=AuditEntry.By.ANNOTATOR, refill=_seat(refill))
    return participation


@transaction.atomic
def reassign(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """End an idle participation; its answers are kept, and a free place takes over its open screens.

    Raises:
        Refusal: no reason is given, nobody has the place, or the round has ended for the person.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.annotator_id is None:
        raise Refusal(_("This place is still free."))
    if participation.state in (*ENDED, State.FINISHED):
        raise Refusal(_("The round has already ended for this annotator, so there is nothing to replace."))
    participation.reassigned = True
    refill = _end(participation, State.LEFT, reason, now)
    _log(Action.REASSIGNED, participation, reason=reason, actor=actor, now=now, refill=_seat(refill))
    return participation


@transaction.atomic
def exclude(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """Exclude the person: their answers no longer count, and a free place takes over all their screens.

    Of somebody who left, the place made at that time keeps the open screens. As long as it is free, it also takes over
    the answered ones; if somebody has taken it, a second free place does.

    Raises:
        Refusal: no reason is given, nobody has the place, or the person was excluded before.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.annotator_id is None:
        raise Refusal(_("This place is still free."))
    if participation.state == State.EXCLUDED:
        raise Refusal(_("This annotator is already excluded from the round."))
    refill = _end(participation, State.EXCLUDED, reason, now)
    _log(Action.EXCLUDED, participation, reason=reason, actor=actor, now=now, refill=_seat(refill))
    return participation


def _seat(refill: Participation | None) -> int | None:
    return refill.seat if refill else None


def _end(participation: Participation, state: State, reason: str, now: datetime) -> Participation | None:
    """End a participation, and return the place that takes over, if one is needed."""
    participation.ended_from, participation.state = participation.state, state
    participation.reason = reason.strip()
    if state == State.LEFT:
        participation.passed_on = participation.design.refills_all_sessions
    participation.save(update_fields=["ended_from", "state", "reason", "reassigned", "passed_on"])
    return give_back(participation, now) if participation.design.is_open else _refill(participation, now)


def _refill(leaving: Participation, now: datetime) -> Participation | None:
    """Return a free place with the screens that are now missing; None if there are none.

    It is the place made when the person left, as long as nobody has taken it, and otherwise a new one.
    """
    screens = missing_screens(leaving, State(leaving.state), before=leaving.ended_from)
    if not screens:
        return None
    # Two places created at the same time get different numbers, and nobody can take the free place until this ends.
    Project.objects.select_for_update().get(pk=leaving.project_id)
    refill = free_seats(leaving.refills.all()).first() or _new_place(leaving, now)
    leaving.incidents.filter(
        documents__sentences__in=[screen.sentence_id for screen in screens if screen.sentence_id]
    ).update(participation=refill)
    present = set(refill.assignments.values_list("session", "position"))
    further = [screen for screen in screens if (screen.session, screen.position) not in present]
    Assignment.objects.bulk_create(_copied(further, refill), batch_size=BATCH)
    return refill


def _new_place(leaving: Participation, now: datetime) -> Participation:
    seats = Participation.objects.filter(project=leaving.project, round=leaving.round)
    return Participation.objects.create(
        project=leaving.project,
        round=leaving.round,
        seat=seats.aggregate(last=Max("seat"))["last"] + 1,
        pool=leaving.pool,
        validates=leaving.validates,
        replaces=leaving,
        **_deadline(leaving, now),
    )


def _deadline(leaving: Participation, now: datetime) -> dict[str, Any]:
    """Return the leaving person's deadline if it is still to come, else that of the round."""
    if leaving.due_at is not None and leaving.due_at > now:
        return {"due_at": leaving.due_at, "due_closes": leaving.due_closes}
    return deadline_of_new(leaving.project, leaving.round, now)


def missing_screens(leaving: Participation, state: State, *, before: str) -> list[Assignment]:
    """Return the screens that are missing after a person leaves or is excluded, in a round that is planned ahead.

    After leaving these are the open screens, and where refills take over all sessions, every screen of their pairs;
    after an exclusion all; and if the person had left before, those that were not missing then. Of some screens only,
    the calibration of their sessions is repeated, and an incident is repeated as a whole. The intra-annotator block is
    dropped, and withdrawn items are left out.

    Parameters: state, of leaving or exclusion; before, the state that the person was in.
    """
    asked = offered(leaving.assignments.filter(lapsed_at__isnull=True)).exclude(block=BlockKind.INTRA)
    screens = list(asked.select_related("sentence__document__incident"))
    if state == State.EXCLUDED and before != State.LEFT:
        return screens
    main = [screen for screen in screens if screen.block == BlockKind.MAIN]
    repeated = _in_part(main) if leaving.passed_on else set()
    if state == State.EXCLUDED:
        missing = {screen for screen in main if _is_theirs(screen) and screen.item_id not in repeated}
    else:
        missing = {screen for screen in main if screen.answered_at is None or screen.item_id in repeated}
    sessions = {screen.session for screen in missing}
    incidents = {screen.sentence.document.incident_id for screen in missing if screen.sentence}
    return [
        screen
        for screen in screens
        if screen in missing
        or (screen.block == BlockKind.CALIBRATION and screen.session in sessions)
        or (screen.sentence and screen.sentence.document.incident_id in incidents)
    ]


def _in_part(main: list[Assignment]) -> set[int]:
    """Return the items that are not answered in every session."""
    return {screen.item_id for screen in main if screen.item_id is not None and screen.answered_at is None}


def _is_theirs(screen: Assignment) -> bool:
    """Return whether a screen is answered, and not of an incident that was passed on."""
    if screen.sentence is None:
        return screen.answered_at is not None
    return screen.sentence.document.incident.participation_id == screen.participation_id


def _copied(screens: list[Assignment], refill: Participation) -> list[Assignment]:
    names = ("session", "context", "block", "position", "item_id", "sentence_id", "tuple_id")
    values = ({name: getattr(screen, name) for name in names} | {"order": _order(screen, refill)} for screen in screens)
    return [Assignment(participation=refill, **copied) for copied in values]


def _order(screen: Assignment, refill: Participation) -> str:
    """Return a new order of the tuple for the new person; empty if the screen shows no tuple."""
    if screen.tuple_id is None:
        return ""
    generator = np.random.default_rng([refill.project.seed, refill.seat, screen.position])
    return draw_order(len(screen.order), generator)


def _log(action: Action, participation: Participation, **values: Any) -> None:
    write_down(action, participation.project, participation=participation, **values)
