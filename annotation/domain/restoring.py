"""Somebody who was excluded, or who left, is taken back in, as long as nobody has begun in their stead."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.flow import is_open
from annotation.domain.locking import lock
from annotation.domain.log import require_reason, write_down
from annotation.models import Participation, Project, State, Tuple, User
from annotation.queries import ENDED, offered


@transaction.atomic
def restore(*, participation_id: int, reason: str, actor: User | None, now: datetime) -> Participation:
    """The end of a participation is undone: the person goes on where they were, and their answers count again.

    The place that was made to replace them is withdrawn; in an open round their answers are counted in the pool again.

    Raises:
        Refusal: no reason given, the round has not ended for them, or somebody else has done their part meanwhile.
    """
    participation = lock(participation_id)
    require_reason(reason)
    if participation.state not in ENDED or participation.annotator is None:
        raise Refusal(_("Only somebody who left or was excluded can be taken back in."))
    if participation.annotator.erased_at is not None:
        raise Refusal(_("This person had everything about them erased and cannot come back."))
    if is_open(participation.design) and participation.state == State.EXCLUDED:
        _count_answers_again(participation)  # before the project is locked, as whoever gives a tuple back does
    withdrawn = _withdraw_refill(participation)
    details = {"from": participation.state, "withdrawn": withdrawn}
    participation.state, participation.ended_from = _state_before(participation), ""
    participation.reason, participation.given_on = "", False
    participation.save(update_fields=["state", "ended_from", "reason", "given_on"])
    write_down(
        "restored", participation.project, participation=participation, reason=reason, actor=actor, now=now, **details
    )
    return participation


def _state_before(participation: Participation) -> State:
    """The state that the person was in; somebody who had left before being excluded comes back as well."""
    if participation.ended_from and participation.ended_from not in ENDED:
        return State(participation.ended_from)
    if participation.finished_at is not None:
        return State.FINISHED
    return State.INVITED if participation.consented_at is None else State.ACTIVE


def _withdraw_refill(participation: Participation) -> int | None:
    """Removes the place that was made instead, with its screens. Returns its number, None where none was removed.

    In an open round whoever has taken that place stays: both take tuples from the pool.
    """
    Project.objects.select_for_update().get(pk=participation.project_id)  # nobody takes the place meanwhile
    refill = Participation.objects.select_for_update().filter(replaces=participation).first()
    if refill is None:
        return None
    taken = refill.annotator_id is not None or refill.state != State.INVITED
    if taken and is_open(participation.design):
        refill.replaces = None
        refill.save(update_fields=["replaces"])
        return None
    if taken:
        raise Refusal(
            _("Somebody has taken the place that was made instead (%(place)s), so both would answer the same.")
            % {"place": refill}
        )
    refill.incidents.update(participation=participation)
    refill.assignments.all().delete()
    refill.delete()
    return refill.seat


def _count_answers_again(participation: Participation) -> None:
    answered = participation.assignments.filter(answered_at__isnull=False)
    # Locked in the order in which everybody locks tuples.
    locked = Tuple.objects.select_for_update().filter(pk__in=answered.values("tuple")).order_by("pk")
    ids = [one.pk for one in locked]
    wanted = offered(answered).values("tuple")
    if full := Tuple.objects.filter(~Q(given__lt=F("planned")), pk__in=ids).filter(pk__in=wanted).count():
        raise Refusal(
            _("%(full)s of the tuples that this person answered have gone to others meanwhile.") % {"full": full}
        )
    again = Tuple.objects.filter(pk__in=ids)
    again.filter(items__withdrawn_at__isnull=False).update(planned=F("planned") + 1)
    again.update(given=F("given") + 1)
