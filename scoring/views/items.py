"""The items of a project: a table with their figures, and the page of an item with all its answers."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.api.rendering import CsvRenderer, stream
from annotation.corpora.spreadsheets import harmless
from annotation.domain.audit.reading import entries_about_item
from annotation.domain.judgment.item_changes import cost_of_replacing
from annotation.domain.material.editing import may_be_deleted, may_be_edited
from annotation.models import Item, Project
from annotation.permissions import researched_project
from annotation.protocols.terms import Material
from annotation.tasks import run_job
from annotation.texts import with_sentence_marked
from scoring.domain.monitoring import item_table
from scoring.domain.monitoring import items as watched_items
from scoring.domain.monitoring.answers import answer_page, answers_of
from scoring.domain.monitoring.statistics import request_statistics
from scoring.forms.tables import ItemFilterForm
from scoring.models import ProjectStatistics

HISTORY = 50  # entries


@login_required
@require_safe
def items(request: HttpRequest, key: str) -> HttpResponse:
    project, now = researched_project(request.user, key), timezone.now()
    if request_statistics(project, now):
        run_job.delay_on_commit("statistics", project.statistics.pk)
    form = ItemFilterForm(request.GET or None, project=project)
    found, part, sort = _found(project, form)
    rows, page = item_table.item_page(found, sort, request.GET.get("cursor", ""))
    values = {"project": project, "tab": "items", "form": form, "rows": rows, "page": page, "part": part}
    values |= {"columns": list(_columns(project, part, sort)), "query": request.GET.urlencode()}
    values["statistics"] = ProjectStatistics.objects.get(project=project)
    values["single"] = project.protocol.material == Material.TEXTS
    values["states"] = dict(item_table.ItemState.choices)
    return render(request, "projects/items.html", values)


def _found(project: Project, form: ItemFilterForm) -> tuple[Any, item_table.Part, str]:
    chosen, part = form.chosen(), form.part_chosen()
    sort = chosen.pop("sort", "order")
    chosen.pop("part", None)
    return item_table.items_of(project, part, **chosen), part, sort


def _columns(project: Project, part: item_table.Part, sort: str) -> Any:
    """Yield the headings that sort the table, with their present and next direction."""
    value = _("Score") if part.compares else _("Mean")
    titles = {"id": _("ID"), "answers": _("Answers"), "value": value, "deviation": _("SD")}
    for key, title in titles.items():
        way = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
        first = key if key == "id" else f"-{key}"
        following = (f"-{key}" if way == "ascending" else key) if way else first
        yield {"key": key, "title": title, "way": way, "next": following}


@login_required
@require_safe
def as_csv(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """Return all items that the filters leave, in the order of the table."""
    project = researched_project(request.user, key)
    found, part, sort = _found(project, ItemFilterForm(request.GET or None, project=project))

    def lines(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        written = item_table.written(rows, project, part)
        return [{name: harmless(value) for name, value in row.items()} for row in written]

    response = stream(CsvRenderer(), item_table.all_rows(found, sort), lines, item_table.COLUMNS)
    response["Content-Disposition"] = f'attachment; filename="{project.key}-items.csv"'
    return response


@login_required
@require_safe
def item(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = researched_project(request.user, key)
    found = get_object_or_404(project.items.select_related("group", "item_import"), pk=pk)
    found.project = project
    rows, page = answer_page(answers_of(project, item=found.key), request.GET.get("cursor", ""))
    language = found.language or (found.group.language if found.group else "") or project.language
    values = {"project": project, "tab": "items", "item": found, "language": language, "rows": rows, "page": page}
    values |= {"ratings": watched_items.ratings_of(found), "choices": watched_items.choices_of(found)}
    values |= {"texts": _texts(found), "turns": found.group.turns if found.group else []}
    if project.role != "researcher":
        values |= _for_managers(found)
    return render(request, "projects/watch_item.html", values)


def _texts(item: Item) -> list[Any]:
    contexts = (item.context1, item.context2)
    return [with_sentence_marked(context, text) for text, context in zip(item.texts, contexts, strict=False)]


def _for_managers(item: Item) -> dict[str, Any]:
    values = {"may_be_edited": may_be_edited(item), "may_be_deleted": may_be_deleted(item)}
    values["may_be_replaced"] = not (item.withdrawn_at or item.summary_sentence_id or values["may_be_edited"])
    if values["may_be_replaced"]:
        values["cost"] = cost_of_replacing(item)
    return values | {"history": entries_about_item(item)[:HISTORY]}
