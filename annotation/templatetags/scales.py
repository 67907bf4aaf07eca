"""The field of a rating."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.translation import get_language

from annotation.protocols.scale import Scale

register = template.Library()


@register.simple_tag
def rating_field(scale: Scale, name: str, labelled: str, chosen: str = "") -> str:
    """Return the field of one rating. Parameters: labelled, the id of what names it; chosen, its present value."""
    if chosen:
        return _field(scale, name, labelled, chosen)
    return _empty_field(scale, name, labelled, get_language())


@lru_cache(maxsize=256)
def _empty_field(scale: Scale, name: str, labelled: str, language: str) -> str:
    """Return a field that is the same on all screens of a round, and takes longer than the rest of the screen."""
    return _field(scale, name, labelled, "")


def _field(scale: Scale, name: str, labelled: str, chosen: str) -> str:
    values = {"scale": scale, "name": name, "labelled": labelled, "chosen": chosen, "points": _points(scale)}
    return render_to_string("work/_scale.html", values)


def _points(scale: Scale) -> list[dict[str, Any]]:
    """Return every point of the scale as stored and as shown in the language, with its label if it has one."""
    labels = {label.value: label.text for label in scale.labels}
    return [
        {"value": scale.write(point), "shown": number_format(scale.write(point)), "label": labels.get(point, "")}
        for point in scale.points
    ]
