"""The form of the notifications that a manager wants."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import PROJECT_EVENTS, NotificationSettings


class NotificationForm(forms.ModelForm):
    """What is told at once, and how often a digest comes."""

    learn_more = {"flagged_from": "other-settings#flagged-annotators"}
    events = forms.MultipleChoiceField(
        required=False,
        label=_("Email me immediately"),
        widget=forms.CheckboxSelectMultiple,
        choices=[(event.value, event.label) for event in PROJECT_EVENTS],
    )

    class Meta:
        model = NotificationSettings
        fields = ("digest", "events", "flagged_from", "muted")
        labels = {
            "digest": _("Summary of my projects"),
            "flagged_from": _("Flagged annotators"),
            "muted": _("Muted projects"),
        }
        help_texts = {
            "digest": _("Progress, new answers and what needs review, sent at 06:00 UTC."),
            "flagged_from": _("Email me when a round has at least this many annotators to review."),
            "muted": _("No emails about these."),
        }
        widgets = {"muted": forms.CheckboxSelectMultiple}

    def __init__(self, *arguments: Any, projects: Any, **values: Any):
        super().__init__(*arguments, **values)
        self.fields["muted"].queryset = projects
        if not projects:
            del self.fields["muted"]
