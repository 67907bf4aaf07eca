"""The addresses of all pages of managers, from the URL configuration, so that a new page is measured too."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.exceptions import NoReverseMatch

from annotation.models import Bonus, Project, User

OWN = {
    *("home", "notifications", "tokens", "projects", "jobs", "security"),
    *("administration", "administration-accounts", "administration-account", "administration-settings"),
}
"""Pages that are not of a project."""

VARIANTS = {
    "project-items": ("sort=-value", "find=pair+9", "state=started"),
    "project-answers": ("item=p2", "counts=yes", "since=2026-03-01"),
    "project-people": ("sort=-active", "only=flagged", "find=a0001"),
    "project-forecast": ("simulate=1",),
    "project-log": ("action=excluded",),
    "projects": ("find=l",),
    "administration-accounts": ("find=example",),
}
"""Searches, filters and orders, as queries of a page."""
API = ("", "progress/", "items/", "judgments/", "participations/", "runs/", "releases/", "models/")


def addresses(project: Project) -> dict[str, str]:
    """Return the address of each page by its name, with `?` and the query if it is a search or another order."""
    found: dict[str, str] = {}
    for pattern in patterns(get_resolver()):
        name = pattern.name or ""
        managed = name in OWN or name == "project" or name.startswith("project-")
        if managed and (url := address(pattern, project)):
            found[name] = url
            found |= {f"{name}?{query}": f"{url}?{query}" for query in VARIANTS.get(name, ())}
    return found | {f"API, {path or 'project'}": f"/api/v1/projects/{project.key}/{path}" for path in API}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            yield one
        elif one.namespace is None and str(one.pattern) not in ("admin/", "account/", "account/2fa/"):
            yield from patterns(one)


def address(pattern: URLPattern, project: Project) -> str:
    """Return the address of a page about the first thing of its kind, empty if the project has none."""
    names = pattern.pattern.converters
    values = {name: value for name in names if (value := argument(name, pattern.name or "", project)) is not None}
    try:
        return reverse(pattern.name, kwargs=values)
    except NoReverseMatch:
        return ""


def argument(name: str, page: str, project: Project) -> Any:
    """Return the value of a part of an address."""
    if name == "key":
        return project.key
    if name == "number":
        return 1
    if name == "pk":
        found = (rows for start, rows in of(project) if page.startswith(start))
        return next((rows.values_list("pk", flat=True).first() for rows in found), None)
    if name == "bonus":
        return Bonus.objects.filter(study__project=project).values_list("pk", flat=True).first()
    return WORDS.get((page, name))


WORDS = {
    ("project-page", "name"): "guidelines",
    ("project-preview-screen", "kind"): "rating",
    ("project-email", "kind"): "invitation",
    ("project-intervene", "action"): "pause",
    ("project-person-intervene", "action"): "reassign",
    ("project-release-file", "name"): "items.csv",
    ("project-log-file", "form"): "csv",
    ("project-new-preset", "preset"): "semrel",
}
"""Further parts of addresses, by page and part."""


def of(project: Project) -> Iterator[tuple[str, Any]]:
    """Yield the beginnings of names of pages with the rows that these are about, the longest first."""
    yield from {
        "project-rehearsal": project.own_rehearsals,
        "project-model": project.machines,
        "project-webhook": project.webhooks,
        "project-watch-item": project.items,
        "project-item-": project.items,
        "project-person": project.participations,
        "project-import": project.imports,
        "project-plan": project.plans,
        "project-link": project.links,
        "project-guest": project.guests,
        "project-address": project.invited,
        "project-quota": project.quotas,
        "project-bonus": project.studies,
        "project-by-hand": project.studies,
        "project-study": project.studies,
        "project-prolific": project.studies,
        "project-member": project.memberships,
        "administration-account": User.objects.filter(is_superuser=True),
    }.items()
