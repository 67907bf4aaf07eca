"""Bonuses paid over Prolific's API by a worker: one order, given once.

The platform pays again when an order is given again. So the row says “being paid” in the database before the call goes
out, nothing ever repeats the call, and whatever is no clear answer is left to a person.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.crowd.bonuses import lock_ledger, payment_lines, planned, planned_total
from annotation.domain.crowd.prolific import Refused, Unclear, pay_bonuses, set_up_bonuses
from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import Bonus, BonusPayment, CrowdStudy, Platform, User

logger = logging.getLogger(__name__)
State = BonusPayment.State
STALE = timedelta(minutes=10)  # a payment at work for longer lost its worker


@transaction.atomic
def order_payment(*, study: CrowdStudy, total: str, actor: User, now: datetime) -> BonusPayment:
    """Takes everything that is planned into one order, for a worker to give.

    Parameters: total, the sum that the owner saw: nobody pays for a line that was planned behind their back.

    Raises:
        Refusal: nothing is planned, another sum, another platform, several currencies, or the token is not set.
    """
    lock_ledger(study)
    if study.platform != Platform.PROLIFIC:
        raise Refusal(_("Only Prolific is paid from here. Download the list and pay it on the platform's own pages."))
    if not settings.PROLIFIC_API_TOKEN:
        raise Refusal(_("This server has no token for Prolific (PROLIFIC_API_TOKEN)."))
    bonuses = planned(study)
    currencies = set(bonuses.values_list("currency", flat=True))
    if not currencies:
        raise Refusal(_("No bonus is planned."))
    if len(currencies) > 1:
        raise Refusal(_("The planned bonuses have several currencies; Prolific pays in that of the study."))
    if total != planned_total(study):
        raise Refusal(_("What is planned has changed meanwhile. Please look at it again, and pay then."))
    payment = BonusPayment.objects.create(study=study, created_by=actor)
    count = bonuses.update(state=Bonus.State.SENDING, payment=payment)
    details = {"study": study.pk, "payment": payment.pk, "bonuses": count}
    write_down("payment ordered", study.project, actor=actor, now=now, **details)
    return payment


def run_waiting_payments(clock: Callable[[], datetime]) -> int:
    """Gives the orders that wait, and says of lost ones what is known. Returns how many were given."""
    end_lost_payments(clock())
    waiting = BonusPayment.objects.filter(state=State.WAITING).order_by("pk")
    return sum(_run(payment, clock) for payment in waiting.select_related("study"))


def end_lost_payments(now: datetime) -> None:
    """What was only being prepared is not paid; what was being paid may be, or not."""
    for before, after in ((State.PREPARING, State.FAILED), (State.PAYING, State.UNCERTAIN)):
        for payment in BonusPayment.objects.filter(state=before, begun_at__lt=now - STALE):
            _end(payment, before, after, _("The worker was lost in the middle."), now)


def _run(payment: BonusPayment, clock: Callable[[], datetime]) -> bool:
    if not _move(payment, State.WAITING, state=State.PREPARING, begun_at=clock()):
        return False
    try:
        order = set_up_bonuses(study_id=payment.study.study_id, lines=payment_lines(payment.bonuses.all()))
    except (Refused, Unclear) as error:
        _end(payment, State.PREPARING, State.FAILED, str(error), clock())
        return True
    except Exception:
        logger.exception("Payment %s failed before anything was paid.", payment.pk)
        _end(payment, State.PREPARING, State.FAILED, _("Something went wrong here; the log has it."), clock())
        return True
    if not _move(payment, State.PREPARING, state=State.PAYING, outside_id=order[:100], begun_at=clock()):
        return False  # given up as lost in the meantime
    _pay(payment, order, clock)
    return True


def _pay(payment: BonusPayment, order: str, clock: Callable[[], datetime]) -> None:
    try:
        pay_bonuses(order)
    except Refused as error:
        _end(payment, State.PAYING, State.FAILED, str(error), clock())
    except Unclear as error:
        _end(payment, State.PAYING, State.UNCERTAIN, str(error), clock())
    except Exception:
        logger.exception("Nobody knows whether payment %s was made.", payment.pk)
        _end(payment, State.PAYING, State.UNCERTAIN, _("Something went wrong here; the log has it."), clock())
    else:
        _end(payment, State.PAYING, State.SENT, "", clock())


def _move(payment: BonusPayment, before: State, **values: object) -> bool:
    """One statement, so that of two workers one goes on."""
    return bool(BonusPayment.objects.filter(pk=payment.pk, state=before).update(**values))


@transaction.atomic
def _end(payment: BonusPayment, before: State, after: State, problem: str, now: datetime) -> None:
    if _move(payment, before, state=after, problem=problem, ended_at=now):
        Bonus.objects.filter(payment=payment, state=Bonus.State.SENDING).update(state=after.value)
