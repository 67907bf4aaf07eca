"""Forms of administrators: finding accounts, and their rights."""

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.domain.account.rights import Rights
from annotation.models import User
from annotation.models.people import CROWD, GUEST

GUESTS = Q(username__startswith=GUEST) | Q(username__startswith=CROWD)
KINDS = {
    "": (_("Accounts with an email address"), ~GUESTS),
    "administrators": (_("Administrators"), Q(is_superuser=True)),
    "creators": (_("Project creators"), Q(opens_projects=True)),
    "disabled": (_("Disabled"), Q(is_active=False)),
    "guests": (_("Annotators without an account"), GUESTS),
}


class AccountFilterForm(forms.Form):
    find = forms.CharField(required=False, max_length=200, label=_("Email address or user name"))
    kind = forms.ChoiceField(
        required=False, label=_("Show"), choices=[(key, label) for key, (label, _rows) in KINDS.items()]
    )

    def accounts(self) -> QuerySet[User]:
        """Return the accounts that match; what is not valid filters nothing."""
        chosen: dict[str, Any] = self.cleaned_data if self.is_valid() else {}
        found = User.objects.filter(KINDS[chosen.get("kind", "")][1])
        if find := chosen.get("find"):
            found = found.filter(Q(email__icontains=find) | Q(username__icontains=find))
        return found


class RightsForm(forms.Form):
    is_active = forms.BooleanField(required=False, label=_("Can sign in"))
    opens_projects = forms.BooleanField(required=False, label=_("Can create projects"))
    is_superuser = forms.BooleanField(
        required=False, label=_("Administrator"), help_text=_("Can do everything, in every project.")
    )

    def rights(self) -> Rights:
        return Rights(**self.cleaned_data)
