"""The page of every place in the flow. A place knows its template and what stands on it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.domain.crowd.returning import way_back
from annotation.domain.flow import (
    AboutYou,
    Consent,
    Ended,
    Finished,
    Idle,
    Paused,
    Place,
    Practice,
    Rest,
    Screen,
    is_open,
)
from annotation.domain.leasing import may_stop
from annotation.domain.mailing import sends_email
from annotation.domain.messaging import unread_messages
from annotation.domain.practice_stages import failed_check
from annotation.domain.practising import tasks_before
from annotation.domain.progress import most_tuples
from annotation.domain.recruiting import completion_code
from annotation.forms.asking import AboutYouForm
from annotation.models import Participation
from annotation.texts import page_from_markdown
from annotation.views.joining import own_link
from annotation.views.practice_pages import practice_page, shown_examples
from annotation.views.screens import screen_page

Values = dict[str, Any]


def render_place(
    request: HttpRequest, participation: Participation, here: Place, *, status: int = 200, **values: Any
) -> HttpResponse:
    """The whole page, or for htmx the part of it that changes."""
    template, page_values = PAGES[type(here)](participation, here)
    part = "#screen" if request.htmx else ""
    context = {"participation": participation, "project": participation.project, "here": here}
    context["own_link"] = partial(own_link, request)
    context["letters"] = partial(unread_messages, participation.pk)  # read by the page, unless `values` say otherwise
    return render(request, f"work/{template}.html{part}", context | page_values | values, status=status)


def _consent(participation: Participation, here: Consent) -> tuple[str, Values]:
    project = participation.project
    return "consent", {
        "consent": page_from_markdown(project.consent),
        "guidelines": page_from_markdown(project.guidelines),
        "screens": most_tuples(participation) if is_open(participation.design) else participation.assignments.count(),
        "round": project.round(participation.round),
        "examples": shown_examples(project),
        "tasks_before": tasks_before(project),
    }


def _about_you(participation: Participation, here: AboutYou) -> tuple[str, Values]:
    return "about_you", {"form": AboutYouForm(questions=list(participation.project.questions.all()))}


def _rest(participation: Participation, here: Rest) -> tuple[str, Values]:
    return "rest", {
        "way": way_back(participation, here),
        "round": participation.project.round(participation.round),
        "sends_email": sends_email(),
    }


def _idle(participation: Participation, here: Idle) -> tuple[str, Values]:
    return "idle", {"may_stop": may_stop(participation, here), "answers": _answers(participation)}


def _finished(participation: Participation, here: Finished) -> tuple[str, Values]:
    return "finished", {
        "way": way_back(participation, here),
        "code": completion_code(participation),
        "answers": _answers(participation),
    }


def _answers(participation: Participation) -> int:
    return participation.assignments.filter(answered_at__isnull=False).count()


def _ended(participation: Participation, here: Ended) -> tuple[str, Values]:
    return "ended", {"failed_check": failed_check(participation), "way": way_back(participation, here)}


def _paused(participation: Participation, here: Paused) -> tuple[str, Values]:
    return "paused", {}


PAGES: dict[type, Callable[[Participation, Any], tuple[str, Values]]] = {
    Consent: _consent,
    AboutYou: _about_you,
    Practice: practice_page,
    Screen: screen_page,
    Idle: _idle,
    Rest: _rest,
    Finished: _finished,
    Paused: _paused,
    Ended: _ended,
}
