"""The items of a project, searchable by ID and text."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.permissions import managed_project
from annotation.protocols.spec import Material

PAGE = 50


@login_required
@require_safe
def items(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    find = request.GET.get("find", "").strip()
    texts = Q(sentence1__icontains=find) | Q(sentence2__icontains=find)
    found = project.items.filter(Q(key__icontains=find) | texts) if find else project.items.all()
    page = Paginator(found.order_by("position", "pk"), PAGE).get_page(request.GET.get("page"))
    single = project.protocol.material == Material.TEXTS
    values = {"project": project, "tab": "texts", "page": page, "find": find, "single": single}
    return render(request, "projects/items.html", values)
