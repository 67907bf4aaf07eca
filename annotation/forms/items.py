"""The texts of an item, edited on a page by the rules of imported files."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.material.editing import EDITED, TEXTS
from annotation.domain.material.values import LONGEST_TEXT
from annotation.forms.actions import ReasonForm
from annotation.models import Item

LABELS = {
    "sentence1": _("First text"),
    "sentence2": _("Second text"),
    "context1": _("First text with its context"),
    "context2": _("Second text with its context"),
    "language": _("Language"),
    "source": _("Source"),
}
MARKS = _("Mark the sentence with <sent> and </sent>.")


class ItemForm(forms.Form):
    def __init__(self, *args: Any, item: Item, **kwargs: Any) -> None:
        super().__init__(*args, initial={name: getattr(item, name) for name in EDITED}, **kwargs)
        single = not item.sentence2
        for name in EDITED:
            if single and name in ("sentence2", "context1", "context2"):
                continue
            if name.startswith("context") and not (item.project.protocol.in_context or getattr(item, name)):
                continue
            self.fields[name] = self._field(name, _("Text") if single and name == "sentence1" else LABELS[name])
        if item.group_id:
            self.fields["sentence1"].disabled = True  # the last turn of the dialogue
        self.order_fields([*EDITED, "again", "reason"])

    def _field(self, name: str, label: Any) -> forms.CharField:
        if name not in TEXTS:
            return forms.CharField(required=False, max_length=200, label=label)
        help_text = MARKS if name.startswith("context") else ""
        widget = forms.Textarea(attrs={"rows": 3, "dir": "auto"})
        return forms.CharField(required=False, max_length=LONGEST_TEXT, label=label, help_text=help_text, widget=widget)


class ReplacementForm(ItemForm, ReasonForm):
    again = forms.BooleanField(
        required=False, initial=True, label=_("Request new judgments to replace the lost ones"), help_text=""
    )
