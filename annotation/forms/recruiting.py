"""Forms for recruiting."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.recruiting.address_lists import AddressList, read_addresses
from annotation.domain.recruiting.links import places_of
from annotation.forms.moments import Moment
from annotation.models import Project, RecruitingOptions

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
        help_text = _("In your time zone. Leave empty for no expiry date.")
        super().__init__(required=False, label=_("Valid until"), help_text=help_text)


class LanguageField(forms.RegexField):
    """The code of a language, as it marks a group of people."""

    def __init__(self, **kwargs: Any) -> None:
        pattern = r"^[a-z]{2,3}(-[a-z0-9]{2,8})?$"
        super().__init__(pattern, required=False, max_length=20, label=_("Language"), **kwargs)

    def to_python(self, value: Any) -> str:
        return super().to_python(value).lower()


class LinkForm(forms.Form):
    """A new invitation link to a round."""

    learn_more = {"most": "other-settings#maximum-number-of-people"}
    most = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_PEOPLE,
        label=_("Maximum number of people"),
        help_text=_("Leave empty for as many people as there are places."),
    )
    expires_at = EndField()
    language = LanguageField(help_text=_("If the link is for one language: its code, such as cs. Quotas count it."))
    note = forms.CharField(
        required=False,
        max_length=200,
        label=_("Note"),
        help_text=_("For your own reference, such as where you posted the link."),
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
        labels = {"without_address": _("Allow people to join without an email address")}
        help_texts = {
            "without_address": _(
                "They get a personal link to continue on any device. If they lose it, they can't continue elsewhere."
            )
        }


class WayInForm(forms.Form):
    """The address of a person who has no account, or wants their link again."""

    address = forms.EmailField(
        max_length=254, label=_("Your email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class AddressesForm(forms.Form):
    """A list of addresses, as a file or typed in; sent again with `confirmed`, they are invited."""

    file = forms.FileField(
        required=False,
        label=_("File"),
        help_text=_("CSV in UTF-8 with the columns address and, optionally, name and language (en, cs, de, es, ar)."),
    )
    rows = forms.CharField(
        required=False,
        strip=False,
        label=_("Or type addresses"),
        help_text=_("One per line: address, name, language."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    expires_at = EndField()

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {"place": PlaceField(project=project)} | self.fields

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and bool(cleaned.get("file")) == bool(cleaned.get("rows", "").strip()):
            raise forms.ValidationError(_("Either choose a file or type addresses."))
        return cleaned

    def clean_file(self) -> str:
        """Return the text of the file."""
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > LARGEST_LIST:
            raise forms.ValidationError(_("The file is too large. The maximum is 2 MB."))
        try:
            return file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(
                _("The file is not valid UTF-8. Save it as “CSV UTF-8” and upload it again.")
            ) from None

    def listed(self) -> AddressList:
        return read_addresses(self.cleaned_data["file"] or self.cleaned_data["rows"])


class QuotaForm(forms.Form):
    """The maximum number of people of a group."""

    learn_more = {"most": "other-settings#quotas"}

    language = LanguageField(help_text=_("Its code, such as cs. Counts people who joined by links for it."))
    most = forms.IntegerField(
        min_value=0,
        max_value=MOST_PEOPLE,
        label=_("Maximum number of people"),
        help_text=_("When this many people of the group have joined, nobody else of it can."),
    )

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

    learn_more = {"stopped_days": "other-settings#days-without-an-answer"}

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
