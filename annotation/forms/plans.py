"""The form for a plan."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import require_people
from annotation.models import Project
from annotation.protocols.designs.common import PEOPLE


class PlanForm(forms.Form):
    """The request for a plan of a round; calibration keys only if a round lets them be chosen."""

    learn_more = {"people": "other-settings#places", "calibration": "protocol-settings#calibration"}
    round = forms.ChoiceField(label=_("Round"))
    people = forms.IntegerField(
        required=False,
        label=_("People"),
        widget=forms.NumberInput(attrs={"min": PEOPLE.low, "max": PEOPLE.high}),
        help_text=_("Total number of places, including earlier plans. Empty = as many as the protocol requires."),
    )
    calibration = forms.CharField(
        required=False,
        label=_("Calibration"),
        help_text=_(
            "Keys of the calibration pairs in order, separated by commas. Empty = pairs marked as "
            "calibration, or drawn at random."
        ),
    )

    def __init__(self, *args: object, project: Project, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        rounds = project.protocol.rounds
        self.fields["round"].choices = [(round_.key, f"{round_.key}: {round_.title}") for round_ in rounds]
        if not any(round_.design.calibration_values for round_ in rounds):
            del self.fields["calibration"]

    def clean_people(self) -> int | None:
        try:
            require_people(self.cleaned_data["people"])
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return self.cleaned_data["people"]

    def request(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        keys = [key.strip() for key in cleaned.get("calibration", "").split(",") if key.strip()]
        return {"round_key": cleaned["round"], "people": cleaned["people"], "calibration": keys}
