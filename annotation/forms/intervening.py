"""What managers do to people and to a running project; each asks for the reason, which the log keeps."""

import re
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.links import places_of
from annotation.domain.messaging import LONGEST
from annotation.domain.reopening import MOST_FURTHER
from annotation.models import Circular, Membership, Project
from annotation.protocols.spec import SelectionDesign

MOST_KEYS = 500
MOST_TICKED = 1000
LIKE_AN_ID = re.compile(r"[0-9]{1,18}")


class Moment(forms.DateTimeField):
    """A day and time in the person's own time zone."""

    def __init__(self, **kwargs: Any) -> None:
        picker = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=picker, **kwargs)


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=1000,
        label=_("Reason"),
        help_text=_("The log keeps it for ever: please name nobody in it."),
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
        help_text=_("It goes out by e-mail, and stands on their screen until they have read it."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )


class ErasureForm(ReasonForm):
    """That somebody is forgotten for good."""

    sure = forms.BooleanField(label=_("I know that this cannot be undone."))
    field_order = ("reason", "sure")


class CircularForm(MessageForm):
    """A message to many: who they are, what was shown of them, and a key by which a double click is known."""

    audience = forms.ChoiceField(label=_("To whom"))
    round = forms.ChoiceField(required=False, label=_("Round"))
    key = forms.UUIDField(widget=forms.HiddenInput)
    chosen = forms.CharField(required=False, max_length=20 * MOST_TICKED, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    field_order = ("audience", "round", "text", "key", "chosen", "seen")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ticked = self.data.get("chosen") or self.initial.get("chosen")
        known = Circular.Audience.choices
        self.fields["audience"].choices = [one for one in known if ticked or one[0] != Circular.Audience.CHOSEN]
        self.fields["round"].choices = [("", _("All")), *((one.key, one.title) for one in project.protocol.rounds)]

    def clean_chosen(self) -> list[int]:
        numbers = [number for number in self.cleaned_data["chosen"].split(",") if number]
        if len(numbers) > MOST_TICKED or not all(LIKE_AN_ID.fullmatch(number) for number in numbers):
            self.add_error(None, _("Please tick the people in the list again."))
            return []
        return [int(number) for number in numbers]

    def selection(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {"audience": given["audience"], "round_key": given["round"], "chosen": given["chosen"]}

    def show(self, mark: str) -> None:
        """The form comes back with the mark of the people who are shown beside it."""
        self.data = self.data.copy()
        self.data["seen"] = mark


class ShortenPauseForm(ReasonForm):
    until = Moment(initial=timezone.now, label=_("New end of the pause"), help_text=_("In your own time zone."))


class DeadlineForm(ReasonForm):
    due_at = Moment(
        required=False, label=_("To be finished by"), help_text=_("In your own time zone; empty for no such day.")
    )
    closes = forms.BooleanField(
        required=False,
        label=_("Show no new screen after that"),
        help_text=_("Without it the day is only shown, and people are reminded of it a day before."),
    )


class RoundDeadlineForm(DeadlineForm):
    round = forms.ChoiceField(label=_("Round"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].choices = [(one.key, one.title) for one in project.protocol.rounds]
        self.order_fields(["round", "due_at", "closes", "reason"])

    def request(self) -> dict[str, Any]:
        return {"round_key": self.cleaned_data["round"]} | {
            name: self.cleaned_data[name] for name in ("due_at", "closes", "reason")
        }


class KeysForm(ReasonForm):
    keys = forms.CharField(
        label=_("Items"),
        help_text=_("Their keys, separated by commas or line breaks."),
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )

    def clean_keys(self) -> list[str]:
        keys = [key.strip() for line in self.cleaned_data["keys"].splitlines() for key in line.split(",")]
        keys = list(dict.fromkeys(key for key in keys if key))
        if len(keys) > MOST_KEYS:
            raise forms.ValidationError(_("%(most)s items at once are the most.") % {"most": MOST_KEYS})
        return keys


class FurtherForm(KeysForm):
    """Further judgments of some items."""

    round = forms.ChoiceField(label=_("Round"))
    further = forms.IntegerField(
        min_value=1, max_value=MOST_FURTHER, initial=1, label=_("Further judgments of each item")
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judging = {one.key for one in project.protocol.rounds if not isinstance(one.design, SelectionDesign)}
        places = [(f"{key}/{pool}", title) for (key, pool), title in places_of(project).items() if key in judging]
        self.fields["round"].choices = places
        self.order_fields(["round", "keys", "further", "reason"])

    def request(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        round_key, _slash, pool = given.pop("round").partition("/")
        return {"round_key": round_key, "pool": pool} | given


class MemberForm(forms.Form):
    email = forms.EmailField(label=_("Email address"))
    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.MANAGER)


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Membership.Role.choices)


class DeletionForm(ReasonForm):
    typed = forms.CharField(label=_("The key of the project, typed in"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["typed", "reason"])


class LogFilterForm(forms.Form):
    """Which entries of the log; what cannot be read is taken for not given."""

    action = forms.ChoiceField(required=False, label=_("What"))
    person = forms.CharField(required=False, max_length=320, label=_("About whom"), help_text=_("Pseudonym or email."))
    actor = forms.ChoiceField(required=False, label=_("By whom"))
    since = forms.DateField(required=False, label=_("From"), widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label=_("To"), widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(
        self, *args: Any, actions: list[tuple[str, str]], actors: list[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        everything = ("", _("all"))
        self.fields["action"].choices = [everything, *actions]
        self.fields["actor"].choices = [everything, *actors]
