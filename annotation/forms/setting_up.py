"""Forms for setting up a project."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from annotation.domain.project.creation import RESERVED
from annotation.domain.project.protocol_files import LARGEST, LONGEST_PAGE
from annotation.models import Project
from annotation.models.project import KEY_PATTERN, LANGUAGE_PATTERN, author_names

LARGEST_SEED = 2**63 - 1


class BasicsForm(forms.Form):
    """The title, language and random seed of a project."""

    learn_more: Mapping[str, str] = {"seed": "other-settings#random-seed"}
    title = forms.CharField(
        max_length=200,
        label=_("Title"),
        help_text=_("Shown to annotators."),
        widget=forms.TextInput(attrs={"data-suggests": "id_project_key"}),
    )
    language = forms.RegexField(
        LANGUAGE_PATTERN,
        required=False,
        max_length=35,
        label=_("Language of the texts"),
        help_text=_("A language tag such as en, cs or ar-EG. Leave empty if the file has a language for each text."),
        error_messages={"invalid": _("This is not a language tag. Use a tag such as en, cs or ar-EG.")},
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        initial=0,
        label=_("Random seed"),
        help_text=_("With the same random seed the same items go to the same places."),
    )


class SettingsForm(BasicsForm):
    """The title, language and random seed of a project, and what its releases say about their origin."""

    authors = forms.CharField(
        required=False,
        max_length=LONGEST_PAGE,
        label=_("Authors of the data"),
        help_text=_("One per line, as “First Last” or “Last, First”. Used in data cards and citations."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    contact = forms.CharField(
        required=False,
        max_length=200,
        label=_("Contact"),
        help_text=_("A name or an email address for questions about the data. Published in every release."),
    )
    url = forms.URLField(
        required=False,
        max_length=200,
        assume_scheme="https",
        label=_("URL"),
        help_text=_("Web page of the data or the paper."),
    )
    pay = forms.CharField(
        required=False,
        max_length=200,
        label=_("Payment"),
        help_text=_("What annotators are paid, such as “9 euros”. Shown with the consent."),
    )
    contact_person = forms.CharField(
        required=False,
        max_length=200,
        label=_("Contact person for annotators"),
        help_text=_("Name and address are shown with the consent."),
    )
    contact_address = forms.CharField(
        required=False, max_length=200, label=_("Email address or phone number of the contact person")
    )
    ethics_approval = forms.CharField(
        required=False,
        max_length=300,
        label=_("Ethics approval"),
        help_text=_("The committee that approved the study, and the approval number."),
    )

    def clean_authors(self) -> str:
        return "\n".join(author_names(self.cleaned_data["authors"]))


class KeyForm(forms.Form):
    """The title and the key of a new project; an empty key is made from the title."""

    title = forms.CharField(
        max_length=200, label=_("Title"), widget=forms.TextInput(attrs={"data-suggests": "id_project_key"})
    )
    # Not “key”: that is the name of an answer's own key.
    project_key = forms.RegexField(
        KEY_PATTERN,
        required=False,
        max_length=50,
        label=_("Key"),
        help_text=_(
            "Used in URLs and file names: lowercase letters, digits and hyphens. Leave empty to create "
            "it from the title."
        ),
        error_messages={
            "invalid": _("Use lowercase letters, digits and hyphens only. The key can't start with a hyphen.")
        },
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_project_key(self) -> str:
        key = self.cleaned_data["project_key"] or suggested_key(self.cleaned_data.get("title", ""))
        if not key:
            raise forms.ValidationError(_("Enter a key: none can be created from this title."))
        if key in RESERVED or Project.objects.filter(key=key).exists():
            raise forms.ValidationError(_("The key “%(key)s” is already taken. Choose another key.") % {"key": key})
        return key


def suggested_key(title: str) -> str:
    """Return the title in small Latin letters, digits and hyphens; empty if nothing is left of it."""
    return slugify(title).replace("_", "-")[:50].strip("-")


class FileForm(KeyForm):
    """A protocol file, and the title and key of the project made from it."""

    file = forms.FileField(
        label=_("Protocol file"),
        help_text=_("You can download one on the “Set up” page of another project."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    field_order = ("file", "title", "project_key")

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError(
                _("The file is too large (%(size)s). The maximum is %(most)s.")
                % {"size": filesizeformat(file.size), "most": filesizeformat(LARGEST)}
            )
        return file.read()


class CopyForm(KeyForm):
    """A copy of a project."""

    texts = forms.BooleanField(required=False, label=_("Include items"))
    field_order = ("title", "project_key", "texts")


class PageForm(forms.Form):
    """A page in Markdown."""

    text = forms.CharField(
        required=False, max_length=LONGEST_PAGE, strip=False, widget=forms.Textarea(attrs={"rows": 18})
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
        label=_("Reason (optional, stored in the audit log)"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
