"""The filters of the tables of items and answers; a filter that cannot be read is ignored."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from scoring.domain.monitoring.answers import COUNTS, REASONS
from scoring.domain.monitoring.item_table import DISPUTED, ItemState, Part, languages_of, parts_of

FIRST_DAY = date(1, 1, 2)
LONGEST = 320


class FilterForm(forms.Form):
    """Filters in the address of a page: those that are given and valid."""

    def chosen(self) -> dict[str, Any]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value} if self.is_bound else {}


class ItemFilterForm(FilterForm):
    find = forms.CharField(
        required=False, max_length=LONGEST, label=_("Search"), help_text=_("ID or words from a text")
    )
    part = forms.ChoiceField(required=False, label=_("Judged in"))
    state = forms.ChoiceField(required=False, label=_("State"))
    language = forms.ChoiceField(required=False, label=_("Language"))
    source = forms.CharField(required=False, max_length=LONGEST, label=_("Source"))
    sort = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="%s", **kwargs)
        self.parts = parts_of(project)
        disputed = (DISPUTED, _("Disputed"))
        self.fields["state"].choices = [("", _("All")), *ItemState.choices, disputed]
        self.fields["part"].choices = [(part.key, _title(part)) for part in self.parts]
        languages = languages_of(project)
        self.fields["language"].choices = [("", _("All")), *((tag, tag) for tag in languages)]
        if len(self.parts) < 2:
            del self.fields["part"]
        if len(languages) < 2:
            del self.fields["language"]

    def part_chosen(self) -> Part:
        """Return the round and context whose figures are shown."""
        key = self.chosen().get("part", "")
        return next((part for part in self.parts if part.key == key), self.parts[0])


def _title(part: Part) -> str:
    contexts = {"free": _("without context"), "dependent": _("with context")}
    return f"{part.title}, {contexts[part.context]}" if part.several else part.title


class AnswerFilterForm(FilterForm):
    person = forms.CharField(required=False, max_length=LONGEST, label=_("Annotator"))
    item = forms.CharField(required=False, max_length=250, label=_("Item"), help_text=_("Item ID"))
    round = forms.ChoiceField(required=False, label=_("Round"))
    counts = forms.ChoiceField(required=False, label=_("Counted"))
    since = forms.DateField(required=False, label=_("From"), widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="%s", **kwargs)
        rounds = [(round_.key, round_.title) for round_ in project.protocol.rounds]
        self.fields["round"].choices = [("", _("All")), *rounds]
        reasons = [(str(reason), title) for reason, title in REASONS.items()]
        not_counted = (_("Reason not counted"), reasons)
        self.fields["counts"].choices = [("", _("All")), (COUNTS, _("Counted")), not_counted]

    def wanted(self) -> dict[str, Any]:
        """Return the filters as `answers_of` takes them."""
        chosen = self.chosen()
        since = chosen.pop("since", None)
        if since:
            day = max(since, FIRST_DAY)
            chosen["since"] = timezone.make_aware(datetime.combine(day, time.min))
        return {"round_key" if name == "round" else name: value for name, value in chosen.items()}
