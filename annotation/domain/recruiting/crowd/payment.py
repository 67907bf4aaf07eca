"""Bonuses paid over a platform's API by a worker: one order, placed once.

Prolific pays again when an order is placed again. So the order's ID is stored before the call is made, nothing
ever repeats the call, and an unclear answer is left to a person. Mechanical Turk is in a module of its own.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import note
from annotation.domain.jobs.kinds import Kind, Values, register
from annotation.domain.recruiting.crowd import mturk_payment
from annotation.domain.recruiting.crowd.bonuses import lock_ledger, payment_lines, planned, planned_total
from annotation.domain.recruiting.crowd.prolific import Refused, Unclear, is_submission_of, pay_bonuses, set_up_bonuses
from annotation.domain.recruiting.crowd.wallets import guard_ceilings, guard_payer, wallet_of
from annotation.models import Bonus, BonusPayment, CrowdStudy, Participation, Platform, User
from annotation.models.audit_actions import Action

State = BonusPayment.State
OUTCOMES = {State.DONE: Bonus.State.SENT, State.UNCERTAIN: Bonus.State.UNCERTAIN, State.FAILED: Bonus.State.FAILED}
"""What becomes of the bonuses of an order."""


@transaction.atomic
def order_payment(*, study: CrowdStudy, total: str, actor: User, now: datetime) -> BonusPayment:
    """Put all planned bonuses into one order for a worker to place, and return it.

    Parameters: total, the sum that the owner saw: nobody pays for a bonus that was planned since.

    Raises:
        Refusal: nothing is planned, the sum has changed or is too large, there are several currencies or one that the
            platform does not pay in; or see `guard_payer`.
    """
    lock_ledger(study)
    guard_payer(study.project, actor, study.platform)
    bonuses = planned(study)
    currencies = set(bonuses.values_list("currency", flat=True))
    if not currencies:
        raise Refusal(_("No bonuses are planned."))
    if len(currencies) > 1:
        raise Refusal(
            _("The planned bonuses are in different currencies. Use only the study's currency, in which Prolific pays.")
        )
    if study.platform == Platform.MTURK and currencies != {mturk_payment.CURRENCY}:
        raise Refusal(_("Mechanical Turk pays in US dollars. Plan the bonuses in USD."))
    if total != planned_total(study):
        raise Refusal(_("The planned bonuses have changed in the meantime. Check them again before you pay."))
    guard_ceilings(study)
    payment = BonusPayment.objects.create(study=study, created_by=actor)
    count = bonuses.update(state=Bonus.State.SENDING, payment=payment)
    details = {"study": study.pk, "payment": payment.pk, "bonuses": count}
    write_down(Action.PAYMENT_ORDERED, study.project, actor=actor, now=now, **details)
    return payment


def pay(payment: BonusPayment) -> Values:
    """Place an order with the platform, once.

    Raises:
        Refusal: the platform said no, it knows somebody differently, or the order could not be prepared; nothing was
            paid, and on Mechanical Turk nothing of what is left in the order.
    """
    if payment.study.platform == Platform.MTURK:
        return mturk_payment.pay(payment)
    token = wallet_of(payment.study.project).token
    try:
        _check_people(payment, token)
        order = set_up_bonuses(token, study_id=payment.study.study_id, lines=payment_lines(payment.bonuses.all()))
        note(payment, outside_id=order[:100])
    except (Refused, Unclear) as error:
        raise Refusal(str(error)) from error
    try:
        pay_bonuses(token, order)
    except Refused as error:
        raise Refusal(str(error)) from error
    except Unclear as error:
        return {"state": State.UNCERTAIN, "problem": str(error)}
    return {}


def _check_people(payment: BonusPayment, token: str) -> None:
    """Raise Refusal unless everybody has a submission in the study at Prolific: addresses can be made up."""
    places = Participation.objects.filter(bonuses__payment=payment).select_related("annotator").distinct()
    for place in places.order_by("pk"):
        participant = place.annotator.external_id.partition(":")[2]
        visits = place.submissions.filter(study=payment.study).values_list("submission_id", flat=True)
        who = {"participant": participant, "study_id": payment.study.study_id}
        if not any(is_submission_of(token, visit, **who) for visit in visits):
            reason = _("Prolific has no submission by %(participant)s to this study, so nobody was paid.")
            raise Refusal(reason % {"participant": participant})
        note(payment)


def _lost(payment: BonusPayment) -> Values:
    """Return the end of an order whose worker was lost: not paid if it was only being prepared, else uncertain."""
    state = State.UNCERTAIN if payment.outside_id else State.FAILED
    return {"state": state, "problem": _("The worker stopped responding during the payment.")}


def _settle(payment: BonusPayment) -> None:
    Bonus.objects.filter(payment=payment, state=Bonus.State.SENDING).update(state=OUTCOMES[State(payment.state)])


TITLE = gettext_lazy("Bonus payment")
register(
    Kind("payment", BonusPayment, TITLE, pay, project="study__project", lost=_lost, ended=_settle, controllable=False)
)
