"""Template filters for the figures of the monitoring pages."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django import template
from django.utils.formats import localize
from django.utils.translation import gettext as _

from scoring.domain.monitoring import people, wording
from scoring.domain.monitoring.item_table import ItemState
from scoring.models import MonitoringOptions

register = template.Library()

register.filter("of_round", lambda by_round, key: by_round.get(key))
register.filter("flag_title", wording.title)
register.filter("flag_rule", wording.rule)
register.filter("share", lambda value: "" if value is None else wording.percent(value))


@register.filter
def flag_reason(flags: dict[str, Any], kind: str) -> str:
    return wording.reason(kind, flags[kind])


@register.filter
def flag_definition(kind: str, options: MonitoringOptions) -> str:
    return wording.definition(kind, options)


@register.filter
def open_flags(participation: Any) -> list[str]:
    return list(people.flags_of(participation))


@register.simple_tag(takes_context=True)
def person_name(context: Any, participation: Any) -> str:
    """Return the name that the reader's role may see."""
    return people.name_of(participation.annotator, context["project"].role)


@register.filter
def duration(milliseconds: float | timedelta | str | None) -> str:
    """Return hours and minutes, or seconds if short; an empty text for a value that the template could not find."""
    if milliseconds is None or isinstance(milliseconds, str):
        return ""
    if isinstance(milliseconds, timedelta):
        milliseconds = milliseconds.total_seconds() * 1000
    seconds = milliseconds / 1000
    minutes, hours = round(seconds / 60), int(round(seconds / 60) // 60)
    if seconds < 60:
        return _("%(seconds)s s") % {"seconds": f"{seconds:.1f}"}
    if minutes < 60:
        return _("%(minutes)s min") % {"minutes": minutes}
    if hours < 72:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes % 60}
    return _("%(days)s days") % {"days": round(hours / 24)}


@register.inclusion_tag("projects/_watch_bars.html")
def bar_table(bars: list[dict[str, Any]], caption: str, label: str) -> dict[str, Any]:
    """Return a histogram as a table, with a row for each bar.

    Parameters: caption, what it shows; label, the heading of the values.
    """
    most = max((bar["count"] for bar in bars), default=0) or 1
    rows = [
        {
            "low": _written(bar["low"]),
            "high": _written(bar["high"]),
            "count": bar["count"],
            "width": round(100 * bar["count"] / most, 1),
        }
        for bar in bars
    ]
    return {"bars": rows, "caption": caption, "label": label, "total": sum(bar["count"] for bar in bars)}


def _written(number: float) -> str:
    """Return a number with at most two decimals, in the reader's language."""
    return localize(Decimal(f"{number:.2f}".rstrip("0").rstrip(".")))


@register.filter
def context_name(context: str) -> str:
    return {"free": _("without context"), "dependent": _("with context")}[context]


@register.filter
def block_name(block: str) -> str:
    return {"calibration": _("calibration"), "main": _("main"), "intra": _("intra-annotator block")}[block]


@register.filter
def item_state(state: str) -> str:
    return str(ItemState(state).label)


@register.filter
def state_name(state: str) -> str:
    return {
        "invited": _("Not started"),
        "active": _("In progress"),
        "resting": _("Resting"),
        "finished": _("Finished"),
        "excluded": _("Excluded"),
        "left": _("Left"),
    }[state]
