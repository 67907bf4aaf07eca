"""Links from pages to the documentation."""

from django import template
from django.forms import BoundField
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

register = template.Library()


@register.simple_tag
def learn_more(field: BoundField) -> str:
    """Return the link to the heading that explains a field, which its form names in `learn_more`; empty without one."""
    heading = getattr(field.form, "learn_more", {}).get(field.name)
    if heading is None:
        return ""
    page, _hash_sign, anchor = heading.partition("#")
    link = '<a class="learn-more" href="{}#{}">{}<span class="visually-hidden">: {}</span></a>'
    return format_html(link, reverse("help-page", args=[page]), anchor, _("Learn more"), field.label)
