"""The audit log of a project, as pages and as files."""

import csv
import json
from collections.abc import Iterator
from operator import itemgetter

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.corpora.spreadsheets import harmless
from annotation.domain.audit.reading import COLUMNS, actions_in, actors_in, entries_of, rows, with_members_named
from annotation.forms.actions import LogFilterForm
from annotation.models import Project
from annotation.models.audit_actions import action_name
from annotation.permissions import managed_project

PAGE = 50
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
ENCODER = DjangoJSONEncoder(ensure_ascii=False)


@login_required
@require_safe
def log(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = _form(request, project)
    page = Paginator(entries_of(project, **_wanted(form)), PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "log", "form": form, "page": page, "query": request.GET.urlencode()}
    values["entries"] = with_members_named(list(page.object_list))
    return render(request, "projects/log.html", values)


@login_required
@require_safe
def export(request: HttpRequest, key: str, form: str) -> StreamingHttpResponse:
    """Return the filtered entries as a file."""
    project = managed_project(request.user, key)
    if form not in MEDIA_TYPES:
        raise Http404
    found = rows(entries_of(project, **_wanted(_form(request, project))))
    lines = _csv(found) if form == "csv" else (ENCODER.encode(row) + "\n" for row in found)
    response = StreamingHttpResponse(lines, content_type=MEDIA_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{project.key}-log.{form}"'
    return response


def _form(request: HttpRequest, project: Project) -> LogFilterForm:
    actions = sorted(((action, action_name(action)) for action in actions_in(project)), key=itemgetter(1))
    return LogFilterForm(request.GET or None, actions=actions, actors=actors_in(project))


def _wanted(form: LogFilterForm) -> dict:
    if not form.is_bound:
        return {}
    form.is_valid()
    return {name: value for name, value in form.cleaned_data.items() if value}


class _Line:
    """A file object for `csv.writer` that returns each line instead of storing it."""

    def write(self, line: str) -> str:
        return line


def _csv(found: Iterator[dict]) -> Iterator[str]:
    writer = csv.writer(_Line(), lineterminator="\n")
    yield writer.writerow(COLUMNS)
    for row in found:
        row["at"], row["details"] = row["at"].isoformat(), json.dumps(row["details"], ensure_ascii=False)
        yield writer.writerow([harmless(row[name]) for name in COLUMNS])
