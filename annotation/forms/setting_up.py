"""What comes in from the pages on which a project is set up."""

from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.projects import RESERVED
from annotation.domain.protocol_files import LARGEST, LONGEST_PAGE
from annotation.models import Project
from annotation.models.project import KEY_PATTERN, LANGUAGE_PATTERN

LARGEST_SEED = 2**63 - 1


class BasicsForm(forms.Form):
    """What a project is called, and where chance begins."""

    title = forms.CharField(
        max_length=200,
        label=gettext_lazy("Title"),
        help_text=gettext_lazy("Annotators see it."),
        widget=forms.TextInput(attrs={"data-suggests": "id_project_key"}),
    )
    language = forms.RegexField(
        LANGUAGE_PATTERN,
        required=False,
        max_length=35,
        label=gettext_lazy("Language of the texts"),
        help_text=gettext_lazy("A tag such as en, cs or ar-EG; empty if the texts bring their own."),
        error_messages={"invalid": gettext_lazy("This is no language tag; write en, cs or ar-EG, for instance.")},
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        initial=0,
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("Where chance begins: the same seed deals the same texts to the same places."),
    )


class KeyForm(forms.Form):
    """The key of a new project, which stands in its addresses; left empty it is made from the title."""

    # Not “key”: that is the name of an answer's own key.
    project_key = forms.RegexField(
        KEY_PATTERN,
        required=False,
        max_length=50,
        label=gettext_lazy("Key"),
        help_text=gettext_lazy(
            "Stands in addresses and files: small letters, digits and hyphens. Left empty, it is made from the title."
        ),
        error_messages={"invalid": gettext_lazy("Small letters, digits and hyphens only, no hyphen first.")},
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_project_key(self) -> str:
        key = self.cleaned_data["project_key"] or suggested_key(self.cleaned_data.get("title", ""))
        if not key:
            raise forms.ValidationError(_("Please write a key: none can be made from this title."))
        if key in RESERVED or Project.objects.filter(key=key).exists():
            raise forms.ValidationError(_("The key “%(key)s” is taken; please choose another one.") % {"key": key})
        return key


def suggested_key(title: str) -> str:
    """A title in small Latin letters, digits and hyphens; empty if nothing is left of it."""
    return slugify(title).replace("_", "-")[:50].strip("-")


class FileForm(KeyForm):
    """A protocol's file, and what the project made from it is called."""

    file = forms.FileField(
        label=gettext_lazy("File of a protocol"),
        help_text=gettext_lazy("Another project's page “Set up” gives one."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    title = forms.CharField(
        max_length=200, label=gettext_lazy("Title"), widget=forms.TextInput(attrs={"data-suggests": "id_project_key"})
    )
    field_order = ("file", "title", "project_key")

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError(
                _("The file has %(size)s; %(most)s is the most.")
                % {"size": filesizeformat(file.size), "most": filesizeformat(LARGEST)}
            )
        return file.read()


class CopyForm(KeyForm):
    """A copy of a project."""

    title = forms.CharField(
        max_length=200, label=gettext_lazy("Title"), widget=forms.TextInput(attrs={"data-suggests": "id_project_key"})
    )
    texts = forms.BooleanField(required=False, label=gettext_lazy("With the texts"))
    field_order = ("title", "project_key", "texts")


class PageForm(forms.Form):
    """A page in Markdown."""

    text = forms.CharField(
        required=False,
        max_length=LONGEST_PAGE,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
    )

    def __init__(self, *args: Any, label: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = label

    def clean_text(self) -> str:
        return self.cleaned_data["text"].replace("\r\n", "\n")


class CloseForm(forms.Form):
    reason = forms.CharField(
        required=False,
        max_length=1000,
        label=gettext_lazy("Why? (optional; the log keeps it)"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
