"""The reinstatement of annotators who left or were excluded, until somebody starts in their place."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.participation.advancing import advance, finish_if_all_is_withdrawn
from annotation.domain.participation.locking import lock
from annotation.domain.participation.open_round import FREE, pool_of
from annotation.models import Participation, Project, State, User
from annotation.models.audit_actions import Action
from annotation.queries.people import ENDED
from annotation.queries.screens import offered, open_screens


@transaction.atomic
def restore(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """Reinstate a person: they continue where they were, and their answers count again.

    The place that was made to replace them is withdrawn. In an open round their answers count in the pool again.
    Where somebody took the place made when they left, only their exclusion is undone: they have left, as before it.

    Raises:
        Refusal: no reason is given, the round has not ended for them, or somebody else has done their part.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.state not in ENDED or participation.annotator is None:
        raise Refusal(_("Only annotators who left or were excluded can be reinstated."))
    if participation.annotator.erased_at is not None:
        raise Refusal(_("This annotator’s data has been erased, so they cannot be reinstated."))
    if participation.design.is_open and participation.state == State.EXCLUDED:
        _count_answers_again(participation)  # before the project is locked, as whoever gives a tuple back does
    withdrawn = _withdraw_refill(participation)
    details = {"from": participation.state, "withdrawn": withdrawn, "participation": participation, "reason": reason}
    if participation.state == State.LEFT:
        participation.screened_at = None  # they continue, so the end of their round is screened again
    if participation.refill is not None:
        participation.state, participation.ended_from, participation.reason = State.LEFT, "", "Reason not kept."
    else:
        participation.state, participation.ended_from = _state_before(participation), ""
        participation.reason, participation.reassigned, participation.passed_on = "", False, False
    participation.save(update_fields=["state", "ended_from", "reason", "reassigned", "passed_on", "screened_at"])
    _follow_withdrawals(participation, now)
    write_down(Action.REINSTATED, participation.project, actor=actor, now=now, **details)
    return participation


def _state_before(participation: Participation) -> State:
    """Return the state before the end; a person who had left before being excluded is active again as well."""
    if participation.ended_from and participation.ended_from not in ENDED:
        return State(participation.ended_from)
    if participation.finished_at is not None:
        return State.FINISHED
    if participation.consented_at is None:
        return State.INVITED
    return State.RESTING if _has_begun_pause(participation) else State.ACTIVE


def _has_begun_pause(participation: Participation) -> bool:
    """Return whether the pause before the person's next session has begun, and nothing of that session is answered."""
    answered = _answered_before_next_session(participation)
    return answered is not None and participation.rest_until is not None and participation.rest_until >= answered


def _answered_before_next_session(participation: Participation) -> datetime | None:
    """Return the time of the last answer, if the person's next screen belongs to a session without answers."""
    following = open_screens(participation.assignments.all()).first()
    answered = participation.assignments.filter(answered_at__isnull=False)
    if following is None or answered.filter(session__gte=following.session).exists():
        return None
    return answered.aggregate(last=Max("answered_at"))["last"]


def _follow_withdrawals(participation: Participation, now: datetime) -> None:
    """Finish the session or the round if its last screens were withdrawn while the person was away."""
    if participation.state not in (State.ACTIVE, State.RESTING):
        return
    finish_if_all_is_withdrawn(participation, now)
    if participation.state == State.ACTIVE and _answered_before_next_session(participation) is not None:
        following = open_screens(participation.assignments.all()).first()
        if following is not None and not _has_begun_pause(participation):
            advance(participation, following.session - 1, following, now)


def _withdraw_refill(participation: Participation) -> int | None:
    """Remove the last place that was made instead, and return its number, or None if none was removed.

    In an open round a place that is taken stays: both people take screens from the pool.
    """
    Project.objects.select_for_update().get(
        pk=participation.project_id
    )  # so that nobody takes the place until this ends
    refills = list(participation.refills.select_for_update().order_by("pk"))
    if not refills:
        return None
    refill = refills[-1]
    taken = refill.annotator_id is not None or refill.state != State.INVITED
    if taken and participation.design.is_open:
        refill.replaces = None
        refill.save(update_fields=["replaces"])
        return None
    if taken and participation.ended_from == State.LEFT and len(refills) == 1:
        return None  # it was made when they left; the exclusion had no answers to pass on, and only it is undone
    if taken:
        raise Refusal(
            _("The replacement place (%(place)s) is already taken, so two annotators would answer the same items.")
            % {"place": refill}
        )
    refill.incidents.update(participation=participation)
    refill.assignments.all().delete()
    refill.delete()
    return refill.seat


def _count_answers_again(participation: Participation) -> None:
    pool, answered = pool_of(participation), participation.assignments.filter(answered_at__isnull=False)
    again = pool.locked(pool.held(answered))
    wanted = offered(answered).values(pool.field)
    if full := again.filter(~FREE).filter(pk__in=wanted).count():
        raise Refusal(_gone(participation) % {"full": full})
    again.filter(**{f"{pool.withdrawn}__isnull": False}).update(planned=F("planned") + 1)
    again.update(given=F("given") + 1)


def _gone(participation: Participation) -> str:
    if participation.design.compares:
        return _("%(full)s of the tuples that this annotator answered have since been assigned to others.")
    return _("%(full)s of the pairs that this annotator rated have since been assigned to others.")
