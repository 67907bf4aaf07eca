"""The form of the monitoring options: limits of the flags, and pay."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import MonitoringOptions
from scoring.stats.limits import LIMITS

PAY = ("pay", "pay_for", "currency", "least_pay", "budget")


class WatchForm(forms.ModelForm):
    """Limits and pay; shares are numbers from 0 to 1, as everywhere in a project's settings."""

    learn_more = {
        "pay": "other-settings#pay",
        "least_pay": "other-settings#minimum-pay-per-hour",
        "budget": "other-settings#budget",
        "false_alarms": "flags#false-alarms-and-power",
        "least_answers": "other-settings#minimum-number-of-answers",
        "median_seconds": "flags#too-fast",
        "quick_share": "flags#too-fast",
        "longest_run": "flags#straight-lining",
        "position_share": "flags#straight-lining",
        "contradictions": "flags#contradicts-known-labels",
        "practice_right": "flags#contradicts-known-labels",
        "calibration_distance": "flags#off-on-calibration-pairs",
        "repeat_distance": "flags#inconsistent-on-repeated-pairs",
        "agreement": "flags#low-agreement-with-others",
    }

    class Meta:
        model = MonitoringOptions
        fields = (*PAY, *LIMITS)
        labels = {
            "pay": _("Pay"),
            "pay_for": _("Paid per"),
            "currency": _("Currency"),
            "least_pay": _("Minimum pay per hour"),
            "budget": _("Budget"),
            "false_alarms": _("False-alarm rate"),
            "least_answers": _("Minimum number of answers"),
            "median_seconds": _("Seconds per item"),
            "quick_share": _("Share of answers under one second per item"),
            "longest_run": _("Same value in a row"),
            "position_share": _("Share of one position on the screen"),
            "contradictions": _("Share contradicting known labels"),
            "practice_right": _("Share right in practice and qualification check"),
            "calibration_distance": _("Distance from expected ratings"),
            "repeat_distance": _("Distance from own earlier ratings"),
            "agreement": _("Agreement with others"),
        }
        help_texts = {
            "pay": _("Optional. Used to show the total cost and the pay per hour."),
            "currency": _("Three letters, for example EUR or CZK."),
            "least_pay": _("Optional. The page warns when an hour of active time comes to less."),
            "budget": _("Optional. Managers are emailed when the cost of all rounds reaches it."),
            "false_alarms": _(
                "Maximum share of rounds in which chance alone raises a flag of one kind, whatever the number of "
                "annotators."
            ),
            "least_answers": _(
                "Annotators with fewer answers are not flagged for speed, straight-lining, known labels or agreement."
            ),
            "median_seconds": _("Flagged if the median is lower. A tuple of four counts as four items."),
            "quick_share": _("From 0 to 1. Flagged if the share is higher."),
            "longest_run": _("Flagged at this number or more if others vary more."),
            "position_share": _("From 0 to 1. Flagged at this share of the choices or more."),
            "contradictions": _("From 0 to 1. Flagged above this share. The DSCS paper uses 0.8."),
            "practice_right": _("From 0 to 1. Flagged below this share of right first answers."),
            "calibration_distance": _("From 0 to 1. Flagged above this share of the scale’s length."),
            "repeat_distance": _("From 0 to 1. Flagged above this share of the scale’s length."),
            "agreement": _("From -1 to 1. Flagged below this correlation (for choices, agreement above chance)."),
        }

    def clean_currency(self) -> str:
        return self.cleaned_data["currency"].upper()

    @property
    def of_pay(self) -> list[forms.BoundField]:
        return [self[name] for name in PAY]

    @property
    def of_flags(self) -> list[forms.BoundField]:
        return [self[name] for name in LIMITS]
