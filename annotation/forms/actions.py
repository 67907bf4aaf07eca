"""Forms of managers' actions on people and on a running project; most require a reason for the log."""

import re
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.judgment.extra_judgments import MOST_FURTHER
from annotation.domain.messages.messages import LONGEST
from annotation.domain.participation.waves import MOST_FURTHER as MOST_OF_WAVE
from annotation.domain.recruiting.links import places_of
from annotation.domain.recruiting.mailings import sends_email
from annotation.forms.moments import Moment
from annotation.models import Broadcast, Membership, Project

MOST_KEYS = 500
MOST_TICKED = 1000
LIKE_AN_ID = re.compile(r"[0-9]{1,18}")


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=1000,
        label=_("Reason"),
        help_text=_("Stored permanently in the audit log. Do not include names."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    field_order: list[str] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "reason"])


class MessageForm(forms.Form):
    text = forms.CharField(
        max_length=LONGEST,
        label=_("Message"),
        help_text=_("Sent by email and shown on their pages until they have read it."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not sends_email():
            self.fields["text"].help_text = _("Shown on their pages until they have read it.")


class ErasureForm(ReasonForm):
    """Confirmation that a person's data are erased for good."""

    sure = forms.BooleanField(label=_("I understand that this cannot be undone."))
    field_order = ("reason", "sure")


class BroadcastForm(MessageForm):
    """A message to many people: its audience, the mark of those shown, and a key that detects a double click."""

    audience = forms.ChoiceField(label=_("Recipients"))
    round = forms.ChoiceField(required=False, label=_("Round"))
    key = forms.UUIDField(widget=forms.HiddenInput)
    chosen = forms.CharField(required=False, max_length=20 * MOST_TICKED, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    field_order = ("audience", "round", "text", "key", "chosen", "seen")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ticked = self.data.get("chosen") or self.initial.get("chosen")
        known = Broadcast.Audience.choices
        self.fields["audience"].choices = [pair for pair in known if ticked or pair[0] != Broadcast.Audience.CHOSEN]
        rounds = [(round_.key, round_.title) for round_ in project.protocol.rounds]
        self.fields["round"].choices = [("", _("All")), *rounds]

    def clean_chosen(self) -> list[int]:
        numbers = [number for number in self.cleaned_data["chosen"].split(",") if number]
        if len(numbers) > MOST_TICKED or not all(LIKE_AN_ID.fullmatch(number) for number in numbers):
            self.add_error(None, _("Select the people in the list again."))
            return []
        return [int(number) for number in numbers]

    def selection(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {"audience": cleaned["audience"], "round_key": cleaned["round"], "chosen": cleaned["chosen"]}

    def show(self, mark: str) -> None:
        """Store the mark of the recipients that are shown with the form."""
        self.data = self.data.copy()
        self.data["seen"] = mark


class ShortenPauseForm(ReasonForm):
    until = Moment(initial=timezone.now, label=_("New end of the pause"), help_text=_("In your time zone."))


class DeadlineForm(ReasonForm):
    due_at = Moment(required=False, label=_("Deadline"), help_text=_("In your time zone. Leave empty for no deadline."))
    closes = forms.BooleanField(
        required=False,
        label=_("Stop after the deadline"),
        help_text=_(
            "No new screens are shown after the deadline. Otherwise the deadline is only shown, with a "
            "reminder one day before."
        ),
    )


class RoundDeadlineForm(DeadlineForm):
    round = forms.ChoiceField(label=_("Round"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].choices = [(round_.key, round_.title) for round_ in project.protocol.rounds]
        self.order_fields(["round", "due_at", "closes", "reason"])

    def request(self) -> dict[str, Any]:
        cleaned = dict(self.cleaned_data)
        return {"round_key": cleaned.pop("round")} | cleaned


class KeysForm(ReasonForm):
    keys = forms.CharField(
        label=_("Items"),
        help_text=_("Item IDs, separated by commas or line breaks."),
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )

    def clean_keys(self) -> list[str]:
        keys = [key.strip() for line in self.cleaned_data["keys"].splitlines() for key in line.split(",")]
        keys = list(dict.fromkeys(key for key in keys if key))
        if len(keys) > MOST_KEYS:
            raise forms.ValidationError(_("Enter up to %(most)s items at once.") % {"most": MOST_KEYS})
        return keys


class FurtherForm(KeysForm):
    """Further judgments of some items."""

    learn_more = {"further": "other-settings#additional-judgments"}
    round = forms.ChoiceField(label=_("Round"))
    further = forms.IntegerField(
        min_value=1,
        max_value=MOST_FURTHER,
        initial=1,
        label=_("Additional judgments per item"),
        help_text=_("On top of the number in the protocol, for each of the items."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judging = {round_.key for round_ in project.protocol.rounds if not round_.design.selects}
        places = [(f"{key}/{pool}", title) for (key, pool), title in places_of(project).items() if key in judging]
        self.fields["round"].choices = places
        self.order_fields(["round", "keys", "further", "reason"])

    def request(self) -> dict[str, Any]:
        cleaned = dict(self.cleaned_data)
        round_key, _slash, pool = cleaned.pop("round").partition("/")
        return {"round_key": round_key, "pool": pool} | cleaned


class StopRoundForm(ReasonForm):
    """A round in waves."""

    round = forms.ChoiceField(label=_("Round"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rounds = [(round_.key, round_.title) for round_ in project.protocol.rounds if round_.design.in_waves]
        self.fields["round"].choices = rounds
        self.order_fields(["round", "further", "reason"])

    def request(self) -> dict[str, Any]:
        cleaned = dict(self.cleaned_data)
        return {"round_key": cleaned.pop("round")} | cleaned


class ContinueRoundForm(StopRoundForm):
    """Another wave of a round that has ended."""

    learn_more = {"further": "stopping#stop-or-continue-manually"}
    further = forms.IntegerField(
        min_value=1,
        max_value=MOST_OF_WAVE,
        initial=100,
        label=_("Judgments"),
        help_text=_("They go to the items with the least precise scores, in addition to the budget."),
    )


class MemberForm(forms.Form):
    email = forms.EmailField(label=_("Email address"))
    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.MANAGER)


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Membership.Role.choices)


class DeletionForm(ReasonForm):
    typed = forms.CharField(label=_("Type the project's key to confirm"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["typed", "reason"])


class LogFilterForm(forms.Form):
    """Filters of the log; an unreadable filter is ignored."""

    action = forms.ChoiceField(required=False, label=_("Action"))
    person = forms.CharField(required=False, max_length=320, label=_("Annotator"), help_text=_("Pseudonym or email."))
    actor = forms.ChoiceField(required=False, label=_("By"))
    since = forms.DateField(required=False, label=_("From"), widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label=_("To"), widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(
        self, *args: Any, actions: list[tuple[str, str]], actors: list[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        everything = ("", _("All"))
        self.fields["action"].choices = [everything, *actions]
        self.fields["actor"].choices = [everything, *actors]
