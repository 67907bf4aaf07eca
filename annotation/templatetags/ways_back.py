"""Template filters about annotators' places in rounds."""

import re

from django import template
from django.urls import reverse

register = template.Library()
WORK = re.compile(r"/my-work/(\d{1,18})/")


@register.filter
def link_back(path: str | None) -> str:
    """Return the page that leads people without a password back to the place of that path; "" for other paths."""
    found = WORK.match(path or "")
    return reverse("work-link", args=[found[1]]) if found else ""
