"""The form of rehearsals."""

from django import forms
from django.utils.translation import gettext_lazy

LARGEST_SEED = 2**63 - 1


class RehearsalForm(forms.Form):
    """The number of simulated people in a copy of the project, and the random seed."""

    learn_more = {"people": "other-settings#simulated-annotators", "seed": "other-settings#random-seed"}
    people = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1000,
        label=gettext_lazy("Maximum annotators per round"),
        help_text=gettext_lazy(
            "Leave empty to use the number in the protocol; a large project then takes several minutes."
        ),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("The same seed gives the same simulated annotators."),
    )
