"""Bonuses paid on Mechanical Turk by a worker, one by one.

Each bonus has a token by which Mechanical Turk pays it once, also when it is planned again after an unclear answer.
What was paid is stored at once. After a refusal or an unclear answer, the list of payments there decides.
"""

from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.digests import lasting_digest
from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import note
from annotation.domain.jobs.kinds import Values
from annotation.domain.recruiting.crowd import mturk
from annotation.domain.recruiting.crowd.prolific import Refused, Unclear
from annotation.domain.recruiting.crowd.wallets import wallet_of
from annotation.models import Bonus, BonusPayment

CURRENCY = "USD"
BEGUN = "one by one"  # stored before the first call, so that an order whose worker was lost is known as uncertain
State = Bonus.State


def pay(payment: BonusPayment) -> Values:
    """Pay the bonuses of an order that are not paid yet.

    Raises:
        Refusal: somebody has no assignment in the study, or Mechanical Turk refused some; the others were paid.
    """
    bonuses = list(
        payment.bonuses.filter(state=State.SENDING).select_related("participation__annotator").order_by("pk")
    )
    assignments = {bonus.pk: _assignment_of(payment, bonus) for bonus in bonuses}
    try:
        client = mturk.client_for(wallet_of(payment.study.project))
    except Refused as error:
        raise Refusal(str(error)) from error
    problems, unclear = [], []
    note(payment, outside_id=BEGUN, total=len(bonuses))
    for done, bonus in enumerate(bonuses, start=1):
        try:
            _pay_one(client, bonus, assignments[bonus.pk])
        except Refused as error:
            problems.append(str(error))
            _settle(bonus, State.FAILED)
        except Unclear as error:
            unclear.append(str(error))
        else:
            _settle(bonus, State.SENT)
        note(payment, done=done)
    if unclear:
        return {"state": BonusPayment.State.UNCERTAIN, "problem": unclear[0]}
    if problems:
        raise Refusal(problems[0])
    return {}


def _assignment_of(payment: BonusPayment, bonus: Bonus) -> str:
    """Return the assignment by which the person came to the study."""
    visit = bonus.participation.submissions.filter(study=payment.study).order_by("-pk").first()
    if visit is None:
        reason = _("%(worker)s has no assignment in this study, so nobody was paid.")
        raise Refusal(reason % {"worker": _worker(bonus)})
    return visit.submission_id


def _worker(bonus: Bonus) -> str:
    return bonus.participation.annotator.external_id.partition(":")[2]


def _pay_one(client: object, bonus: Bonus, assignment: str) -> None:
    what = {"worker": _worker(bonus), "assignment": assignment, "amount": bonus.amount, "reason": bonus.reason}
    try:
        mturk.send_bonus(client, **what, token=token_of(bonus))
    except Refused:  # for lack of money, or because an earlier call has paid it
        if not mturk.is_paid(client, **what):
            raise
    except Unclear as error:
        if not _is_surely_paid(client, what):
            raise Unclear(str(error)) from error


def _is_surely_paid(client: object, what: dict[str, Any]) -> bool:
    """Return whether the list shows the bonus; where there is no list, nobody knows."""
    try:
        return mturk.is_paid(client, **what)
    except (Refused, Unclear):
        return False


def token_of(bonus: Bonus) -> str:
    """Return what names the bonus to Mechanical Turk, also after a change of the secret key; no other one has it."""
    return lasting_digest(f"bonus {bonus.pk}").hex()


def _settle(bonus: Bonus, state: str) -> None:
    Bonus.objects.filter(pk=bonus.pk, state=State.SENDING).update(state=state)
