"""The known labels of a project's pairs: listed, added, changed and removed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.domain.material.labels import set_label
from annotation.forms.labels import LabelForm
from annotation.forms.refusals import refusals
from annotation.keyset import keyset_page
from annotation.models import Item, Project
from annotation.models.items import LABEL_NAMES
from annotation.permissions import managed_project
from annotation.protocols.terms import Material


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def labels(request: HttpRequest, key: str) -> HttpResponse:
    """List the labelled pairs, and change the label of one; `item` in the address chooses it."""
    project = managed_project(request.user, key)
    if project.protocol.material != Material.PAIRS:
        raise Http404
    form = LabelForm(request.POST or None, project=project, initial=_present(project, request.GET.get("item", "")))
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            set_label(project=project, actor=request.user, now=timezone.now(), **form.change())
            messages.success(request, _("Saved."))
            return redirect("project-labels", key=key)
    page = keyset_page(project.items.filter(gold__isnull=False), "position", cursor=request.GET.get("cursor", ""))
    rows = Item.objects.filter(pk__in=page.ids).order_by("position", "pk")
    values = {"project": project, "tab": "setup", "form": form, "rows": rows, "page": page}
    return render(request, "projects/labels.html", values, status=422 if form.errors else 200)


def _present(project: Project, key: str) -> dict[str, str]:
    """Return the form's values for an item of the address."""
    item = project.items.filter(key=key).only("key", "gold").first() if key else None
    return {"item": item.key, "label": LABEL_NAMES[item.gold] or "none"} if item else {}
