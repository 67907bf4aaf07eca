"""The choices of a sentence in a selection."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()
PICK = (
    '<label title="{title}"><input type="radio" name="pick-{key}" value="{sentence}"{checked} '
    'aria-label="{key}, {title}"> <span class="letter" data-colour="{colour}" aria-hidden="true">{key}</span></label>'
)
CHECKED = SafeString(" checked")


@register.simple_tag
def picks(rows: Sequence[Mapping[str, Any]], sentence: int) -> str:
    """Return a choice for each role. An incident has hundreds; in the template they take half of its whole page."""
    return format_html_join("", PICK, (_values(sentence=sentence, **row) for row in rows))


def _values(role: Any, pick: Any, sentence: int) -> dict[str, Any]:
    checked = CHECKED if pick and pick.sentence_id == sentence else ""
    return {"key": role.key, "title": role.title, "colour": role.colour, "sentence": sentence, "checked": checked}
