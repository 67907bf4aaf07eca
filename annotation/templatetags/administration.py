"""The pages of administrators, with the navigation that they share."""

from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

PAGES = (
    ("overview", _("Overview"), "administration"),
    ("accounts", _("Accounts"), "administration-accounts"),
    ("projects", _("Projects"), "projects"),
    ("jobs", _("Background jobs"), "jobs"),
    ("security", _("Security log"), "security"),
    ("settings", _("Settings"), "administration-settings"),
)


@register.inclusion_tag("administration/_pages.html")
def administration_pages(tab: str) -> dict[str, Any]:
    """Return the pages, of which `tab` is open."""
    return {"pages": PAGES, "tab": tab}
