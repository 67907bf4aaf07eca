"""What comes in from pages."""

from django import forms

from annotation.domain.judging import Answer, Pick, Timing

TIMES = ("touched_ms", "answered_ms", "active_ms", "adjustments")


def timing_field() -> forms.IntegerField:
    return forms.IntegerField(required=False, widget=forms.HiddenInput)


class AnswerForm(forms.Form):
    """The part that every answer has: which screen, which sending of it, and the browser's times."""

    assignment = forms.IntegerField(widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)
    again = forms.BooleanField(required=False, widget=forms.HiddenInput)
    touched_ms = timing_field()
    answered_ms = timing_field()
    active_ms = timing_field()
    adjustments = timing_field()

    def answer(self) -> Answer:
        given = self.cleaned_data
        timing = Timing(**{name: given.get(name) for name in TIMES})
        return Answer(given["assignment"], given["key"], timing, again=given["again"])

    def value(self) -> str:
        return self.data.get("value", "")

    def picks(self, roles: list[str]) -> dict[str, Pick]:
        """The sentences chosen, by role; a role without a proper choice is left out."""
        chosen = {role: self.data.get(f"pick-{role}", "") for role in roles}
        return {
            role: Pick(int(sentence), self.data.get(f"value-{role}", ""))
            for role, sentence in chosen.items()
            if sentence.isdecimal()
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
        help_text="The first line names the columns, such as id,sentence1,sentence2.",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean(self) -> dict:
        given = super().clean()
        if bool(given.get("file")) == bool(given.get("rows", "").strip()):
            raise forms.ValidationError("Please choose a file, or type rows in; one of the two.")
        return given


class TimeZoneForm(forms.Form):
    time_zone = forms.CharField(max_length=64)
