"""The forms of uploads to archives: where to, and the token for it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import DataArchive


class UploadForm(forms.Form):
    """The archive of an upload, and the repository where it has one."""

    archive = forms.ChoiceField(label=_("Upload to"), choices=DataArchive.choices)
    name = forms.CharField(
        label=_("Repository on Hugging Face"),
        help_text=_("Owner and name, for example my-lab/similar-sentences. Zenodo needs no name."),
        max_length=200,
        required=False,
    )


class ArchiveTokenForm(forms.Form):
    """A token for an archive; an empty one removes it."""

    archive = forms.ChoiceField(label=_("Token for"), choices=DataArchive.choices)
    token = forms.CharField(
        label=_("Token"),
        help_text=_(
            "Hugging Face: a token with write access. Zenodo: a token with deposit:write and deposit:actions. It is "
            "stored encrypted and is not shown again. To remove it, save an empty field."
        ),
        max_length=500,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}, render_value=False),
    )
