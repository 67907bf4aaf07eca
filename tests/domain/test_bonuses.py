"""The ledger of bonuses, and its payment through a stand-in that pays again when told again."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest
from allauth.mfa.models import Authenticator
from django.db import IntegrityError, connection

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import run
from annotation.domain.recruiting.crowd.bonuses import (
    LinesRefused,
    note_paid_by_hand,
    payment_lines,
    plan_bonuses,
    planned,
    planned_total,
    settle_payment,
    withdraw_bonus,
)
from annotation.domain.recruiting.crowd.payment import order_payment
from annotation.domain.recruiting.crowd.wallets import allow_payments, save_token, wallet_of
from annotation.encryption import MARK
from annotation.models import AuditEntry, Bonus, BonusPayment, CrowdStudy, Wallet
from tests.crowds import arrive, fill_wallet, make_study, pid, sid
from tests.factories import NOON, at_once, make_project, make_user
from tests.jobs import LOST, SECOND, swept, work_off
from tests.platforms import TOKEN, Prolific, running

pytestmark = pytest.mark.postgres


@pytest.fixture
def prolific(settings) -> Iterator[Prolific]:
    server = Prolific()
    settings.PROLIFIC_API_URL = server.url
    with running(server):
        yield server


@pytest.fixture
def study(db) -> CrowdStudy:
    study = make_study()
    fill_wallet(study.project)
    for number in (1, 2):
        arrive(study, number)
    return study


def plan(study, user, lines: str = f"{pid(1)},1.50\n{pid(2)},2", reason: str = "Well done") -> list[Bonus]:
    return plan_bonuses(study=study, lines=lines, currency="GBP", reason=reason, actor=user, now=NOON)


def pay(study, user) -> BonusPayment:
    payment = order(study, user)
    work_off("payment", NOON)
    return BonusPayment.objects.get(pk=payment.pk)


def sweep_payments(now):
    for pk in swept("payment", now):
        run("payment", pk, now)


def order(study, user) -> BonusPayment:
    """As an owner orders it who has just looked at the sum."""
    return order_payment(study=study, total=planned_total(study), actor=user, now=NOON)


def ledger() -> list[str]:
    return list(Bonus.objects.order_by("pk").values_list("state", flat=True))


def test_bonuses_are_planned_line_by_line(study, user):
    plan(study, user)

    assert payment_lines(planned(study)) == [f"{pid(1)},1.50", f"{pid(2)},2.00"]
    entry = AuditEntry.objects.get(action="bonuses planned")
    assert (entry.actor, entry.details["total"], entry.details["currency"]) == (user, "3.50", "GBP")
    assert pid(1) not in str(entry.details)


def test_several_bonuses_of_a_person_are_one_line(study, user):
    plan(study, user)
    plan(study, user, f"{pid(1)},0.25", "Helpful remark")

    assert payment_lines(planned(study))[0] == f"{pid(1)},1.75"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (pid(1), "Write each line as an ID"),
        (f"{pid(1)},1,50", "Write each line as an ID"),
        (f"{pid(9)},1", "Nobody with this ID has taken"),
        (f"{pid(1)},one", "not a number"),
        (f"{pid(1)},NaN", "more than 0"),
        (f"{pid(1)},0", "more than 0"),
        (f"{pid(1)},-1", "more than 0"),
        (f"{pid(1)},0.001", "two decimals"),
        (f"{pid(1)},150", "at most 100"),
        (f"{pid(2)},1", "This person already has a bonus"),
    ],
)
def test_one_bad_line_and_nothing_is_planned(study, user, line, reason):
    with pytest.raises(LinesRefused) as refusal:
        plan(study, user, f"{pid(2)},1\n\n{line}")

    assert list(refusal.value.faults) == [3]
    assert reason in refusal.value.faults[3]
    assert not Bonus.objects.exists()


def test_no_line_is_no_bonus(study, user):
    with pytest.raises(Refusal, match="at least one line"):
        plan(study, user, "\n")


def test_the_same_reason_is_paid_once_however_it_is_spelled(study, user):
    plan(study, user)

    with pytest.raises(LinesRefused):
        plan(study, user, f"{pid(1)},1", "  WELL   done ")
    with pytest.raises(IntegrityError):
        Bonus.objects.create(study=study, participation=Bonus.objects.first().participation, amount=1, key="well done")


def test_bonuses_are_paid_once(study, user, prolific):
    plan(study, user)

    payment = pay(study, user)
    sweep_payments(NOON + timedelta(days=9))

    assert (payment.state, payment.outside_id, ledger()) == ("done", "order1", ["sent", "sent"])
    assert prolific.paid == {pid(1): Decimal("1.50"), pid(2): Decimal(2)}
    with pytest.raises(Refusal, match="No bonuses are planned"):
        pay(study, user)


@pytest.mark.parametrize("fault", ["hangs up after", "falls over after"])
def test_work_done_without_an_answer_is_uncertain_and_never_repeated(study, user, prolific, fault):
    plan(study, user)
    prolific.failing["pay"] = fault

    payment = pay(study, user)
    prolific.failing.clear()
    for days in (0, 1, 30):
        sweep_payments(NOON + timedelta(days=days))

    assert (payment.state, ledger()) == ("uncertain", ["uncertain", "uncertain"])
    assert prolific.paid[pid(1)] == Decimal("1.50")
    with pytest.raises(Refusal, match="No bonuses are planned"):
        pay(study, user)


@pytest.mark.parametrize("step", ["set up", "pay"])
def test_silence_is_waited_for_only_so_long_and_nothing_is_paid_twice(study, user, prolific, monkeypatch, step):
    """A time-out while it is set up has paid nothing; one while it is paid has, and nobody here knows."""
    monkeypatch.setattr("annotation.domain.recruiting.crowd.prolific.SECONDS", 0.3)
    plan(study, user)
    prolific.failing[step] = "is silent after"

    payment = pay(study, user)
    prolific.failing.clear()
    sweep_payments(NOON + timedelta(days=1))

    assert "timed out" in payment.problem
    assert (payment.state, prolific.paid[pid(1)]) == (
        ("failed", 0) if step == "set up" else ("uncertain", Decimal("1.50"))
    )
    with pytest.raises(Refusal, match="No bonuses are planned"):
        pay(study, user)


def test_nobody_pays_what_was_planned_behind_their_back(study, user, prolific):
    plan(study, user)
    seen = planned_total(study)
    plan(study, user, f"{pid(1)},90", "Quickly, before anybody looks")

    with pytest.raises(Refusal, match="The planned bonuses have changed in"):
        order_payment(study=study, total=seen, actor=user, now=NOON)

    assert set(ledger()) == {"planned"}
    assert not BonusPayment.objects.exists()


@pytest.mark.parametrize("fault", ["falls over before", "leads elsewhere"])
def test_no_clear_answer_is_uncertain_also_where_nothing_was_done(study, user, prolific, fault):
    plan(study, user)
    prolific.failing["pay"] = fault

    assert pay(study, user).state == "uncertain"
    assert not prolific.paid


def test_a_person_finds_out_that_it_was_paid(study, user, prolific):
    plan(study, user)
    prolific.failing["pay"] = "hangs up after"
    payment = pay(study, user)

    settle_payment(payment=payment, paid=True, note="Seen in the balance.", actor=user, now=NOON)

    assert ledger() == ["sent", "sent"]
    entry = AuditEntry.objects.get(action="payment settled")
    assert (entry.reason, entry.actor, entry.details["paid"]) == ("Seen in the balance.", user, True)
    with pytest.raises(Refusal, match="already known"):
        settle_payment(payment=payment, paid=False, note="No.", actor=user, now=NOON)


def test_a_person_finds_out_that_it_was_not_paid_and_it_is_paid_then(study, user, prolific):
    plan(study, user)
    prolific.failing["pay"] = "falls over before"
    payment = pay(study, user)
    prolific.failing.clear()

    with pytest.raises(Refusal, match="how you know"):
        settle_payment(payment=payment, paid=False, note=" ", actor=user, now=NOON)
    settle_payment(payment=payment, paid=False, note="Not in the balance.", actor=user, now=NOON)
    pay(study, user)

    assert ledger() == ["sent", "sent"]
    assert prolific.paid[pid(2)] == Decimal(2)


@pytest.mark.parametrize(
    ("step", "fault", "told"),
    [
        ("pay", "refuses", "Not enough money"),
        ("set up", "refuses", "Not enough money"),
        ("set up", "falls over before", "502"),
        ("set up", "hangs up after", "RemoteDisconnected"),
        ("set up", "forgets the id", "no ID"),
    ],
)
def test_what_is_certainly_not_paid_says_why(study, user, prolific, step, fault, told):
    plan(study, user)
    prolific.failing[step] = fault

    payment = pay(study, user)

    assert (payment.state, ledger()) == ("failed", ["failed", "failed"])
    assert told in payment.problem
    assert not prolific.paid
    with pytest.raises(Refusal, match="already known"):
        settle_payment(payment=payment, paid=True, note="Really?", actor=user, now=NOON)


def test_ids_that_prolific_does_not_know_cost_nothing(study, user, prolific):
    plan(study, user)
    prolific.known = {pid(1)}

    assert pid(2) in pay(study, user).problem
    assert not prolific.paid


def test_a_wrong_token_is_told(study, user, prolific, settings):
    fill_wallet(study.project, "wrong")
    plan(study, user)

    assert "401" in pay(study, user).problem


def test_a_platform_that_cannot_be_reached_gets_nothing(study, user, settings):
    settings.PROLIFIC_API_URL = "http://127.0.0.1:1"
    plan(study, user)

    assert pay(study, user).state == "failed"


@pytest.mark.parametrize(("left_in", "after"), [("", "failed"), ("order1", "uncertain")])
def test_an_order_whose_worker_was_lost_is_never_given_again(study, user, prolific, left_in, after):
    plan(study, user)
    payment = order(study, user)
    BonusPayment.objects.update(state="running", attempts=1, outside_id=left_in, heartbeat_at=NOON)

    sweep_payments(NOON + LOST)
    assert BonusPayment.objects.get().state == "running"
    sweep_payments(NOON + LOST + SECOND)

    payment.refresh_from_db()
    assert (payment.state, set(ledger())) == (after, {after})
    assert "worker stopped responding" in payment.problem
    assert not prolific.paid


@pytest.mark.django_db(transaction=True)
def test_many_workers_and_managers_at_once_pay_once(prolific, user):
    study = make_study()
    fill_wallet(study.project)
    for number in (1, 2):
        arrive(study, number)
    plan(study, user)

    orders = at_once(*[lambda: order(study, user)] * 3)
    at_once(*[lambda: work_off("payment", NOON)] * 4)

    assert sorted(type(one).__name__ for one in orders) == ["BonusPayment", "Refusal", "Refusal"]
    assert prolific.paid == {pid(1): Decimal("1.50"), pid(2): Decimal(2)}
    assert len(prolific.orders) == 1


@pytest.mark.django_db(transaction=True)
def test_an_order_and_a_note_of_payment_by_hand_at_once_end_with_one_of_the_two(prolific, user):
    study = make_study()
    arrive(study, 1)
    plan(study, user, f"{pid(1)},1.50")

    results = at_once(
        lambda: order(study, user),
        lambda: note_paid_by_hand(study=study, note="On their page.", actor=user, now=NOON),
    )
    work_off("payment", NOON)

    assert sum(isinstance(result, Refusal) for result in results) == 1
    assert prolific.paid[pid(1)] == (Decimal("1.50") if isinstance(results[0], BonusPayment) else 0)
    assert ledger() == ["sent"]


@pytest.mark.django_db(transaction=True)
def test_two_who_settle_at_once_plan_it_again_once(prolific, user):
    study = make_study()
    fill_wallet(study.project)
    arrive(study, 1)
    plan(study, user, f"{pid(1)},1.50")
    prolific.failing["pay"] = "falls over before"
    payment = pay(study, user)
    prolific.failing.clear()

    outcomes = at_once(*[lambda: settle_payment(payment=payment, paid=False, note="Looked.", actor=user, now=NOON)] * 3)
    at_once(*[lambda: order(study, user)] * 2)
    work_off("payment", NOON)

    assert sum(outcome is None for outcome in outcomes) == 1
    assert prolific.paid == {pid(1): Decimal("1.50")}


def test_what_was_paid_by_hand_is_not_paid_through_the_platform(study, user, prolific):
    plan(study, user)

    with pytest.raises(Refusal, match="how you know"):
        note_paid_by_hand(study=study, note="", actor=user, now=NOON)
    assert note_paid_by_hand(study=study, note="On their page, today.", actor=user, now=NOON) == 2

    with pytest.raises(Refusal, match="No bonuses are planned"):
        order(study, user)
    with pytest.raises(Refusal, match="No bonuses are planned"):
        note_paid_by_hand(study=study, note="Again.", actor=user, now=NOON)
    assert ledger() == ["sent", "sent"]


def test_a_planned_bonus_can_be_taken_back_and_no_other(study, user, prolific):
    first, second = plan(study, user)
    withdraw_bonus(bonus=first, actor=user, now=NOON)
    pay(study, user)

    with pytest.raises(Refusal, match="Only a planned bonus can be"):
        withdraw_bonus(bonus=second, actor=user, now=NOON)
    assert prolific.orders == {"order1": f"{pid(2)},2.00"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("platform", "This project has no Amazon access key"),
        ("token", "This project has no Prolific token"),
        ("currency", "The planned bonuses are in different"),
    ],
)
def test_what_cannot_be_ordered(study, user, prolific, settings, change, reason):
    plan(study, user)
    if change == "platform":
        CrowdStudy.objects.update(platform="mturk", study_id="")
    if change == "token":
        fill_wallet(study.project, "")
    if change == "currency":
        Bonus.objects.filter(pk=Bonus.objects.first().pk).update(currency="USD")

    with pytest.raises(Refusal, match=reason):
        order(CrowdStudy.objects.get(), user)

    assert ledger() == ["planned", "planned"]


# whose money


def test_a_token_is_of_one_project_and_encrypted(study, user):
    other = make_study(make_project(key="other"), study_id="7" * 24)

    save_token(project=study.project, token=f" {TOKEN} ", actor=user, now=NOON)

    with connection.cursor() as cursor:
        cursor.execute("SELECT token FROM annotation_wallet")
        (stored,) = cursor.fetchone()
    assert (wallet_of(study.project).token, wallet_of(other.project).token) == (TOKEN, "")
    assert stored.startswith(MARK) and TOKEN not in stored
    assert [entry.action for entry in AuditEntry.objects.all()] == ["payment token saved"]
    save_token(project=study.project, token="", actor=user, now=NOON)
    assert AuditEntry.objects.first().action == "payment token removed"


def test_paying_takes_a_second_factor_or_an_administrators_leave(study, user):
    Wallet.objects.update(allowed_at=None)
    plan(study, user)
    with pytest.raises(Refusal, match="two-factor authentication"):
        order(study, user)
    with pytest.raises(Refusal, match="Only an administrator"):
        allow_payments(project=study.project, allowed=True, actor=user, now=NOON)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    assert order(study, user).state == "waiting"

    Authenticator.objects.all().delete()
    plan(study, user, reason="More")
    allow_payments(project=study.project, allowed=True, actor=make_user("root", is_superuser=True), now=NOON)
    assert order(study, user).state == "waiting"


@pytest.mark.parametrize(("person", "everybody"), [(1, 100), (100, 3)])
def test_there_is_a_ceiling_for_a_person_and_for_a_study(study, user, settings, person, everybody):
    settings.BONUS_MOST_PER_PERSON, settings.BONUS_MOST_PER_STUDY = Decimal(person), Decimal(everybody)
    plan(study, user)

    with pytest.raises(Refusal, match="You can pay up to"):
        order(study, user)


def test_the_ceiling_counts_what_was_paid_before(study, user, prolific, settings):
    settings.BONUS_MOST_PER_PERSON = Decimal(3)
    plan(study, user)
    assert pay(study, user).state == "done"
    plan(study, user, f"{pid(2)},1.50", "Once more")

    with pytest.raises(Refusal, match="You can pay up to"):
        order(study, user)


@pytest.mark.parametrize("known", [None, {"participant": pid(9)}, {"study_id": "6" * 24}])
def test_a_participant_who_was_made_up_is_not_paid(study, user, prolific, known):
    if known is None:
        prolific.made_up = {sid(2)}
    else:
        prolific.others[sid(2)] = known
    plan(study, user)

    payment = pay(study, user)

    assert (payment.state, pid(2) in payment.problem, prolific.orders) == ("failed", True, {})
    assert not prolific.paid
