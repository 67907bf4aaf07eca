"""Studies of Prolific that are created, published, paused and extended from here.

A draft costs nothing. What costs money is done by an owner, who sends the cost that they saw: it is calculated again
before the study is published or extended. No call is dangerous to repeat: a study is published once, and the number of
its places is sent as a total.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from secrets import choice
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd import prolific
from annotation.domain.recruiting.crowd.prolific import Refused, Unclear
from annotation.domain.recruiting.crowd.prolific_checks import missing_checks
from annotation.domain.recruiting.crowd.prolific_values import address_of, codes_of, note_state, values_of
from annotation.domain.recruiting.crowd.studies import guard_free_session, save_study
from annotation.domain.recruiting.crowd.wallets import guard_payer, token_of
from annotation.models import CrowdStudy, Platform, ProlificStudy, User
from annotation.models.audit_actions import Action

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 10
HUNDRED = Decimal(100)


@dataclass(frozen=True)
class Cost:
    """The cost of places in a study, in the currency of the account at Prolific."""

    places: int
    rewards: Decimal
    total: Decimal

    @property
    def fees(self) -> Decimal:
        return self.total - self.rewards

    @property
    def mark(self) -> str:
        """Return what the form sends back, so that nobody pays another sum than the one they saw."""
        return f"{self.places} for {self.total}"


def create_draft(*, study: CrowdStudy, draft: ProlificStudy, actor: User, now: datetime) -> ProlificStudy:
    """Create a draft at Prolific, with new codes, and return it. It costs nothing.

    Raises:
        Refusal: the project has no token, the session has a study already, or Prolific refused the draft.
    """
    study.platform = Platform.PROLIFIC
    guard_free_session(study)
    study.completion_code, study.screen_out_code, study.no_consent_code = (_new_code() for _number in range(3))
    draft.study = study
    with _answered():
        found = prolific.create_study(token_of(study.project), values_of(draft))
    study.study_id = found["id"]
    draft.study = save_study(study=study, actor=actor, now=now)
    note_state(draft, found, now)
    _log(Action.PROLIFIC_DRAFT_CREATED, draft, actor, now)
    return draft


def change_draft(*, draft: ProlificStudy, actor: User, now: datetime) -> ProlificStudy:
    """Send the changed settings of a draft to Prolific, and store them.

    Raises:
        Refusal: the study is published already, or Prolific refused the change.
    """
    _guard_draft(draft)
    with _answered():
        found = prolific.update_study(token_of(draft.study.project), draft.study.study_id, values_of(draft))
    draft.study.save(update_fields=["signed"])
    note_state(draft, found, now)
    _log(Action.PROLIFIC_DRAFT_CHANGED, draft, actor, now)
    return draft


def refresh(*, draft: ProlificStudy, now: datetime) -> dict[str, Any]:
    """Store the state of a study at Prolific, and return all that Prolific reports. Raise Refusal without an answer."""
    with _answered():
        found = prolific.read_study(token_of(draft.study.project), draft.study.study_id)
    note_state(draft, found, now)
    return found


def cost_to_publish(draft: ProlificStudy) -> Cost:
    return _cost(draft, draft.places)


def cost_to_add(draft: ProlificStudy, places: int) -> Cost:
    """Return the cost of so many more places."""
    return _cost(draft, places)


def publish(*, draft: ProlificStudy, seen: str, actor: User, now: datetime) -> None:
    """Publish a draft: Prolific reserves its cost and offers it to participants.

    Parameters: seen, the mark of the cost that the owner saw.

    Raises:
        Refusal: something on the checklist is missing, the cost is another one by now, or Prolific refused; or see
            `guard_payer`.
    """
    guard_payer(draft.study.project, actor)
    _guard_same(draft, refresh(draft=draft, now=now))
    _guard_draft(draft)
    if missing := missing_checks(draft, address_of(draft.study)):
        raise Refusal(_("This is missing before publishing: %(missing)s") % {"missing": "; ".join(missing)})
    cost = _guard_seen(cost_to_publish(draft), seen)
    _move(draft, "PUBLISH", Action.PROLIFIC_STUDY_PUBLISHED, actor, now, cost=str(cost.total))


def pause(*, draft: ProlificStudy, actor: User, now: datetime) -> None:
    """Pause a study: nobody new comes, and whoever is at work can finish."""
    _move(draft, "PAUSE", Action.PROLIFIC_STUDY_PAUSED, actor, now)


def resume(*, draft: ProlificStudy, actor: User, now: datetime) -> None:
    """Offer a paused study to participants again. Raise Refusal if Prolific refused; or see `guard_payer`."""
    guard_payer(draft.study.project, actor)
    _move(draft, "START", Action.PROLIFIC_STUDY_RESUMED, actor, now)


def add_places(*, draft: ProlificStudy, places: int, seen: str, actor: User, now: datetime) -> None:
    """Offer so many more places in a published study. The total is sent, so that a second click adds nothing.

    Raises:
        Refusal: the study is a draft, the number or the cost is another one by now, or Prolific refused; or see
            `guard_payer`.
    """
    guard_payer(draft.study.project, actor)
    before = draft.places
    refresh(draft=draft, now=now)
    if draft.is_draft:
        raise Refusal(_("This study is not published yet. Change the number of places in its settings."))
    if draft.places != before:
        raise Refusal(_("The number of places has changed at Prolific. Check it and try again."))
    cost = _guard_seen(cost_to_add(draft, places), seen)
    with _answered():
        values = {"total_available_places": before + places}
        found = prolific.update_study(token_of(draft.study.project), draft.study.study_id, values)
    note_state(draft, found, now)
    _log(Action.PROLIFIC_PLACES_ADDED, draft, actor, now, cost=str(cost.total))


def _move(draft: ProlificStudy, action: str, logged: Action, actor: User, now: datetime, **details: str) -> None:
    study_id = draft.study.study_id
    try:
        found = prolific.move_study(token_of(draft.study.project), study_id, action)
    except Refused as error:
        raise Refusal(str(error)) from error
    except Unclear as error:  # it may have happened: the log has it, and the state says whether
        _log(logged, draft, actor, now, **details)
        reason = _("Prolific’s answer was unclear (%(problem)s). Read the state before you try again.")
        raise Refusal(reason % {"problem": error}) from error
    note_state(draft, found, now)
    _log(logged, draft, actor, now, **details)


@contextmanager
def _answered() -> Iterator[None]:
    """Turn the failure of a call that can be repeated into a refusal."""
    try:
        yield
    except (Refused, Unclear) as error:
        raise Refusal(str(error)) from error


def _guard_draft(draft: ProlificStudy) -> None:
    if not draft.is_draft:
        raise Refusal(_("This study is published already. Prolific allows no other change than more places."))


def _guard_same(draft: ProlificStudy, found: dict[str, Any]) -> None:
    """Refuse a draft that leads elsewhere since somebody changed it on Prolific's own pages."""
    codes = found.get("completion_codes") or codes_of(draft)
    same = {one.get("code") for one in codes} >= {one["code"] for one in codes_of(draft)}
    if not same or found.get("external_study_url", address_of(draft.study)) != address_of(draft.study):
        raise Refusal(_("The address or a code was changed on Prolific’s pages. Save the settings here to restore it."))


def _guard_seen(cost: Cost, seen: str) -> Cost:
    if cost.mark != seen:
        raise Refusal(_("The cost has changed. Check it and try again."))
    return cost


def _cost(draft: ProlificStudy, places: int) -> Cost:
    with _answered():
        total = prolific.cost_of(token_of(draft.study.project), reward=draft.reward, places=places)
    return Cost(places, draft.reward * places / HUNDRED, total / HUNDRED)


def _new_code() -> str:
    return "".join(choice(LETTERS) for _number in range(CODE_LENGTH))


def _log(action: Action, draft: ProlificStudy, actor: User, now: datetime, **details: Any) -> None:
    study = draft.study
    about = {"round": study.round, "pool": study.pool, "session": study.session, "places": draft.places}
    write_down(action, study.project, actor=actor, now=now, study=study.pk, study_id=study.study_id, **about, **details)
