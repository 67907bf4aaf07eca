"""Forms for API keys, and for the time zone of an account."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.domain.account.tokens import DAYS, MOST_DAYS
from annotation.models import ApiToken, Project


class TimeZoneForm(forms.Form):
    time_zone = forms.CharField(max_length=64)


class TokenForm(forms.Form):
    """A new key for the API."""

    learn_more = {"days": "other-settings#validity-of-a-token"}
    name = forms.CharField(max_length=100, label=_("Name"), help_text=_("What you use the token for."))
    scope = forms.ChoiceField(choices=ApiToken.Scope.choices, label=_("Access"))
    project = forms.ModelChoiceField(
        Project.objects.none(), required=False, label=_("Project"), empty_label=_("All my projects")
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=MOST_DAYS,
        initial=DAYS,
        label=_("Valid for (days)"),
        help_text=_("The token stops working after this time."),
    )

    def __init__(self, *args: Any, projects: QuerySet[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["project"].queryset = projects
