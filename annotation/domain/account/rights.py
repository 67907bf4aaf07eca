"""The rights of an account in the whole installation, given and taken by administrators."""

from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.account.installation import guard_last_administrator
from annotation.domain.errors import Refusal
from annotation.domain.security.log import record
from annotation.models import User
from annotation.models.security import SecurityKind


@dataclass(frozen=True)
class Rights:
    """is_active: may sign in. opens_projects: may create projects. is_superuser: administers the installation."""

    is_active: bool
    opens_projects: bool
    is_superuser: bool


@transaction.atomic
def change_rights(*, user: User, rights: Rights, actor: User, now: datetime) -> list[str]:
    """Change the rights of an account, and return the names of those that differ now. The security log keeps them.

    Raises:
        Refusal: nobody would administer the installation, or administrators would shut themselves out.
    """
    user = User.objects.select_for_update().filter(pk=user.pk).first() or user
    if not (rights.is_active and rights.is_superuser):
        if user.pk == actor.pk:
            raise Refusal(_("You can't take away your own rights. Ask another administrator."))
        guard_last_administrator(user)
    wanted = asdict(rights)
    changed = [name for name, value in wanted.items() if getattr(user, name) != value]
    for name in changed:
        setattr(user, name, wanted[name])
    user.is_staff = user.is_superuser
    if changed:
        user.save(update_fields=[*changed, "is_staff"])
        details = {name: wanted[name] for name in changed}
        record(SecurityKind.ADMINISTERED, now=now, user=actor, table="user", row=str(user.pk), **details)
    return changed
