"""What comes in from the pages about finding people."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.address_lists import AddressList, read_addresses
from annotation.domain.crowd.bonuses import MOST
from annotation.domain.links import places_of
from annotation.models import CrowdStudy, Platform, Project, RecruitingOptions

LARGEST_LIST = 2 * 1024 * 1024  # bytes
MOST_PEOPLE = 1_000_000


class PlaceField(forms.ChoiceField):
    """A round, or of a round with pools one pool; gives both keys."""

    def __init__(self, *, project: Project, **kwargs: Any) -> None:
        self.places = places_of(project)
        choices = [(f"{round_key}/{pool}", title) for (round_key, pool), title in self.places.items()]
        super().__init__(choices=choices, label=kwargs.pop("label", gettext_lazy("Round")), **kwargs)

    def clean(self, value: Any) -> tuple[str, str]:
        round_key, _slash, pool = super().clean(value).partition("/")
        return round_key, pool


class EndField(forms.DateTimeField):
    """When a link stops to lead to a place; nothing for never."""

    def __init__(self, **kwargs: Any) -> None:
        usual = {
            "required": False,
            "label": gettext_lazy("Works until"),
            "help_text": gettext_lazy("In your time zone. Leave it empty for no end."),
            "widget": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        }
        super().__init__(**usual | kwargs)


class LinkForm(forms.Form):
    """A new link that invites to a round."""

    most = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_PEOPLE,
        label=gettext_lazy("So many people at the most"),
        help_text=gettext_lazy("Leave it empty for as many as there are places."),
    )
    expires_at = EndField()
    note = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Note"),
        help_text=gettext_lazy("For yourself, such as where you put the link."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {"place": PlaceField(project=project)} | self.fields

    def request(self) -> dict[str, Any]:
        round_key, pool = self.cleaned_data["place"]
        values = {name: self.cleaned_data[name] for name in ("most", "expires_at", "note")}
        return {"round_key": round_key, "pool": pool} | values


class StandingForm(forms.Form):
    """Which standing link is meant."""

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["place"] = PlaceField(project=project)


class OptionsForm(forms.ModelForm):
    class Meta:
        model = RecruitingOptions
        fields = ("without_address",)
        labels = {"without_address": gettext_lazy("People may begin without giving an e-mail address")}
        help_texts = {
            "without_address": gettext_lazy(
                "They are shown a link of their own, with which they go on from any device if they keep it."
            ),
        }


class WayInForm(forms.Form):
    """The address of somebody who has no account, or wants their link once more."""

    address = forms.EmailField(
        max_length=254,
        label=gettext_lazy("Your e-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class AddressesForm(forms.Form):
    """A list of addresses, as a file or typed in; sent once more with `confirmed` it is invited."""

    file = forms.FileField(
        required=False,
        label=gettext_lazy("A file"),
        help_text=gettext_lazy("CSV in UTF-8: address, and if you like name and language (en, cs, de, es, ar)."),
    )
    rows = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Or addresses typed in"),
        help_text=gettext_lazy("One a line: address, name, language."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    expires_at = EndField()

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {"place": PlaceField(project=project)} | self.fields

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if not self.errors and bool(given.get("file")) == bool(given.get("rows", "").strip()):
            raise forms.ValidationError(_("Please choose a file, or type addresses in; one of the two."))
        return given

    def clean_file(self) -> str:
        """The text of the file."""
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > LARGEST_LIST:
            raise forms.ValidationError(_("The file is larger than 2 MB."))
        try:
            return file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The file is not in UTF-8. Please save it as “CSV UTF-8”.")) from None

    def listed(self) -> AddressList:
        return read_addresses(self.cleaned_data["file"] or self.cleaned_data["rows"])


class StudyForm(forms.ModelForm):
    """A study on a crowd platform and the session that it pays for."""

    class Meta:
        model = CrowdStudy
        fields = ("platform", "session", "study_id", "completion_code", "screen_out_code", "no_consent_code", "open")
        labels = {
            "platform": gettext_lazy("Platform"),
            "session": gettext_lazy("Session"),
            "study_id": gettext_lazy("Id of the study"),
            "completion_code": gettext_lazy("Completion code"),
            "screen_out_code": gettext_lazy("Code for whoever fails the check"),
            "no_consent_code": gettext_lazy("Code for whoever does not agree to take part"),
            "open": gettext_lazy("Lets new people in"),
        }
        help_texts = {
            "session": gettext_lazy("A session after a pause is a study of its own."),
            "study_id": gettext_lazy(
                "Prolific: 24 letters and digits, in the study's address there. MTurk: a HIT, or empty for all."
            ),
            "completion_code": gettext_lazy(
                "Prolific gives it. For MTurk leave it empty: each person gets a code of their own."
            ),
            "screen_out_code": gettext_lazy("May be empty: people are then asked to return the study."),
            "no_consent_code": gettext_lazy("May be empty as well."),
            "open": gettext_lazy("Whoever has a place may always go on."),
        }

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.project = project
        place = PlaceField(project=project)
        if self.instance.pk:
            place.initial = f"{self.instance.round}/{self.instance.pool}"
        self.fields = {"place": place} | self.fields
        if self.instance.pk and self.instance.submissions.exists():
            for name in ("place", "platform", "session"):
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        for name in ("study_id", "completion_code", "screen_out_code", "no_consent_code"):
            given[name] = given.get(name, "").strip()
        if "place" in given:
            self.instance.round, self.instance.pool = given["place"]
        return given

    def _get_validation_exclusions(self) -> set[str]:
        """What is unique is checked where it is stored, and told in words."""
        return super()._get_validation_exclusions() | {"project", "round", "pool", "study_id", "session"}

    def study(self) -> CrowdStudy:
        return self.instance

    @property
    def for_prolific(self) -> bool:
        return self.instance.platform == Platform.PROLIFIC


class BonusForm(forms.Form):
    """Bonuses to plan."""

    lines = forms.CharField(
        label=gettext_lazy("Who gets how much"),
        help_text=gettext_lazy("One a line: id, comma, amount, such as 5f2e9c1ab34d5e6f7a8b9c0d,1.50"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
    )
    currency = forms.RegexField(
        r"^[A-Z]{3}$",
        label=gettext_lazy("Currency"),
        initial="GBP",
        help_text=gettext_lazy("That of the study, such as GBP, USD or EUR."),
    )
    reason = forms.CharField(
        max_length=100,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("A person gets one bonus for a reason, never two."),
    )

    most = MOST


class NoteForm(forms.Form):
    """How somebody knows what became of a payment."""

    note = forms.CharField(max_length=500, label=gettext_lazy("How do you know?"))
    outcome = forms.ChoiceField(required=False, choices=[(name, name) for name in ("paid", "not paid")])
