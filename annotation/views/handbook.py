"""The documentation, readable for everybody: what people need to know before they sign in is there too."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation import handbook

GROUPS = (
    (_("For annotators"), ("for-annotators",)),
    (
        _("Run a project"),
        ("managers-first-hour", "protocol-settings", "other-settings", "flags", "growth", "first-project", "glossary"),
    ),
    (
        _("Use the data"),
        ("for-researchers", "results", "figures-and-tests", "models-of-raters", "disagreement", "comparing"),
    ),
)
FURTHER = _("Operate and extend Semblance")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the pages by who reads them; a page that no group names is in the last one."""
    names = handbook.page_names()
    grouped = {name for _title, members in GROUPS for name in members}
    further = [name for name in names if name not in grouped and not _is_decision(name)]
    groups = [(title, _titled(members)) for title, members in (*GROUPS, (FURTHER, further))]
    decisions = _titled(filter(_is_decision, names))
    return render(request, "help/index.html", {"groups": groups, "decisions": decisions})


def _titled(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, handbook.title_of(name)) for name in names]


def _is_decision(name: str) -> bool:
    return name.startswith(handbook.DECISIONS)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a page of the documentation."""
    found = handbook.page(name)
    if found is None:
        raise Http404
    return render(request, "help/page.html", {"page": found})
