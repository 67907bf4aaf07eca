"""The sentences of a selection and their choices. A page has hundreds, which a template renders slowly."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from annotation.texts import Part

register = template.Library()
BEFORE = '<label title="{title}"><input type="radio" name="pick-{key}" value="'
AFTER = (
    ' aria-label="{key}, {title}"> <span class="letter" data-colour="{colour}" aria-hidden="true">{key}</span></label>'
)


@register.filter
def with_marks(parts: Sequence[Part]) -> SafeString:
    """Return a sentence in which the words to be noticed are marked."""
    return SafeString("".join(map(_part, parts)))


def _part(part: Part) -> str:
    text = escape(part.text)
    return f'<mark class="{part.mark}">{text}</mark>' if part.mark else text


@register.simple_tag
def picks(rows: Sequence[Mapping[str, Any]], sentence: int) -> SafeString:
    """Return a choice for each role."""
    return SafeString("".join(_choice(sentence=int(sentence), **row) for row in rows))


def _choice(role: Any, pick: Any, sentence: int) -> str:
    before, after = _around(role.key, str(role.title), role.colour)
    checked = " checked" if pick and pick.sentence_id == sentence else ""
    return f'{before}{sentence}"{checked}{after}'


@lru_cache(maxsize=256)
def _around(key: str, title: str, colour: str) -> tuple[str, str]:
    """Return what is the same in the choices of all sentences for a role: before and after the sentence's ID."""
    return format_html(BEFORE, key=key, title=title), format_html(AFTER, key=key, title=title, colour=colour)
