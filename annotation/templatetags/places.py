"""The places of a project: what its pages are about, and the pages of each."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.models import Membership, Project

register = template.Library()
Role = Membership.Role
MANAGERS = (Role.OWNER, Role.MANAGER)


@dataclass(frozen=True)
class Page:
    """A page of a place: `tab` in the values of a page says which one is open."""

    tab: str
    title: str | Promise
    url: str
    roles: tuple[Role, ...] = MANAGERS


@dataclass(frozen=True)
class Place:
    key: str
    title: str | Promise
    pages: tuple[Page, ...]

    def shown_to(self, role: str) -> list[Page]:
        return [page for page in self.pages if role in page.roles]


PLACES = (
    Place(
        "setup",
        _("Set up"),
        (
            Page("setup", _("Steps"), "project-setup"),
            Page("texts", _("Texts"), "project-import"),
            Page("forecast", _("Planning aid"), "project-forecast"),
            Page("plans", _("Plans"), "project-plans"),
            Page("registration", _("Registration"), "project-registrations"),
        ),
    ),
    Place(
        "recruit",
        _("Recruit"),
        (
            Page("links", _("Links"), "project-recruiting"),
            Page("addresses", _("Addresses"), "project-recruiting-addresses"),
            Page("emails", _("Emails"), "project-emails"),
            Page("waiting", _("Waiting list"), "project-waiting"),
            Page("quotas", _("Quotas"), "project-quotas"),
            Page("crowd", _("Crowd platforms"), "project-studies"),
            Page("guests", _("Annotators without an account"), "project-recruiting-guests"),
        ),
    ),
    Place(
        "monitor",
        _("Monitor"),
        (
            Page("watch", _("Progress"), "project-watch", tuple(Role)),
            Page("people", _("Annotators"), "project-people", tuple(Role)),
            Page("items", _("Items"), "project-items", tuple(Role)),
            Page("answers", _("Answers"), "project-answers", tuple(Role)),
            Page("control", _("Control"), "project-control"),
            Page("jobs", _("Background jobs"), "project-jobs"),
        ),
    ),
    Place(
        "results",
        _("Results"),
        (
            Page("results", pgettext_lazy("computations of results", "Runs"), "project-runs", tuple(Role)),
            Page("releases", _("Releases"), "project-releases", tuple(Role)),
            Page("models", _("Models"), "project-models", tuple(Role)),
        ),
    ),
    Place(
        "settings",
        _("Settings"),
        (
            Page("members", _("Members"), "project-members", (Role.OWNER,)),
            Page("webhooks", _("Webhooks"), "project-webhooks"),
            Page("log", _("Audit log"), "project-log"),
            Page("delete", _("Delete"), "project-delete", (Role.OWNER,)),
        ),
    ),
)


@register.inclusion_tag("projects/_places.html")
def project_places(project: Project, tab: str) -> dict[str, Any]:
    """Return the places that a member sees, and the pages of the one that is open."""
    shown = [(place, pages) for place in PLACES if (pages := place.shown_to(project.role))]
    opened = next((place for place, pages in shown if tab in [page.tab for page in pages]), None)
    pages = next((pages for place, pages in shown if place is opened), [])
    return {"project": project, "places": shown, "opened": opened, "pages": pages, "tab": tab}


@register.inclusion_tag("projects/_map.html")
def project_map(project: Project) -> dict[str, Any]:
    """Return all places with their pages."""
    return {"project": project, "places": [(place, place.shown_to(project.role)) for place in PLACES]}
