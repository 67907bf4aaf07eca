"""Accounts and rights of people who sign in at the organization's identity provider."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.account.installation import guard_last_administrator
from annotation.domain.errors import Refusal
from annotation.domain.security.log import record
from annotation.models import User
from annotation.models.security import SecurityKind


def account_of(address: str) -> User | None:
    """Return the account that has confirmed this address, which the provider has confirmed too; None if there is none.

    An account that has not confirmed the address may be somebody else's, so it is not used.

    Raises:
        Refusal: the provider has confirmed no address; or the account is an administrator's, for which an address is
            not enough.
    """
    if not address:
        raise Refusal(
            _("%(name)s did not confirm an email address for you. Ask its administrators to do so.")
            % {"name": settings.OIDC_NAME}
        )
    found = EmailAddress.objects.filter(email__iexact=address, verified=True).select_related("user").first()
    if found is not None and found.user.is_superuser:
        raise Refusal(
            _(
                "Administrators must connect %(name)s themselves. "
                "Sign in with your password, then open “Single sign-on” in the menu."
            )
            % {"name": settings.OIDC_NAME}
        )
    return found.user if found else None


@transaction.atomic
def apply_groups(*, user: User, claims: Mapping[str, Any], now: datetime) -> None:
    """Give and take the rights that the provider's groups stand for; a right without a group stays as it is.

    The last administrator keeps this right, so that the installation does not lose it by a typing error in a group.
    """
    user, groups = User.objects.select_for_update().get(pk=user.pk), _groups(claims)
    before = (user.is_superuser, user.opens_projects)
    if settings.OIDC_ADMIN_GROUP:
        administers = settings.OIDC_ADMIN_GROUP in groups or _is_last_administrator(user)
        user.is_superuser = user.is_staff = administers
    if settings.OIDC_PROJECTS_GROUP:
        user.opens_projects = settings.OIDC_PROJECTS_GROUP in groups
    if (user.is_superuser, user.opens_projects) == before:
        return
    user.save(update_fields=["is_superuser", "is_staff", "opens_projects"])
    rights = {"administrator": user.is_superuser, "opens_projects": user.opens_projects}
    record(SecurityKind.GROUPS_APPLIED, now=now, user=user, **rights)


def _groups(claims: Mapping[str, Any]) -> frozenset[str]:
    found = claims.get(settings.OIDC_GROUPS_CLAIM, [])
    names = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    return frozenset(name for name in names if isinstance(name, str))


def _is_last_administrator(user: User) -> bool:
    try:
        guard_last_administrator(user)
    except Refusal:
        return True
    return False
