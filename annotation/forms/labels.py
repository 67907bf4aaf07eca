"""The known label of a pair."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.actions import ReasonForm
from annotation.models import Project

LABELS = {"similar": True, "dissimilar": False, "none": None}


class LabelForm(ReasonForm):
    """A label and the ID of its item; the reason is only asked for after the launch."""

    item = forms.CharField(max_length=250, label=_("Item ID"))
    label = forms.ChoiceField(
        label=_("Known label"),
        choices=[("similar", _("Similar")), ("dissimilar", _("Dissimilar")), ("none", _("No label"))],
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if project.draft:
            del self.fields["reason"]

    def change(self) -> dict[str, Any]:
        """Return what is to change, as `set_label` takes it."""
        sent = self.cleaned_data
        return {"key": sent["item"], "label": LABELS[sent["label"]], "reason": sent.get("reason", "")}
