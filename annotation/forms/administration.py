"""Actions of the administration pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.protocols.settings import setting_names, written


class ChangeNumbersForm(forms.Form):
    """Every number of a project's protocol, until the first place is planned."""

    def __init__(self, *args: object, project: Project, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.present = {name: written(value) for name, value in setting_names(project.protocol).items()}
        for name, value in self.present.items():
            self.fields[name] = forms.CharField(label=name, initial=value)

    def request(self) -> dict[str, Any]:
        changed = {name: value for name, value in self.cleaned_data.items() if value != self.present[name]}
        return {"changes": changed}

    def told(self, project: Project) -> str:
        return f"The protocol of “{project}” has the new numbers. Plan its rounds now, or again."


class ExcludeForm(forms.Form):
    reason = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), help_text=_("The log keeps it."))


class ShortenForm(ExcludeForm):
    until = forms.DateTimeField(help_text=_("The new end of the pause, in your time zone: YYYY-MM-DD HH:MM."))
