"""Figures of the domain in words."""

from math import ceil

from django import template
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.domain.log_wording import action_name, detail_name
from annotation.protocols.spec import Material, Round

register = template.Library()
register.filter(action_name)
register.filter(detail_name)

OUTCOMES = {
    "round": gettext_lazy("round"),
    "places": gettext_lazy("places"),
    "new places": gettext_lazy("new places"),
    "items": gettext_lazy("items"),
    "tuples": gettext_lazy("tuples"),
    "new tuples": gettext_lazy("new tuples"),
    "answers a tuple": gettext_lazy("answers a tuple"),
    "pairs a person": gettext_lazy("pairs a person"),
    "calibration pairs": gettext_lazy("calibration pairs"),
    "calibration drawn by seed": gettext_lazy("calibration drawn by seed"),
    "incidents given": gettext_lazy("incidents given"),
    "incidents left": gettext_lazy("incidents left"),
    "annotators validated": gettext_lazy("annotators validated"),
    "people from the earlier round": gettext_lazy("people from the earlier round"),
    "places without intra block": gettext_lazy("places without intra block"),
    "stacks": gettext_lazy("stacks"),
    "identical stacks": gettext_lazy("identical stacks"),
    "seed": gettext_lazy("seed"),
}


@register.filter
def pause_in_words(round_: Round) -> str:
    """Such as “72 hours”; empty where the round has no pause."""
    hours = round_.pause_hours if len(round_.sessions) > 1 else 0
    if not hours:
        return ""
    if hours < 1:
        return _("some minutes")
    return ngettext("%(hours)s hour", "%(hours)s hours", ceil(hours)) % {"hours": floatformat(hours)}


@register.filter
def counted(material: Material, number: int) -> str:
    """Such as “21 pairs”."""
    told = {
        Material.PAIRS: ngettext("%(number)s pair", "%(number)s pairs", number),
        Material.INCIDENTS: ngettext("%(number)s incident", "%(number)s incidents", number),
        Material.DIALOGUES: ngettext("%(number)s dialogue", "%(number)s dialogues", number),
    }
    return told[material] % {"number": number}


@register.filter
def outcome_in_words(name: str) -> str:
    """What a figure of a plan's outcome is called."""
    return str(OUTCOMES.get(name, name))
