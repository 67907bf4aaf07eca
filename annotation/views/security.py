"""The log of security, for administrators."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.security.log import kinds
from annotation.models import SecurityEvent
from annotation.models.security import KEPT
from annotation.permissions import administrators_only

A_PAGE = 100


@administrators_only
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    named, kind = kinds(), request.GET.get("kind", "")
    found = SecurityEvent.objects.select_related("user").order_by("-at", "-pk")
    if kind in named:
        found = found.filter(kind=kind)
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    for event in page.object_list:
        event.name = named.get(event.kind, event.kind)
    options = sorted(named.items(), key=lambda item: item[1])
    values = {"tab": "security", "page": page, "kind": kind, "kinds": options, "days": KEPT.days}
    return render(request, "security.html", values)
