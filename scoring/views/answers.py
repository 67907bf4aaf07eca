"""The answers of a project as a table, and those of one annotator next to the answers of the others."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.api.judgment_rows import complete, raw
from annotation.api.judgments import JudgmentSerializer
from annotation.api.rendering import CsvRenderer, stream
from annotation.corpora.spreadsheets import harmless
from annotation.permissions import researched_project
from scoring.domain.monitoring.answers import answer_page, answers_of, with_others
from scoring.forms.tables import AnswerFilterForm
from scoring.views.monitoring import participation_of


@login_required
@require_safe
def answers(request: HttpRequest, key: str) -> HttpResponse:
    project = researched_project(request.user, key)
    form = AnswerFilterForm(request.GET or None, project=project)
    found = answers_of(project, role=project.role, **form.wanted())
    rows, page = answer_page(found, request.GET.get("cursor", ""))
    values = {"project": project, "tab": "answers", "form": form, "rows": rows, "page": page}
    return render(request, "projects/answers.html", values | {"query": request.GET.urlencode()})


@login_required
@require_safe
def as_csv(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """Return all answers that the filters leave, with the columns of the API, under pseudonyms."""
    project = researched_project(request.user, key)
    form = AnswerFilterForm(request.GET or None, project=project)
    found = raw(answers_of(project, role=project.role, **form.wanted())).order_by("id")
    columns = list(JudgmentSerializer().fields)

    def lines(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{name: harmless(value) for name, value in row.items()} for row in complete(rows, columns)]

    response = stream(CsvRenderer(), found, lines, columns)
    response["Content-Disposition"] = f'attachment; filename="{project.key}-answers.csv"'
    return response


@login_required
@require_safe
def of_person(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show an annotator's answers in chronological order, next to the counted answers of the others."""
    project = researched_project(request.user, key)
    participation = participation_of(project, pk)
    own = answers_of(project).filter(assignment__participation=participation)
    rows, page = answer_page(own, request.GET.get("cursor", ""), newest=False)
    with_others(participation, rows)
    values = {"project": project, "tab": "people", "participation": participation, "rows": rows, "page": page}
    values["round"] = project.round(participation.round)
    return render(request, "projects/person_answers.html", values)
