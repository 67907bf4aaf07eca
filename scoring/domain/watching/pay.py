"""What managers set as pay, as the planning aid begins with it."""

from decimal import Decimal

from django.utils.translation import gettext as _

from annotation.planning.costs import Material, round_costs
from annotation.protocols.spec import Round
from scoring.models import WatchOptions

CENT = Decimal("0.01")


def hourly_pay(options: WatchOptions, round_: Round, material: Material, seconds: float) -> Decimal | None:
    """Pay for an hour; of a pay for the whole round what it comes to, of none the least that was set.

    Parameters: seconds, of one judgment.
    """
    if options.pay is None or options.pay_for == WatchOptions.PayFor.HOUR:
        return options.least_pay if options.pay is None else options.pay
    [cost] = [one for one in round_costs(options.project.protocol, material) if one.round.key == round_.key]
    hours = Decimal(repr(cost.screens * seconds / 3600))
    return (options.pay / hours).quantize(CENT) if hours else None


def told(options: WatchOptions) -> str:
    """What was set, in a sentence; empty where nothing was."""
    if options.pay is not None:
        values = {"pay": options.pay, "currency": options.currency, "unit": options.get_pay_for_display()}
        return _("As set under “Limits and pay”: %(pay)s %(currency)s for %(unit)s.") % values
    if options.least_pay is not None:
        values = {"pay": options.least_pay, "currency": options.currency}
        return _("The least that is set under “Limits and pay”: %(pay)s %(currency)s for an hour.") % values
    return ""
