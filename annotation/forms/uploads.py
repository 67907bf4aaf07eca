"""Forms for the import of judgments that were collected elsewhere."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.corpora.elsewhere import PROGRAMS
from annotation.domain.material import Invalid, Repeated
from annotation.domain.material.elsewhere import OWN
from annotation.forms.importing import UploadForm
from annotation.models import Project

FORMATS = [
    ("", _("Recognize the format")),
    *((name, program.title) for name, program in PROGRAMS.items()),
    (OWN, _("Table with Semblance’s columns")),
]
INVALID = {
    Invalid.REFUSE: _("Refuse the file"),
    Invalid.DROP: _("Leave these rows out"),
    Invalid.KEEP: _("Import and count them"),
    Invalid.MARK: _("Import them without counting"),
}
REPEATED = {
    Repeated.REFUSE: _("Refuse the file"),
    Repeated.FIRST: _("Keep the first"),
    Repeated.LAST: _("Keep the last"),
    Repeated.KEEP: _("Keep all"),
}


class ReadingForm(forms.Form):
    """How a file of judgments is read."""

    format = forms.ChoiceField(required=False, choices=FORMATS, label=_("Format"))
    question = forms.CharField(
        required=False,
        max_length=200,
        label=_("Question"),
        help_text=_("Name of the question to import, if the export has several."),
    )


class JudgmentUploadForm(ReadingForm, UploadForm):
    """A file of judgments, and what to do with rows that no collection in Semblance would contain."""

    typed_in = "typed-in.csv"

    round = forms.ChoiceField(label=_("Round"), help_text=_("Of judgments for which the file names no round."))
    invalid = forms.ChoiceField(
        choices=list(INVALID.items()),
        label=_("Invalid choices"),
        help_text=_("An item twice in one tuple, or the same item as best and worst."),
    )
    repeated = forms.ChoiceField(
        choices=list(REPEATED.items()),
        label=_("Repeated judgments"),
        help_text=_("The same item or tuple judged again by the same person."),
    )
    again = forms.BooleanField(
        required=False,
        label=_("Import again"),
        help_text=_("Import the file even if it has been imported before."),
    )
    options = ("question", "round", "invalid", "repeated", "again")

    def __init__(self, *args: object, project: Project, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["file", "rows", "format", *self.options])
        self.fields["file"].help_text = _("An export (JSON, JSON Lines, CSV, TSV or ZIP) or a table, also in Excel.")
        self.fields["rows"].label = _("Or type rows")
        self.fields["rows"].help_text = _("The first line contains the column names.")
        rounds = [round_.key for round_ in project.protocol.rounds]
        self.fields["round"].choices = [(key, key) for key in rounds]
        if len(rounds) == 1:
            del self.fields["round"]
        if project.protocol.compares:
            return
        del self.fields["invalid"]
        self.fields["repeated"].choices = [(name, label) for name, label in REPEATED.items() if name != Repeated.KEEP]

    def job(self) -> dict[str, Any]:
        """Return how to read the file, as `request_upload` takes it."""
        cleaned = self.cleaned_data
        options = {name: cleaned[name] for name in self.options if name in cleaned}
        return {"format_": cleaned["format"]} | options
