"""Answers to screens, to practice tasks, and to the question why somebody leaves."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.judging import Answer, Timing
from annotation.domain.pairing import Pick

LONGEST_ID = 19  # digits; more are no id of ours
LARGEST_ID = 2**63 - 1
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

    def choice(self) -> dict[str, Any]:
        """Best and worst as ids of items, None where there is no proper choice."""
        best, worst = (self._id(name) for name in ("best", "worst"))
        return {"best": best, "worst": worst, "hard_to_say": "hard_to_say" in self.data}

    def _id(self, name: str) -> int | None:
        text = self.data.get(name, "")
        return int(text) if text.isdecimal() and len(text) < LONGEST_ID else None

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
        label=_("Would you tell us why? (optional)"),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class PracticeAnswerForm(forms.Form):
    """A practice or check task, the attempt at it, and its best and worst item by number."""

    task = forms.IntegerField(max_value=LARGEST_ID)
    attempt = forms.IntegerField(max_value=LARGEST_ID, required=False)
    best = forms.IntegerField(required=False)
    worst = forms.IntegerField(required=False)

    def answer(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {"task_id": given["task"], "attempt": given["attempt"] or 1} | {
            name: given[name] for name in ("best", "worst")
        }
