"""Keys for the API."""

from datetime import timedelta

from django.utils.translation import gettext as _

from annotation.domain.account.notices import notify
from annotation.domain.errors import Refusal
from annotation.models import ApiToken, Project, User

DAYS = 90
MOST_DAYS = 366


def make_token(
    *, user: User, scope: str = ApiToken.Scope.READ, days: int = DAYS, name: str = "", project: Project | None = None
) -> tuple[ApiToken, str]:
    """Return a new token and its key, which is stored nowhere and cannot be shown again.

    Parameters: project, the only one that it opens; by default all of the person's.

    Raises:
        Refusal: the token would be valid for less than a day or more than a year.
    """
    if not 1 <= days <= MOST_DAYS:
        raise Refusal(_("A token can be valid for 1 to %(most_days)s days.") % {"most_days": MOST_DAYS})
    token, key = ApiToken.objects.create(user, expiry=timedelta(days=days), scope=scope, name=name, project=project)
    notify(user, "token_made", token=token)
    return token, key
