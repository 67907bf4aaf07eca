"""The form of rehearsals."""

from django import forms
from django.utils.translation import gettext_lazy

LARGEST_SEED = 2**63 - 1


class RehearsalForm(forms.Form):
    """The number of simulated people in a copy of the project, and the random seed."""

    people = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1000,
        label=gettext_lazy("People of a round, at the most"),
        help_text=gettext_lazy("Empty for as many as the protocol asks for; a large project then takes some minutes."),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("The same seed gives the same simulated people."),
    )
