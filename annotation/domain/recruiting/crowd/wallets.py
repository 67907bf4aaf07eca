"""With whose money a project pays: its own token of Prolific or key of Amazon, and who may pay with it."""

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.project.members import has_second_factor
from annotation.models import Bonus, CrowdStudy, Platform, Project, User, Wallet
from annotation.models.audit_actions import Action


def wallet_of(project: Project) -> Wallet:
    """Return the project's wallet; an empty one that is not stored if there is none."""
    return Wallet.objects.filter(project=project).first() or Wallet(project=project)


def token_of(project: Project) -> str:
    """Return the project's token of Prolific. Raise Refusal if there is none."""
    return _token_in(wallet_of(project))


def _token_in(wallet: Wallet) -> str:
    if wallet.token:
        return wallet.token
    raise Refusal(_("This project has no Prolific token yet. An owner can add one on the “Crowd platforms” page."))


@transaction.atomic
def save_token(*, project: Project, token: str, actor: User, now: datetime) -> Wallet:
    """Store the project's token of Prolific, or remove it if it is empty. Nobody is shown it again."""
    values = {"token": token.strip(), "saved_by": actor, "saved_at": now}
    wallet, _new = Wallet.objects.update_or_create(project=project, defaults=values)
    action = Action.PAYMENT_TOKEN_SAVED if wallet.token else Action.PAYMENT_TOKEN_REMOVED
    write_down(action, project, actor=actor, now=now)
    return wallet


@transaction.atomic
def save_aws_key(*, project: Project, key_id: str, secret: str, sandbox: bool, actor: User, now: datetime) -> Wallet:
    """Store the project's access key of Amazon, or remove it if both parts are empty. Nobody is shown the secret again.

    Raises:
        Refusal: one part is missing.
    """
    key_id, secret = key_id.strip(), secret.strip()
    if bool(key_id) != bool(secret):
        raise Refusal(_("Enter both the access key ID and the secret access key."))
    values = {"aws_key_id": key_id, "aws_secret": secret, "aws_sandbox": sandbox}
    wallet, _new = Wallet.objects.update_or_create(project=project, defaults=values)
    write_down(Action.AWS_KEY_SAVED if key_id else Action.AWS_KEY_REMOVED, project, actor=actor, now=now)
    return wallet


@transaction.atomic
def allow_payments(*, project: Project, allowed: bool, actor: User, now: datetime) -> Wallet:
    """Let owners without a second factor pay in this project, or no longer.

    Raises:
        Refusal: the actor is not an administrator.
    """
    if not actor.is_superuser:
        raise Refusal(_("Only an administrator can allow this."))
    wallet, _new = Wallet.objects.update_or_create(project=project, defaults={"allowed_at": now if allowed else None})
    action = Action.PAYMENTS_ALLOWED if allowed else Action.PAYMENTS_NOT_ALLOWED
    write_down(action, project, actor=actor, now=now)
    return wallet


def guard_payer(project: Project, payer: User, platform: str = Platform.PROLIFIC) -> None:
    """Check that the project can pay on the platform, and this person for it.

    Raises:
        Refusal: the project has no token or key; or the person has no second factor, and no administrator has allowed
            it.
    """
    wallet = wallet_of(project)
    if platform == Platform.PROLIFIC:
        _token_in(wallet)
    elif not wallet.aws_key_id:
        raise Refusal(
            _("This project has no Amazon access key yet. An owner can add one on the “Crowd platforms” page.")
        )
    if wallet.allowed_at is None and not has_second_factor(payer):
        raise Refusal(
            _("Set up two-factor authentication before you pay, or ask an administrator to allow payments without it.")
        )


def can_pay_on(project: Project, platform: str) -> bool:
    """Return whether the project has a token or key for the platform."""
    wallet = wallet_of(project)
    return bool(wallet.token if platform == Platform.PROLIFIC else wallet.aws_key_id)


def guard_ceilings(study: CrowdStudy) -> None:
    """Raise Refusal if a person, or all people together, would get more in this study than this server allows."""
    bonuses = study.bonuses.exclude(state=Bonus.State.FAILED).order_by()
    sums = [row["total"] for row in bonuses.values("participation").annotate(total=Sum("amount"))]
    person, all_people = settings.BONUS_MOST_PER_PERSON, settings.BONUS_MOST_PER_STUDY
    if max(sums, default=Decimal(0)) > person or sum(sums) > all_people:
        reason = _("You can pay up to %(person)s per person and %(study)s per study here.")
        raise Refusal(reason % {"person": person, "study": all_people})
