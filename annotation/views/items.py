"""Changes to a single item: another text, its deletion, or another item in its place."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.domain.judgment.item_changes import cost_of_replacing, replace_item
from annotation.domain.material.editing import change_item, delete_items
from annotation.forms.items import ItemForm, ReplacementForm
from annotation.forms.refusals import refusals
from annotation.models import Item, Project
from annotation.permissions import managed_project
from annotation.views.confirming import Confirmation, confirm

FORM = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(FORM)
def edit(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Change the texts of an item that nobody has been shown."""
    project, item = _item(request, key, pk)
    form = ItemForm(request.POST or None, item=item)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            change_item(item=item, values=form.cleaned_data, actor=request.user, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("project-watch-item", key=key, pk=pk)
    return _page(request, project, item, form, {"title": _("Edit item"), "button": _("Save")})


@login_required
@require_http_methods(FORM)
def replace(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Withdraw an item, and put a new one with a better text in its place."""
    project, item = _item(request, key, pk)
    form = ReplacementForm(request.POST or None, item=item)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        given = {"reason": values.pop("reason"), "again": values.pop("again")}
        with refusals(form):
            new = replace_item(item=item, values=values, actor=request.user, now=timezone.now(), **given)
            messages.success(
                request, _("The item has been replaced. Annotators judge “%(key)s” instead.") % {"key": new.key}
            )
            return redirect("project-watch-item", key=key, pk=new.pk)
    values = {"title": _("Withdraw and replace"), "button": _("Withdraw and replace")}
    return _page(request, project, item, form, values | {"cost": cost_of_replacing(item)})


@login_required
@require_http_methods(FORM)
def delete(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and delete an item that is in no plan."""
    project, item = _item(request, key, pk)
    asked = Confirmation(
        title=_("Delete item “%(key)s”") % {"key": item.key},
        says=_("Plans that include this item will be removed. This cannot be undone."),
        button=_("Delete"),
        done=_("The item has been deleted."),
        back=("project-watch-item", {"key": key, "pk": pk}),
        after=("project-items", {"key": key}),
        danger=True,
    )
    return confirm(
        request,
        project,
        asked,
        lambda: delete_items(project=project, keys=[item.key], actor=request.user, now=timezone.now()),
    )


def _item(request: HttpRequest, key: str, pk: int) -> tuple[Project, Item]:
    project = managed_project(request.user, key)
    item = get_object_or_404(project.items, pk=pk)
    item.project = project
    return project, item


def _page(request: HttpRequest, project: Project, item: Item, form: ItemForm, values: dict[str, Any]) -> HttpResponse:
    values |= {"project": project, "tab": "items", "item": item, "form": form}
    return render(request, "projects/item_form.html", values, status=422 if form.errors else 200)
