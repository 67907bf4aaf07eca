"""A date and time in a form."""

from datetime import datetime
from typing import Any

from django import forms

from annotation.domain.moments import in_every_zone


class Moment(forms.DateTimeField):
    """A day and time in the person's own time zone."""

    def __init__(self, **kwargs: Any) -> None:
        picker = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=picker, **kwargs)

    def validate(self, value: datetime | None) -> None:
        super().validate(value)
        if value and not in_every_zone(value):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
