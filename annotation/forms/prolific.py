"""Forms for studies at Prolific."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.recruiting import PlaceField
from annotation.models import CrowdStudy, Project, ProlificStudy

DEVICES = (("desktop", _("Computer")), ("tablet", _("Tablet")), ("mobile", _("Phone")))
MOST_PLACES, MOST_MINUTES = 100_000, 24 * 60


class ProlificForm(forms.ModelForm):
    """The settings of a study; the round and session only for a new one."""

    learn_more = {
        "session": "protocol-settings#pause-between-sessions",
        "places": "other-settings#places-of-a-study",
        "reward": "other-settings#reward-and-time",
        "minutes": "other-settings#reward-and-time",
    }

    reward = forms.DecimalField(
        min_value=Decimal("0.01"),
        max_value=Decimal(1000),
        decimal_places=2,
        label=_("Reward for one participant"),
        help_text=_("In the currency of your Prolific account, without fees."),
    )
    devices = forms.MultipleChoiceField(choices=DEVICES, label=_("Devices"), widget=forms.CheckboxSelectMultiple)
    signed = forms.BooleanField(
        required=False,
        label=_("Secured external URL"),
        help_text=_("Prolific signs the address, so that nobody can use another participant’s ID."),
    )

    class Meta:
        model = ProlificStudy
        fields = ("name", "internal_name", "description", "places", "reward", "minutes", "devices", "approves")
        labels = {
            "name": _("Name"),
            "internal_name": _("Internal name"),
            "description": _("Description"),
            "places": _("Places"),
            "minutes": _("Estimated minutes"),
            "approves": _("Approve automatically"),
        }
        help_texts = {
            "name": _("Participants see it in the list of studies."),
            "internal_name": _("Only you see it. Leave it empty to use the name."),
            "description": _("What participants do and what they need. They read it before they start."),
            "places": _("How many participants Prolific lets in. You can add places later."),
            "minutes": _("The time that one participant needs."),
            "approves": _("Prolific approves everybody who returns with the completion code. Otherwise you do."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 5})}

    def __init__(self, *args: Any, project: Project, minutes: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        if minutes is not None:
            estimate = _("The time that one participant needs. Computed from the protocol: %(minutes)s.")
            self.fields["minutes"].help_text = estimate % {"minutes": minutes}
        for name, most in (("places", MOST_PLACES), ("minutes", MOST_MINUTES)):
            number = self.fields[name]
            number.min_value, number.max_value = 1, most
            number.validators += forms.IntegerField(min_value=1, max_value=most).validators
            number.widget.attrs |= {"min": 1, "max": most}
        if self.instance.pk:
            reward = (Decimal(self.instance.reward) / 100).quantize(Decimal("0.01"))
            self.initial |= {"reward": reward, "signed": self.instance.study.signed}
        else:
            help_text = _("Each session after a pause needs its own study.")
            session = forms.IntegerField(min_value=1, max_value=99, initial=1, label=_("Session"), help_text=help_text)
            self.fields = {"place": PlaceField(project=project), "session": session} | self.fields
            self.initial |= {"devices": ["desktop"], "name": project.title[:120], "minutes": minutes}

    def clean_reward(self) -> int:
        return int(self.cleaned_data["reward"] * 100)

    def study(self) -> CrowdStudy:
        """Return the new study, which is not stored."""
        round_key, pool = self.cleaned_data["place"]
        values = {"round": round_key, "pool": pool, "session": self.cleaned_data["session"]}
        return CrowdStudy(project=self.project, signed=self.cleaned_data["signed"], **values)

    def draft(self) -> ProlificStudy:
        """Return the settings with their changes, which are not stored."""
        if self.instance.pk:
            self.instance.study.signed = self.cleaned_data["signed"]
        return self.instance


class MorePlacesForm(forms.Form):
    learn_more = {"places": "other-settings#places-of-a-study"}

    places = forms.IntegerField(
        min_value=1,
        max_value=MOST_PLACES,
        label=_("More places"),
        help_text=_("In addition to the places that the study has."),
    )


class ScreenerForm(forms.Form):
    """The choice of values of one screener, or of its range."""

    def __init__(self, *args: Any, screener: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if screener["type"] == "range":
            limits = {"min_value": screener.get("min"), "max_value": screener.get("max"), "required": False}
            self.fields["lower"] = forms.FloatField(label=_("Minimum"), **limits)
            self.fields["upper"] = forms.FloatField(label=_("Maximum"), **limits)
        else:
            choices = sorted(screener["choices"].items(), key=lambda choice: str(choice[1]))
            widget = forms.SelectMultiple(attrs={"size": min(len(choices), 12)})
            self.fields["values"] = forms.MultipleChoiceField(choices=choices, label=_("Values"), widget=widget)
