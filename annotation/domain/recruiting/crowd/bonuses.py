"""The ledger of bonuses. A bonus is in one order only; if the outcome of that is unknown, a person finds it out."""

import csv
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import Bonus, BonusPayment, CrowdStudy, Participation, Project, User
from annotation.models.audit_actions import Action

State = Bonus.State
MOST = Decimal(100)  # a typing error should not cost more
CENT = Decimal("0.01")


class LinesRefused(Refusal):
    """Some lines are wrong, so none was added; `faults` has a sentence for each, by line."""

    def __init__(self, faults: dict[int, str]) -> None:
        super().__init__(_("Nothing was added because some lines have problems."))
        self.faults = faults


@transaction.atomic
def plan_bonuses(
    *, study: CrowdStudy, lines: str, currency: str, reason: str, actor: User, now: datetime
) -> list[Bonus]:
    """Add a bonus for every line `id,amount`, all or none. A person has one bonus for a reason, in any spelling.

    Raises:
        LinesRefused: with every line that is wrong. Refusal: there are no lines.
    """
    lock_ledger(study)
    key = " ".join(reason.split()).casefold()
    places = _places(study)
    same = Bonus.objects.filter(participation__in=places.values(), key=key)
    taken = set(same.values_list("participation", flat=True))
    bonuses, faults = [], {}
    for number, cells in _cells(lines):
        try:
            place, amount = _read(cells, places)
            if place.pk in taken:
                raise Refusal(_("This person already has a bonus for this reason."))
        except Refusal as fault:
            faults[number] = str(fault)
        else:
            taken.add(place.pk)
            values = {"amount": amount, "currency": currency, "reason": " ".join(reason.split()), "key": key}
            bonuses.append(Bonus(study=study, participation=place, **values))
    if faults:
        raise LinesRefused(faults)
    if not bonuses:
        raise Refusal(_("Enter at least one line with an ID and an amount."))
    Bonus.objects.bulk_create(bonuses)
    details = {"bonuses": len(bonuses), "total": str(sum(bonus.amount for bonus in bonuses)), "currency": currency}
    _log(study, Action.BONUSES_PLANNED, actor, now, details | {"purpose": reason})
    return bonuses


def _places(study: CrowdStudy) -> dict[str, Participation]:
    prefix = f"{study.platform}:"
    places = study.project.participations.filter(round=study.round, annotator__external_id__startswith=prefix)
    return {place.annotator.external_id.removeprefix(prefix): place for place in places.select_related("annotator")}


def _cells(lines: str) -> Iterable[tuple[int, list[str]]]:
    for number, cells in enumerate(csv.reader(lines.splitlines()), start=1):
        if any(cell.strip() for cell in cells):
            yield number, [cell.strip() for cell in cells]


def _read(cells: list[str], places: dict[str, Participation]) -> tuple[Participation, Decimal]:
    if len(cells) != 2:
        raise Refusal(_("Write each line as an ID, a comma and an amount."))
    if cells[0] not in places:
        raise Refusal(_("Nobody with this ID has taken part in the round."))
    try:
        amount = Decimal(cells[1])
    except InvalidOperation:
        raise Refusal(_("The amount is not a number. Write it like 1.50.")) from None
    if not (amount.is_finite() and 0 < amount <= MOST) or amount != amount.quantize(CENT):
        raise Refusal(_("The amount must be more than 0, at most %(most)s, with up to two decimals.") % {"most": MOST})
    return places[cells[0]], amount


def lock_ledger(study: CrowdStudy) -> None:
    """Lock the ledger, so that people who plan, order, note or settle at once wait for each other."""
    Project.objects.select_for_update().get(pk=study.project_id)


def planned(study: CrowdStudy) -> QuerySet[Bonus]:
    return study.bonuses.filter(state=State.PLANNED)


def planned_total(study: CrowdStudy) -> str:
    """Return the sum of the planned bonuses, as it is in the form that pays it."""
    return str((planned(study).aggregate(total=Sum("amount"))["total"] or Decimal()).quantize(CENT))


def payment_lines(bonuses: QuerySet[Bonus]) -> list[str]:
    """Return a line `id,amount` for each person, as Prolific takes them; several bonuses of a person are one sum."""
    person = "participation__annotator__external_id"
    sums = bonuses.order_by().values(person).annotate(total=Sum("amount")).order_by(person)
    return [f"{row[person].partition(':')[2]},{row['total'].quantize(CENT)}" for row in sums]


@transaction.atomic
def withdraw_bonus(*, bonus: Bonus, actor: User, now: datetime) -> None:
    """Remove a bonus from the ledger that nobody has begun to pay.

    Raises:
        Refusal: the bonus is not planned any more.
    """
    lock_ledger(bonus.study)
    if not Bonus.objects.filter(pk=bonus.pk, state=State.PLANNED).delete()[0]:
        raise Refusal(_("Only a planned bonus can be removed."))
    details = {"participation": bonus.participation, "amount": str(bonus.amount), "purpose": bonus.reason}
    _log(bonus.study, Action.BONUS_WITHDRAWN, actor, now, details)


@transaction.atomic
def note_paid_by_hand(*, study: CrowdStudy, note: str, actor: User, now: datetime) -> int:
    """Store that an owner paid all planned bonuses on the platform's own page. Return how many.

    Raises:
        Refusal: there is no note, or no bonus is planned.
    """
    _require(note)
    lock_ledger(study)
    paid = planned(study).update(state=State.SENT, note=note.strip())
    if not paid:
        raise Refusal(_("No bonuses are planned."))
    _log(study, Action.BONUSES_PAID, actor, now, {"bonuses": paid}, note)
    return paid


@transaction.atomic
def settle_payment(*, payment: BonusPayment, paid: bool, note: str, actor: User, now: datetime) -> None:
    """Store what somebody found out, on the platform's own pages, about an order whose outcome is unknown.

    Bonuses that were not paid are planned again. An order that certainly failed can be settled only as not paid.

    Raises:
        Refusal: there is no note, or the outcome is known.
    """
    _require(note)
    lock_ledger(payment.study)
    open_states = ["uncertain"] if paid else ["uncertain", "failed"]
    outcome = BonusPayment.State.DONE if paid else BonusPayment.State.FAILED
    bonuses = Bonus.objects.filter(payment=payment, state__in=open_states)
    after = {"state": State.SENT} if paid else {"state": State.PLANNED, "payment": None}
    count = bonuses.update(note=note.strip(), **after)  # of two who settle it at once, one finds rows
    if not count:
        raise Refusal(_("The outcome of this payment is already known."))
    BonusPayment.objects.filter(pk=payment.pk).update(state=outcome, ended_at=now)
    details = {"payment": payment.pk, "paid": paid, "bonuses": count}
    _log(payment.study, Action.PAYMENT_SETTLED, actor, now, details, note)


def _require(note: str) -> None:
    if not note.strip():
        raise Refusal(_("Explain how you know. The explanation is stored in the audit log."))


def _log(
    study: CrowdStudy, action: Action, actor: User | None, now: datetime, details: dict[str, Any], note: str = ""
) -> None:
    write_down(action, study.project, actor=actor, now=now, reason=note, study=study.pk, **details)
