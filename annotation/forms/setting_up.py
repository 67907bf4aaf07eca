"""Forms for setting up a project."""

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

    title = forms.CharField(
        max_length=200,
        label=_("Title"),
        help_text=_("Annotators see it."),
        widget=forms.TextInput(attrs={"data-suggests": "id_project_key"}),
    )
    language = forms.RegexField(
        LANGUAGE_PATTERN,
        required=False,
        max_length=35,
        label=_("Language of the texts"),
        help_text=_("A tag such as en, cs or ar-EG; empty if the texts bring their own."),
        error_messages={"invalid": _("This is no language tag; write en, cs or ar-EG, for instance.")},
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        initial=0,
        label=_("Seed"),
        help_text=_("Where chance begins: the same seed deals the same texts to the same places."),
    )


class SettingsForm(BasicsForm):
    """The title, language and random seed of a project, and what its releases say about their origin."""

    authors = forms.CharField(
        required=False,
        max_length=LONGEST_PAGE,
        label=_("Authors of the data"),
        help_text=_("One on each line, as “First Last” or “Last, First”. Data cards and citations name them."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    contact = forms.CharField(
        required=False,
        max_length=200,
        label=_("Contact"),
        help_text=_("A name or an e-mail address for questions about the data. It is published in every release."),
    )
    url = forms.URLField(
        required=False,
        max_length=200,
        assume_scheme="https",
        label=_("URL"),
        help_text=_("The web page of the data or of the paper."),
    )
    pay = forms.CharField(
        required=False,
        max_length=200,
        label=_("Payment"),
        help_text=_("What people get for taking part, such as “9 euros”. They read it before they agree."),
    )
    contact_person = forms.CharField(
        required=False,
        max_length=200,
        label=_("Contact person for people who take part"),
        help_text=_("They read the name and the address before they agree."),
    )
    contact_address = forms.CharField(
        required=False, max_length=200, label=_("E-mail address or telephone number of the contact person")
    )
    ethics_approval = forms.CharField(
        required=False,
        max_length=300,
        label=_("Ethics approval"),
        help_text=_("The committee that approved the study, and the number of the approval."),
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
            "Stands in addresses and files: small letters, digits and hyphens. Left empty, it is made from the title."
        ),
        error_messages={"invalid": _("Small letters, digits and hyphens only, no hyphen first.")},
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
    """Return the title in small Latin letters, digits and hyphens; empty if nothing is left of it."""
    return slugify(title).replace("_", "-")[:50].strip("-")


class FileForm(KeyForm):
    """A protocol file, and the title and key of the project made from it."""

    file = forms.FileField(
        label=_("File of a protocol"),
        help_text=_("Another project's page “Set up” gives one."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
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

    texts = forms.BooleanField(required=False, label=_("With the texts"))
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
        label=_("Why? (optional; the log keeps it)"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
