"""What a plan is asked for."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.assigning import MOST_PEOPLE
from annotation.models import Project
from annotation.protocols.spec import StackDesign


class PlanForm(forms.Form):
    """What a plan of a round is asked for; keys of calibration pairs only where a round lets them be chosen."""

    round = forms.ChoiceField(label=_("Round"))
    people = forms.IntegerField(
        required=False,
        label=_("People"),
        min_value=1,
        max_value=MOST_PEOPLE,
        help_text=_("Places in all, those of earlier plans included; by default as many as the protocol asks for."),
    )
    calibration = forms.CharField(
        required=False,
        label=_("Calibration"),
        help_text=_("Keys of the calibration pairs in order, separated by commas; by default those marked, or drawn."),
    )

    def __init__(self, *args: object, project: Project, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].choices = [(one.key, f"{one.key}: {one.title}") for one in project.protocol.rounds]
        if not any(isinstance(one.design, StackDesign) for one in project.protocol.rounds):
            del self.fields["calibration"]

    def request(self) -> dict[str, Any]:
        given = self.cleaned_data
        keys = [key.strip() for key in given.get("calibration", "").split(",") if key.strip()]
        return {"round_key": given["round"], "people": given["people"], "calibration": keys}
