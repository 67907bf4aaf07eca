"""Forms for imports of items and practice tasks, and for the decision about what was found."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from annotation.corpora.pairing.deduplication import LOWEST
from annotation.domain.material.building import DUPLICATE_THRESHOLD, LIMITS, NAMED
from annotation.domain.material.wording import found_kinds

MOST_PAIRS = 100_000  # by one heuristic
MOST_WORDS = 10_000  # in a sentence


class UploadForm(forms.Form):
    """A file, or its lines typed or pasted in."""

    typed_in = "typed-in"

    file = forms.FileField(required=False, label=_("File"))
    rows = forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}))

    def clean_file(self) -> UploadedFile | None:
        file = self.cleaned_data["file"]
        if file and file.size > settings.UPLOAD_MAX_BYTES:
            raise forms.ValidationError(
                _("The file is too large (%(size)s). The maximum is %(most)s.")
                % {"size": filesizeformat(file.size), "most": filesizeformat(settings.UPLOAD_MAX_BYTES)}
            )
        return file

    def clean(self) -> dict:
        cleaned = super().clean()
        if "file" not in self.errors and bool(cleaned.get("file")) == bool(cleaned.get("rows", "").strip()):
            raise forms.ValidationError(_("Either choose a file or type rows."))
        return cleaned

    def content(self) -> File:
        return self.cleaned_data["file"] or ContentFile(self.cleaned_data["rows"].encode(), self.typed_in)


class ImportForm(UploadForm):
    """Items to import, at once or after a check of their texts."""

    typed_in = "typed-in.csv"

    check_texts = forms.BooleanField(
        required=False,
        initial=True,
        label=_("Check the texts before importing"),
        help_text=_(
            "Shows the first item as an annotator would see it, and duplicates, broken characters, email addresses, "
            "user names and more, before anything is imported."
        ),
    )
    expletives = forms.CharField(
        required=False,
        label=_("Unwanted words"),
        help_text=_("One per line. The check looks for them; for English a list of expletives is built in."),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = _("Excel (.xlsx), CSV, TSV or JSON Lines.")
        self.fields["rows"].label = _("Or type rows")
        self.fields["rows"].help_text = _("The first line contains the column names.")

    def job(self) -> dict[str, Any]:
        words = [line.strip() for line in self.cleaned_data["expletives"].splitlines() if line.strip()]
        return {"check_texts": self.cleaned_data["check_texts"], "expletives": words}


def _words_in_a_sentence(label: str) -> forms.IntegerField:
    help_text = _("Empty = no limit.")
    return forms.IntegerField(required=False, min_value=1, max_value=MOST_WORDS, label=label, help_text=help_text)


class CorpusForm(UploadForm):
    """A corpus, and the number of pairs to build from it by each heuristic (SemRel2024 3.1.1)."""

    learn_more = {
        **dict.fromkeys(NAMED, "other-settings#pairs-by-heuristic"),
        **dict.fromkeys(("shortest", "longest"), "other-settings#length-of-sentences"),
        "duplicate_threshold": "other-settings#near-duplicates",
        "uses": "other-settings#pairs-per-sentence",
        "seed": "other-settings#random-seed",
    }

    shortest = _words_in_a_sentence(_("Minimum words in a sentence"))
    longest = _words_in_a_sentence(_("Maximum words in a sentence"))
    duplicate_threshold = forms.FloatField(
        required=False,
        min_value=LOWEST,
        max_value=1,
        initial=DUPLICATE_THRESHOLD,
        label=_("Near-duplicate threshold"),
        help_text=_(
            "If sentences share at least this much of their character trigrams (Dice coefficient, 0.8 to "
            "1), only one of them is kept. Empty = keep all. Does not affect ready pairs and pairs of "
            "near-duplicates."
        ),
    )
    uses = forms.IntegerField(
        min_value=1,
        max_value=MOST_PAIRS,
        initial=1,
        label=_("Maximum pairs per sentence"),
        help_text=_("1 = no sentence is in two pairs."),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**63 - 1,
        initial=0,
        label=_("Random seed"),
        help_text=_("The same seed gives the same pairs."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = _(
            "One sentence per line, or CSV, TSV or JSON Lines with a column “text” or with ready pairs. UTF-8."
        )
        self.fields["rows"].label = _("Or type sentences")
        for name, (_heuristic, title) in NAMED.items():
            self.fields[name] = forms.IntegerField(
                required=False,
                min_value=0,
                max_value=MOST_PAIRS,
                label=_("Pairs: %(title)s") % {"title": title},
                help_text=_("Number of pairs to build this way. Empty = none."),
            )
        self.order_fields(["file", "rows", *NAMED])

    def clean(self) -> dict:
        cleaned = super().clean()
        shortest, longest = (cleaned.get(name) for name in ("shortest", "longest"))
        if shortest and longest and shortest > longest:
            self.add_error("longest", _("The maximum must not be less than the minimum."))
        if not self.errors and not any(cleaned[name] for name in NAMED):
            raise forms.ValidationError(_("Enter a number of pairs for at least one method."))
        return cleaned

    def job(self) -> dict[str, Any]:
        return {"mix": {name: self.cleaned_data[name] or 0 for name in (*NAMED, *LIMITS, "uses", "seed")}}


class ConsentToImportForm(forms.Form):
    """The decision about an import that needs an answer, with the changes agreed to."""

    answer = forms.ChoiceField(choices=[(name, name) for name in ("change", "as it is", "discard")])
    kinds = forms.MultipleChoiceField(required=False)

    def __init__(self, *args: object, findings: dict[str, Any], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        found = found_kinds(findings)
        self.fields["kinds"].choices = [(each.kind.value, each.wording.found) for each in found if each.wording.consent]

    def clean(self) -> dict:
        cleaned = super().clean()
        if cleaned.get("answer") == "change" and not self.errors and not cleaned["kinds"]:
            raise forms.ValidationError(_("Select at least one change, or import the file unchanged."))
        return cleaned

    def kinds_agreed(self) -> list[str]:
        return self.cleaned_data["kinds"] if self.cleaned_data["answer"] == "change" else []


class LayoutForm(forms.Form):
    """How a file is to be read: its encoding, and which of its columns is which."""

    NUMBERS = "(numbers)"

    def __init__(self, *args: object, layout: dict[str, Any], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.layout = layout
        if layout["encodings"]:
            choices = [(one["encoding"], one["encoding"]) for one in layout["encodings"]]
            self.fields["encoding"] = forms.ChoiceField(choices=choices, initial=choices[0][0], label=_("Encoding"))
        if layout["columns"]:
            self._add_columns(**layout["columns"])

    def _add_columns(self, found: list[str], wanted: list[str], guess: dict[str, str], rows: object) -> None:
        present = [(name, name) for name in found if name]
        for name, guessed in guess.items():
            needed = name in wanted
            first = [(self.NUMBERS, _("Number the rows"))] if name == "id" else [("", "–")]
            self.fields[f"column-{name}"] = forms.ChoiceField(
                choices=first + present,
                required=needed,
                initial=guessed or first[0][0],
                label=_("Column for “%(name)s”") % {"name": name},
                help_text="" if needed else _("Optional"),
            )

    def clean(self) -> dict:
        cleaned = super().clean()
        taken = [value for name, value in cleaned.items() if name.startswith("column-") and value]
        if len(set(taken)) < len(taken):
            raise forms.ValidationError(_("Each column of the file can be used once."))
        return cleaned

    def answer(self) -> dict[str, Any]:
        """Return the encoding and the columns, as `read_as` takes them."""
        columns = {
            "" if value == self.NUMBERS else value: name.removeprefix("column-")
            for name, value in self.cleaned_data.items()
            if name.startswith("column-") and value
        }
        return {"encoding": self.cleaned_data.get("encoding", ""), "columns": columns}


class PracticeSetForm(UploadForm):
    """Examples, practice and check tasks to import."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = _("JSON Lines in UTF-8. For pairs also CSV or TSV.")
        self.fields["rows"].label = _("Or type lines")
