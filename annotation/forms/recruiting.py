"""Forms for recruiting."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.recruiting.address_lists import AddressList, read_addresses
from annotation.domain.recruiting.crowd.bonuses import MOST
from annotation.domain.recruiting.links import places_of
from annotation.forms.moments import Moment
from annotation.models import CrowdStudy, Platform, Project, RecruitingOptions

LARGEST_LIST = 2 * 1024 * 1024  # bytes
MOST_PEOPLE = 1_000_000
MOST_DAYS = 90


class PlaceField(forms.ChoiceField):
    """A round, or in a round with pools, a pool; its value is the keys of both."""

    def __init__(self, *, project: Project, **kwargs: Any) -> None:
        self.places = places_of(project)
        choices = [(f"{round_key}/{pool}", title) for (round_key, pool), title in self.places.items()]
        super().__init__(choices=choices, label=kwargs.pop("label", _("Round")), **kwargs)

    def clean(self, value: Any) -> tuple[str, str]:
        round_key, _slash, pool = super().clean(value).partition("/")
        return round_key, pool


class EndField(Moment):
    """The time when a link expires; empty for never."""

    def __init__(self) -> None:
        help_text = _("In your time zone. Leave it empty for no end.")
        super().__init__(required=False, label=_("Works until"), help_text=help_text)


class LanguageField(forms.RegexField):
    """The code of a language, as it marks a group of people."""

    def __init__(self, **kwargs: Any) -> None:
        pattern = r"^[a-z]{2,3}(-[a-z0-9]{2,8})?$"
        super().__init__(pattern, required=False, max_length=20, label=_("Language"), **kwargs)

    def to_python(self, value: Any) -> str:
        return super().to_python(value).lower()


class LinkForm(forms.Form):
    """A new invitation link to a round."""

    most = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_PEOPLE,
        label=_("So many people at the most"),
        help_text=_("Leave it empty for as many as there are places."),
    )
    expires_at = EndField()
    language = LanguageField(help_text=_("If the link is for one language: its code, such as cs. Quotas count it."))
    note = forms.CharField(
        required=False, max_length=200, label=_("Note"), help_text=_("For yourself, such as where you put the link.")
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {"place": PlaceField(project=project)} | self.fields

    def request(self) -> dict[str, Any]:
        round_key, pool = self.cleaned_data["place"]
        values = {name: self.cleaned_data[name] for name in ("most", "expires_at", "language", "note")}
        return {"round_key": round_key, "pool": pool} | values


class StandingForm(forms.Form):
    """The choice of a standing link."""

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["place"] = PlaceField(project=project)


class OptionsForm(forms.ModelForm):
    class Meta:
        model = RecruitingOptions
        fields = ("without_address",)
        labels = {"without_address": _("People may begin without giving an e-mail address")}
        help_texts = {
            "without_address": _(
                "They are shown a link of their own, with which they go on from any device if they keep it."
            )
        }


class WayInForm(forms.Form):
    """The address of a person who has no account, or wants their link again."""

    address = forms.EmailField(
        max_length=254, label=_("Your e-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class AddressesForm(forms.Form):
    """A list of addresses, as a file or typed in; sent again with `confirmed`, they are invited."""

    file = forms.FileField(
        required=False,
        label=_("A file"),
        help_text=_("CSV in UTF-8: address, and if you like name and language (en, cs, de, es, ar)."),
    )
    rows = forms.CharField(
        required=False,
        strip=False,
        label=_("Or addresses typed in"),
        help_text=_("One a line: address, name, language."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    expires_at = EndField()

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {"place": PlaceField(project=project)} | self.fields

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and bool(cleaned.get("file")) == bool(cleaned.get("rows", "").strip()):
            raise forms.ValidationError(_("Please choose a file, or type addresses in; one of the two."))
        return cleaned

    def clean_file(self) -> str:
        """Return the text of the file."""
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
        fields = ("platform", "session", "study_id", "completion_code", "screen_out_code", "no_consent_code")
        fields += ("signed", "open")
        labels = {
            "platform": _("Platform"),
            "session": _("Session"),
            "study_id": _("Id of the study"),
            "completion_code": _("Completion code"),
            "screen_out_code": _("Code for whoever fails the check"),
            "no_consent_code": _("Code for whoever does not agree to take part"),
            "signed": _("Only signed addresses (Prolific)"),
            "open": _("Lets new people in"),
        }
        help_texts = {
            "session": _("A session after a pause is a study of its own."),
            "study_id": _(
                "Prolific: 24 letters and digits, in the study's address there. MTurk: a HIT, or empty for all."
            ),
            "completion_code": _("Prolific gives it. For MTurk leave it empty: each person gets a code of their own."),
            "screen_out_code": _("May be empty: people are then asked to return the study."),
            "no_consent_code": _("May be empty as well."),
            "signed": _("Nobody can then pose as another. Switch on “Secured external URL” at Prolific first."),
            "open": _("Whoever has a place may always go on."),
        }

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.project = project
        place = PlaceField(project=project)
        if self.instance.pk:
            place.initial = f"{self.instance.round}/{self.instance.pool}"
        self.fields = {"place": place} | self.fields
        if self.instance.pk and self.instance.submissions.exists():
            self._lock("place", "platform", "session")
        if hasattr(self.instance, "prolific"):  # Prolific has these too; they change on the study's own page
            self._lock("place", "platform", "session", "study_id", "signed")
            self._lock("completion_code", "screen_out_code", "no_consent_code")

    def _lock(self, *names: str) -> None:
        for name in names:
            self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in ("study_id", "completion_code", "screen_out_code", "no_consent_code"):
            cleaned[name] = cleaned.get(name, "").strip()
        if "place" in cleaned:
            self.instance.round, self.instance.pool = cleaned["place"]
        return cleaned

    def _get_validation_exclusions(self) -> set[str]:
        """Return the fields whose uniqueness is checked, and explained, when they are stored."""
        return super()._get_validation_exclusions() | {"project", "round", "pool", "study_id", "session"}

    def study(self) -> CrowdStudy:
        return self.instance

    @property
    def for_prolific(self) -> bool:
        return self.instance.platform == Platform.PROLIFIC


class BonusForm(forms.Form):
    """Bonuses to plan."""

    lines = forms.CharField(
        label=_("Who gets how much"),
        help_text=_("One a line: id, comma, amount, such as 5f2e9c1ab34d5e6f7a8b9c0d,1.50"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
    )
    currency = forms.RegexField(
        r"^[A-Z]{3}$", label=_("Currency"), initial="GBP", help_text=_("That of the study, such as GBP, USD or EUR.")
    )
    reason = forms.CharField(
        max_length=100, label=_("Reason"), help_text=_("A person gets one bonus for a reason, never two.")
    )

    most = MOST


class NoteForm(forms.Form):
    """The evidence for the outcome of a payment."""

    note = forms.CharField(max_length=500, label=_("How do you know?"))
    outcome = forms.ChoiceField(required=False, choices=[(name, name) for name in ("paid", "not paid")])


class QuotaForm(forms.Form):
    """The maximum number of people of a group."""

    language = LanguageField(help_text=_("Its code, such as cs. Counts people who joined by links for it."))
    most = forms.IntegerField(min_value=0, max_value=MOST_PEOPLE, label=_("Maximum number of people"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = {f"{round_.key}/": round_.title for round_ in project.protocol.rounds}
        titles |= {f"{round_key}/{pool}": title for (round_key, pool), title in places_of(project).items()}
        place = forms.ChoiceField(choices=list(titles.items()), label=_("Round or pool"))
        self.fields = {"place": place} | self.fields

    def request(self) -> dict[str, Any]:
        round_key, _slash, pool = self.cleaned_data["place"].partition("/")
        return {"round_key": round_key, "pool": pool} | {name: self.cleaned_data[name] for name in ("language", "most")}


class StoppedForm(forms.ModelForm):
    """After how many days people who stopped are reminded."""

    class Meta:
        model = RecruitingOptions
        fields = ("stopped_days",)
        labels = {"stopped_days": _("Days without an answer")}
        help_texts = {"stopped_days": _("Everybody is reminded once. Leave it empty to send no such reminders.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = forms.IntegerField(min_value=1, max_value=MOST_DAYS)
        days = self.fields["stopped_days"]
        days.validators += limits.validators
        days.widget.attrs |= {"min": 1, "max": MOST_DAYS}


class MailForm(forms.Form):
    """The text of an e-mail; the domain checks its placeholders."""

    subject = forms.CharField(max_length=150, label=_("Subject"))
    body = forms.CharField(label=_("Text"), strip=False, widget=forms.Textarea(attrs={"rows": 12, "dir": "auto"}))
