"""The form of the monitoring options: limits of the flags, and pay."""

from dataclasses import fields

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import MonitoringOptions
from scoring.stats.limits import Thresholds

PAY = ("pay", "pay_for", "currency", "least_pay", "budget")
LIMITS = tuple(one.name for one in fields(Thresholds))


class WatchForm(forms.ModelForm):
    """Limits and pay; shares are numbers from 0 to 1, as everywhere in a project's settings."""

    class Meta:
        model = MonitoringOptions
        fields = (*PAY, *LIMITS)
        labels = {
            "pay": _("Pay"),
            "pay_for": _("Paid for"),
            "currency": _("Currency"),
            "least_pay": _("Least pay for an hour"),
            "budget": _("Budget"),
            "false_alarms": _("False-alarm rate"),
            "least_answers": _("Fewest answers to judge by"),
            "median_seconds": _("Seconds an item"),
            "quick_share": _("Share of answers under a second an item"),
            "longest_run": _("Same value in a row"),
            "position_share": _("Share of one place on the screen"),
            "contradictions": _("Share against known labels"),
            "practice_right": _("Share right in practice and check"),
            "calibration_distance": _("Distance from the expected ratings"),
            "repeat_distance": _("Distance from one's own ratings"),
            "agreement": _("Agreement with the others"),
        }
        help_texts = {
            "pay": _("Optional. With it, the page tells what was spent and what an hour came to."),
            "currency": _("Three letters, such as EUR or CZK."),
            "least_pay": _("Optional. The page warns when an hour of active time comes to less."),
            "budget": _("Optional. Managers are emailed when the cost of all rounds reaches it."),
            "false_alarms": _(
                "Share of rounds in which chance alone raises a flag of one kind, whatever the number of people."
            ),
            "least_answers": _("Who has given fewer is not flagged for speed, straight lines, labels or agreement."),
            "median_seconds": _("A flag when half of the answers took less. A tuple of four counts four items."),
            "quick_share": _("A flag when more of the answers, from 0 to 1, were that quick."),
            "longest_run": _("A flag from so many on, where others vary more."),
            "position_share": _("A flag from this share of the choices on, from 0 to 1."),
            "contradictions": _("A flag above this share, from 0 to 1. The DSCS paper has 0.8."),
            "practice_right": _("A flag below this share of right first answers, from 0 to 1."),
            "calibration_distance": _("A flag above this share of the scale's length, from 0 to 1."),
            "repeat_distance": _("A flag above this share of the scale's length, from 0 to 1."),
            "agreement": _("A flag below this correlation, or agreement above chance, from -1 to 1."),
        }

    def clean_currency(self) -> str:
        return self.cleaned_data["currency"].upper()

    @property
    def of_pay(self) -> list[forms.BoundField]:
        return [self[name] for name in PAY]

    @property
    def of_flags(self) -> list[forms.BoundField]:
        return [self[name] for name in LIMITS]
