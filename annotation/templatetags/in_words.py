"""Template filters that format values of the domain as text."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext, gettext_lazy, ngettext

from annotation.models import JudgmentUpload, Project
from annotation.models.audit_actions import action_name, detail_name
from annotation.protocols.spec import Round
from annotation.protocols.terms import Material

register = template.Library()
SHORT = 24  # characters of a text that fits into a narrow column
register.filter(action_name)
register.filter(detail_name)

OUTCOMES = {
    "round": gettext_lazy("round"),
    "places": gettext_lazy("places"),
    "new places": gettext_lazy("new places"),
    "items": gettext_lazy("items"),
    "tuples": gettext_lazy("tuples"),
    "new tuples": gettext_lazy("new tuples"),
    "answers a tuple": gettext_lazy("answers per tuple"),
    "pairs a person": gettext_lazy("pairs per annotator"),
    "selections with an overlap": gettext_lazy("overlapping selections"),
    "calibration pairs": gettext_lazy("calibration pairs"),
    "calibration drawn by seed": gettext_lazy("calibration pairs drawn at random"),
    "incidents given": gettext_lazy("incidents assigned"),
    "incidents left": gettext_lazy("incidents not assigned"),
    "annotators validated": gettext_lazy("annotators validated"),
    "people from the earlier round": gettext_lazy("annotators from the earlier round"),
    "places without intra block": gettext_lazy("places without intra-annotator block"),
    "stacks": gettext_lazy("stacks"),
    "identical stacks": gettext_lazy("identical stacks"),
    "seed": gettext_lazy("random seed"),
}


@register.filter
def pause_in_words(round_: Round) -> str:
    """Return the pause of a round, such as “72 hours” or “20 minutes”; an empty text where the round has no pause."""
    hours = round_.pause_hours if len(round_.sessions) > 1 else 0
    if not hours:
        return ""
    if hours < 1:
        minutes = ceil(hours * 60)
        return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}
    return ngettext("%(hours)s hour", "%(hours)s hours", ceil(hours)) % {"hours": floatformat(hours)}


@register.filter
def round_title(project: Project, key: str) -> str:
    """Return the title of a round as pages show it; the key of a round that the protocol no longer has."""
    return next((round_.title for round_ in project.protocol.rounds if round_.key == key), key)


@register.filter
def counted(material: Material, number: int) -> str:
    """Return a number with its unit, such as “21 pairs”."""
    texts = {
        Material.PAIRS: ngettext("%(number)s pair", "%(number)s pairs", number),
        Material.TEXTS: ngettext("%(number)s text", "%(number)s texts", number),
        Material.INCIDENTS: ngettext("%(number)s incident", "%(number)s incidents", number),
        Material.DIALOGUES: ngettext("%(number)s dialogue", "%(number)s dialogues", number),
    }
    return texts[material] % {"number": number}


@register.filter
def all_short(cards: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether every card of a tuple has a single text of a word or two."""
    return all(len(card["texts"]) == 1 and len(card["texts"][0]) <= SHORT for card in cards)


@register.filter
def outcome_in_words(name: str) -> str:
    """Return the label of a value in a plan's outcome."""
    return str(OUTCOMES.get(name, name))


@register.filter
def upload_in_words(job: JudgmentUpload) -> str:
    """Return what is in a file of judgments, such as “This is an export of Potato with 120 ratings of 60 pairs ...”."""
    found = job.findings or {}
    number, people = found["judgments"], found["people"]
    if job.project.protocol.compares:
        answers = ngettext("%(number)s choice", "%(number)s choices", number)
    else:
        answers = ngettext("%(number)s rating", "%(number)s ratings", number)
    values = {
        "program": found["program"],
        "answers": answers % {"number": number},
        "items": counted(job.project.protocol.material, found["items"]),
        "people": ngettext("%(number)s person", "%(number)s people", people) % {"number": people},
    }
    if not found["program"]:
        return gettext("This is a table with %(answers)s by %(people)s.") % values
    if not people:
        return gettext("This is an export of %(program)s with %(answers)s of %(items)s.") % values
    return gettext("This is an export of %(program)s with %(answers)s of %(items)s by %(people)s.") % values
