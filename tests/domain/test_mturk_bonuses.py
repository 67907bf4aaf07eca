"""Bonuses on Mechanical Turk, paid by Amazon's own client to a stand-in that pays a token once."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection

from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd.bonuses import plan_bonuses, planned_total, settle_payment
from annotation.domain.recruiting.crowd.payment import order_payment
from annotation.domain.recruiting.crowd.wallets import save_aws_key, wallet_of
from annotation.encryption import MARK
from annotation.models import AuditEntry, Bonus, BonusPayment, CrowdStudy, CrowdSubmission, Wallet
from tests.crowds import arrive, make_study, sid, worker
from tests.factories import NOON
from tests.jobs import LOST, SECOND, swept, work_off
from tests.platforms import MechanicalTurk, running

KEY = {"key_id": "AKIAEXAMPLE", "secret": "secret-of-the-tests", "sandbox": False}


@pytest.fixture
def turk(settings) -> Iterator[MechanicalTurk]:
    server = MechanicalTurk()
    settings.MTURK_API_URL = server.url
    with running(server):
        yield server


@pytest.fixture
def study(user) -> CrowdStudy:
    study = make_study(platform="mturk", study_id="", completion_code="")
    save_aws_key(project=study.project, **KEY, actor=user, now=NOON)
    Wallet.objects.update(allowed_at=NOON)
    for number in (1, 2):
        arrive(study, number)
    return study


def order(study: CrowdStudy, user, currency: str = "USD") -> BonusPayment:
    lines = f"{worker(1)},1.50\n{worker(2)},2"
    if not Bonus.objects.filter(state="planned").exists():
        plan_bonuses(study=study, lines=lines, currency=currency, reason="Well done", actor=user, now=NOON)
    return order_payment(study=study, total=planned_total(study), actor=user, now=NOON)


def pay(study: CrowdStudy, user) -> BonusPayment:
    payment = order(study, user)
    work_off("payment", NOON)
    return BonusPayment.objects.get(pk=payment.pk)


def ledger() -> list[str]:
    return list(Bonus.objects.order_by("pk").values_list("state", flat=True))


def test_each_bonus_is_paid_once_with_its_reason(study, user, turk):
    payment = pay(study, user)

    sent = [{name: one[name] for name in one if name != "UniqueRequestToken"} for one in turk.paid.values()]
    assert sent == [
        {"WorkerId": worker(1), "AssignmentId": sid(1), "BonusAmount": "1.50", "Reason": "Well done"},
        {"WorkerId": worker(2), "AssignmentId": sid(2), "BonusAmount": "2.00", "Reason": "Well done"},
    ]
    assert (payment.state, ledger(), turk.balance) == ("done", ["sent", "sent"], Decimal("96.50"))
    assert turk.signed_by == {"AKIAEXAMPLE"}


def test_what_there_is_no_money_for_is_not_paid_and_the_rest_is(study, user, turk):
    turk.balance = Decimal("1.60")

    payment = pay(study, user)

    assert (payment.state, ledger()) == ("failed", ["sent", "failed"])
    assert "insufficient funds" in payment.problem
    turk.balance = Decimal(5)
    settle_payment(payment=payment, paid=False, note="Seen there.", actor=user, now=NOON)
    assert (pay(study, user).state, ledger(), turk.balance) == ("done", ["sent", "sent"], Decimal(3))


def test_an_answer_that_got_lost_is_found_in_the_list_of_payments(study, user, turk):
    turk.failing["SendBonus"] = "hangs up after"

    assert (pay(study, user).state, ledger(), turk.balance) == ("done", ["sent", "sent"], Decimal("96.50"))


def test_what_nobody_knows_is_uncertain_and_is_never_paid_twice(study, user, turk):
    turk.failing |= {"SendBonus": "hangs up after", "ListBonusPayments": "falls over"}
    payment = pay(study, user)
    assert (payment.state, ledger()) == ("uncertain", ["uncertain", "uncertain"])
    turk.failing.clear()

    settle_payment(payment=payment, paid=False, note="Thought so, wrongly.", actor=user, now=NOON)

    assert (pay(study, user).state, ledger(), turk.balance) == ("done", ["sent", "sent"], Decimal("96.50"))


def test_a_failure_of_the_platform_that_paid_nothing_is_uncertain(study, user, turk):
    turk.failing["SendBonus"] = "falls over"

    assert (pay(study, user).state, turk.paid) == ("uncertain", {})


def test_an_order_whose_worker_was_lost_is_uncertain(study, user, turk):
    order(study, user)
    BonusPayment.objects.update(state="running", attempts=1, outside_id="one by one", heartbeat_at=NOON)
    Bonus.objects.filter(pk=Bonus.objects.first().pk).update(state="sent")

    swept("payment", NOON + LOST + SECOND + timedelta(days=1))

    assert sorted(ledger()) == ["sent", "uncertain"]
    assert not turk.paid


def test_somebody_without_an_assignment_stops_the_order(study, user, turk):
    CrowdSubmission.objects.filter(submission_id=sid(2)).delete()

    payment = pay(study, user)

    assert (payment.state, worker(2) in payment.problem, turk.paid) == ("failed", True, {})


def test_only_dollars_are_paid(study, user, turk):
    with pytest.raises(Refusal, match="pays in US dollars"):
        order(study, user, currency="GBP")


def test_a_key_is_stored_encrypted_whole_and_logged(study, user):
    with connection.cursor() as cursor:
        cursor.execute("SELECT aws_secret FROM annotation_wallet")
        (stored,) = cursor.fetchone()
    assert (wallet_of(study.project).aws_secret, stored.startswith(MARK)) == ("secret-of-the-tests", True)
    with pytest.raises(Refusal, match="Enter both"):
        save_aws_key(project=study.project, **KEY | {"secret": ""}, actor=user, now=NOON)
    save_aws_key(project=study.project, key_id="", secret="", sandbox=False, actor=user, now=NOON)
    actions = AuditEntry.objects.filter(action__startswith="aws").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["aws key saved", "aws key removed"]
    with pytest.raises(Refusal, match="no Amazon access key yet"):
        order(study, user)
