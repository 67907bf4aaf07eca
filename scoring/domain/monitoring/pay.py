"""The pay that managers set, as the initial value of the planning aid."""

from decimal import Decimal

from django.utils.translation import gettext as _

from annotation.planning.costs import Material, round_costs
from annotation.protocols.spec import Round
from scoring.models import MonitoringOptions

CENT = Decimal("0.01")


def hourly_pay(options: MonitoringOptions, round_: Round, material: Material, seconds: float) -> Decimal | None:
    """Return the hourly pay, converted from a pay for the round if necessary; the least pay if none was set.

    Parameters: seconds, of one judgment.
    """
    if options.pay is None or options.pay_for == MonitoringOptions.PayFor.HOUR:
        return options.least_pay if options.pay is None else options.pay
    [cost] = [cost for cost in round_costs(options.project.protocol, material) if cost.round.key == round_.key]
    hours = Decimal(repr(cost.screens * seconds / 3600))
    return (options.pay / hours).quantize(CENT) if hours else None


def pay_in_words(options: MonitoringOptions) -> str:
    """Return in a sentence what was set; an empty text if nothing was."""
    if options.pay is not None:
        values = {"pay": options.pay, "currency": options.currency, "unit": options.get_pay_for_display()}
        return _("From “Limits and pay”: %(pay)s %(currency)s per %(unit)s.") % values
    if options.least_pay is not None:
        values = {"pay": options.least_pay, "currency": options.currency}
        return _("Minimum from “Limits and pay”: %(pay)s %(currency)s per hour.") % values
    return ""
