"""What comes in from pages."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from annotation.domain.judging import Answer, Timing
from annotation.domain.pairing import Pick
from annotation.models import Project
from annotation.protocols.settings import setting_names, written

LONGEST_ID = 19  # digits; more are no id of ours
TIMES = ("touched_ms", "answered_ms", "active_ms", "adjustments")


class MeasuredField(forms.IntegerField):
    """A number that the browser measured; one that cannot be read is not worth losing an answer for."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput)

    def clean(self, value: Any) -> int | None:
        try:
            return super().clean(value)
        except forms.ValidationError:
            return None


class AnswerForm(forms.Form):
    """The part that every answer has: which screen, which sending of it, and the browser's times."""

    assignment = forms.IntegerField(widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)
    again = forms.BooleanField(required=False, widget=forms.HiddenInput)
    touched_ms = MeasuredField()
    answered_ms = MeasuredField()
    active_ms = MeasuredField()
    adjustments = MeasuredField()

    def answer(self) -> Answer:
        given = self.cleaned_data
        timing = Timing.believable(**{name: given.get(name) for name in TIMES})
        return Answer(given["assignment"], given["key"], timing, again=given["again"])

    def value(self) -> str:
        return self.data.get("value", "")

    def picks(self, roles: list[str]) -> dict[str, Pick]:
        """The sentences chosen, by role; a role without a proper choice is left out."""
        chosen = {role: self.data.get(f"pick-{role}", "") for role in roles}
        return {
            role: Pick(int(sentence), self.data.get(f"value-{role}", ""))
            for role, sentence in chosen.items()
            if sentence.isdecimal() and len(sentence) < LONGEST_ID
        }


class LeaveForm(forms.Form):
    reason = forms.CharField(
        required=False,
        max_length=1000,
        label="Would you tell us why? (optional)",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class ImportForm(forms.Form):
    """A file of items, or rows typed or pasted in."""

    file = forms.FileField(required=False, label="A file", help_text="CSV, TSV or JSON Lines in UTF-8.")
    rows = forms.CharField(
        required=False,
        strip=False,
        label="Or rows typed in",
        help_text="The first line names the columns.",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean_file(self) -> UploadedFile | None:
        file = self.cleaned_data["file"]
        if file and file.size > settings.UPLOAD_MAX_BYTES:
            raise forms.ValidationError(
                f"The file has {filesizeformat(file.size)}; {filesizeformat(settings.UPLOAD_MAX_BYTES)} is the most."
            )
        return file

    def clean(self) -> dict:
        given = super().clean()
        if "file" not in self.errors and bool(given.get("file")) == bool(given.get("rows", "").strip()):
            raise forms.ValidationError("Please choose a file, or type rows in; one of the two.")
        return given


class TimeZoneForm(forms.Form):
    time_zone = forms.CharField(max_length=64)


class PlanForm(forms.Form):
    round = forms.ChoiceField()
    people = forms.IntegerField(
        required=False, min_value=1, help_text="Places in all; by default what the protocol asks for."
    )
    calibration = forms.CharField(
        required=False,
        help_text="Keys of the calibration pairs in order, separated by commas; by default those marked, or drawn.",
    )

    def __init__(self, *args: object, project: Project, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].choices = [(one.key, f"{one.key}: {one.title}") for one in project.protocol.rounds]

    def request(self) -> dict[str, Any]:
        given = self.cleaned_data
        keys = [key.strip() for key in given["calibration"].split(",") if key.strip()]
        return {"round_key": given["round"], "people": given["people"], "calibration": keys}

    def told(self, outcome: dict[str, Any]) -> str:
        return "; ".join(f"{name}: {value}" for name, value in outcome.items())


class ChangeNumbersForm(forms.Form):
    """Every number of a project's protocol, until the first place is planned."""

    def __init__(self, *args: object, project: Project, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.present = {name: written(value) for name, value in setting_names(project.protocol).items()}
        for name, value in self.present.items():
            self.fields[name] = forms.CharField(label=name, initial=value)

    def request(self) -> dict[str, Any]:
        changed = {name: value for name, value in self.cleaned_data.items() if value != self.present[name]}
        return {"changes": changed}

    def told(self, project: Project) -> str:
        return f"The protocol of “{project}” has the new numbers. Plan its rounds now, or again."


class ExcludeForm(forms.Form):
    reason = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), help_text="The log keeps it.")


class ShortenForm(ExcludeForm):
    until = forms.DateTimeField(help_text="The new end of the pause, in your time zone: YYYY-MM-DD HH:MM.")
