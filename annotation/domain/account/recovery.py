"""Recovery of an account whose owner has lost the second factor and the recovery codes."""

from datetime import datetime
from functools import partial

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.account.notices import notify
from annotation.domain.account.sessions import end_sessions
from annotation.domain.errors import Refusal
from annotation.domain.security.log import record
from annotation.models import User
from annotation.models.security import SecurityKind


@transaction.atomic
def remove_second_factors(*, user: User, now: datetime) -> None:
    """Remove an account's second factors and recovery codes, end its sessions, and write to the person.

    The password stays, so that signing in still takes what the person knows.

    Raises:
        Refusal: the account has no second factor.
    """
    removed, _by_table = Authenticator.objects.filter(user=user).delete()
    if not removed:
        raise Refusal(_("This account has no second factor."))
    end_sessions(user)
    record(SecurityKind.SECOND_FACTOR_REMOVED, now=now, user=user, by="operator")
    transaction.on_commit(partial(notify, user, "second_factor_removed"))
