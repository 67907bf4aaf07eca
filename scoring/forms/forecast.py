"""The form of the planning aid."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Project
from annotation.planning.costs import Material
from scoring.domain.forecasts.costs import Wish, judged_by, supposed_seconds
from scoring.domain.monitoring.options import options_of
from scoring.domain.monitoring.pay import hourly_pay, pay_in_words
from scoring.models import State

MOST_ITEMS = 1_000_000
MOST_RUNS = 20
PAPER = "paper"
SUPPOSED_ITEMS, SUPPOSED_INCIDENTS = 500, 48


class ForecastForm(forms.Form):
    """The input of the planning aid; every field has an initial value."""

    learn_more = {
        "items": "other-settings#items-to-judge",
        "target": "other-settings#target-reliability",
        "seconds": "other-settings#seconds-per-judgment",
        "pay": "other-settings#pay-per-hour-and-platform-fee",
        "fee": "other-settings#pay-per-hour-and-platform-fee",
    }
    round = forms.ChoiceField(label=gettext_lazy("Round"))
    items = forms.IntegerField(
        label=gettext_lazy("Items to judge"),
        min_value=1,
        max_value=MOST_ITEMS,
        help_text=gettext_lazy("The cost is forecast for this number of items."),
    )
    basis = forms.ChoiceField(
        label=gettext_lazy("Variation between annotators"),
        help_text=gettext_lazy(
            "Taken from published judgments, or from a scoring run of this project, for example of a pilot."
        ),
    )
    target = forms.FloatField(
        label=gettext_lazy("Target reliability"),
        min_value=0.05,
        max_value=0.99,
        help_text=gettext_lazy(
            "Split-half reliability: Spearman’s correlation between the scores from two random halves of the judgments."
        ),
    )
    seconds = forms.FloatField(
        label=gettext_lazy("Seconds per judgment"),
        min_value=0.5,
        max_value=3600,
        help_text=gettext_lazy("Including reading, thinking and loading the screen."),
    )
    pay = forms.DecimalField(
        label=gettext_lazy("Pay per hour"), required=False, min_value=0, max_value=10_000, decimal_places=2
    )
    fee = forms.FloatField(
        label=gettext_lazy("Platform fee (%)"),
        required=False,
        min_value=0,
        max_value=200,
        help_text=gettext_lazy("What a crowd platform charges on top of the pay."),
    )

    def __init__(self, data: Any, *, project: Project) -> None:
        self.project = project
        self.runs = list(project.runs.filter(state=State.DONE).defer("results").order_by("-number")[:MOST_RUNS])
        rounds = project.protocol.rounds
        judged = ([round_ for round_ in rounds if judged_by(round_) > 1] or rounds)[-1]
        items, seconds = project.items.count() or SUPPOSED_ITEMS, supposed_seconds(project.protocol, judged)
        self.options = options_of(project)
        initial = {
            "round": judged.key,
            "items": items,
            "basis": PAPER,
            "target": 0.9,
            "seconds": seconds,
            "pay": hourly_pay(self.options, judged, self._material(items), seconds),
            "fee": 0,
        }
        super().__init__(data, initial=initial)
        self.fields["pay"].help_text = pay_in_words(self.options) or _("Without it, no cost is shown.")
        self.fields["round"].choices = [(round_.key, round_.title) for round_ in rounds]
        self.fields["basis"].choices = [
            (PAPER, _("Published judgments")),
            *[
                (str(run.number), _("Scoring run %(number)d of this project") % {"number": run.number})
                for run in self.runs
            ],
        ]

    def _material(self, items: int) -> Material:
        return Material(items=items, incidents=self.project.incidents.count() or SUPPOSED_INCIDENTS)

    def wish(self) -> Wish:
        """Return the request of the form, or the initial one."""
        values = self.cleaned_data if self.is_bound else self.initial
        return Wish(
            protocol=self.project.protocol,
            round=self.project.round(values["round"]),
            material=self._material(values["items"]),
            run=next((run for run in self.runs if str(run.number) == values["basis"]), None),
            target=values["target"],
            seconds=values["seconds"],
            pay=values.get("pay"),
            fee=Decimal(str(values.get("fee") or 0)) / 100,
            seed=self.project.seed,
        )
