"""Forms for answers to screens, for practice tasks, and for leaving."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.domain.judgment.answers import Answer, Choice, Timing
from annotation.domain.judgment.selected_pairs import Pick
from annotation.models import Inversion

LONGEST_ID = 19  # digits; more are no id of ours
LARGEST_ID = 2**63 - 1
TIMES = ("touched_ms", "answered_ms", "active_ms", "adjustments")


class AnswerForm:
    """The common part of all answers: the screen, the key of this sending, and the browser's times.

    It is read here and not by a form of Django's, which takes a twentieth of the time of an answer to be made.
    """

    def __init__(self, data: QueryDict) -> None:
        self.data = data
        self.assignment = self._id("assignment")
        self.key = read_key(data.get("key", ""))

    def is_valid(self) -> bool:
        return self.assignment is not None and self.key is not None

    def answer(self, *, goes_on: bool = False) -> Answer:
        """Return the answer of a valid form. An unreadable time is ignored: it is not worth losing an answer for."""
        return Answer(
            self.assignment,
            self.key,
            Timing.believable(**{name: self._id(name) for name in TIMES}),
            again=bool(self.data.get("again")),
            goes_on=goes_on,
            inversion=self.data["inversion"] if self.data.get("inversion") in Inversion else "",
        )

    def value(self) -> str:
        return self.data.get("value", "")

    def choice(self) -> Choice:
        """Return the choice of best and worst, with None for an improper one."""
        return Choice(self._id("best"), self._id("worst"), "hard_to_say" in self.data)

    def _id(self, name: str) -> int | None:
        text = self.data.get(name, "").strip()
        return int(text) if text.isdecimal() and len(text) < LONGEST_ID else None

    def picks(self, roles: list[str]) -> dict[str, Pick]:
        """Return the chosen sentences by role, without roles that have no proper choice."""
        chosen = {role: self.data.get(f"pick-{role}", "") for role in roles}
        return {
            role: Pick(int(sentence), self.data.get(f"value-{role}", ""))
            for role, sentence in chosen.items()
            if sentence.isdecimal() and len(sentence) < LONGEST_ID
        }


def read_key(text: str) -> UUID | None:
    """Return the key of a sending; None for a text that is none."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None


class LeaveForm(forms.Form):
    reason = forms.CharField(
        required=False,
        max_length=1000,
        label=_("Why are you leaving? (optional)"),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class PracticeAnswerForm(forms.Form):
    """A practice or check task, the attempt at it, and its best and worst item by number."""

    task = forms.IntegerField(max_value=LARGEST_ID)
    attempt = forms.IntegerField(max_value=LARGEST_ID, required=False)
    best = forms.IntegerField(required=False)
    worst = forms.IntegerField(required=False)

    def answer(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {"task_id": cleaned["task"], "attempt": cleaned["attempt"] or 1} | {
            name: cleaned[name] for name in ("best", "worst")
        }
