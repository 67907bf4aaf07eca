"""The page of every place in the flow: each place has a template and its values."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.domain.messages.messages import unread_messages
from annotation.domain.participation import flow
from annotation.domain.participation.leasing import may_stop
from annotation.domain.participation.progress import screens_in_all
from annotation.domain.participation.waves import is_in_wave
from annotation.domain.practice.answers import tasks_before
from annotation.domain.practice.stages import failed_check
from annotation.domain.recruiting.crowd.completion import way_back
from annotation.domain.recruiting.mailings import sends_email
from annotation.domain.recruiting.overview import completion_code
from annotation.forms.questionnaire import AboutYouForm
from annotation.models import Participation
from annotation.planning.costs import minutes_for
from annotation.texts import page_from_markdown
from annotation.views.joining import own_link
from annotation.views.practice_pages import practice_page, shown_examples
from annotation.views.screens import screen_page

Values = dict[str, Any]


def render_place(
    request: HttpRequest, participation: Participation, place: flow.Place, *, status: int = 200, **values: Any
) -> HttpResponse:
    """Return the whole page of a place, or for htmx the part of it that changes."""
    template, page_values = PAGES[type(place)](participation, place)
    context = {"participation": participation, "project": participation.project, "here": place}
    context["own_link"] = partial(own_link, request)
    context["letters"] = partial(unread_messages, participation.pk)  # read by the page, unless `values` say otherwise
    return render(request, f"work/{template}.html", context | page_values | values, status=status)


def _consent(participation: Participation, place: flow.Consent) -> tuple[str, Values]:
    project, screens = participation.project, screens_in_all(participation)
    return "consent", {
        "minutes": minutes_for(screens, participation.design.judgment) if screens else None,
        "consent": page_from_markdown(project.consent),
        "guidelines": page_from_markdown(project.guidelines),
        "screens": screens,
        "round": project.round(participation.round),
        "examples": shown_examples(project),
        "tasks_before": tasks_before(project),
    }


def _about_you(participation: Participation, place: flow.AboutYou) -> tuple[str, Values]:
    return "about_you", {"form": AboutYouForm(questions=list(participation.project.questions.all()))}


def _rest(participation: Participation, place: flow.Rest) -> tuple[str, Values]:
    round_ = participation.project.round(participation.round)
    return "rest", {"way": way_back(participation, place), "round": round_, "sends_email": sends_email()}


def _idle(participation: Participation, place: flow.Idle) -> tuple[str, Values]:
    next_wave = is_in_wave(participation.project, participation.round)
    values = {"may_stop": may_stop(participation, place), "answers": _answers(participation), "next_wave": next_wave}
    return "idle", values


def _finished(participation: Participation, place: flow.Finished) -> tuple[str, Values]:
    code, answers = completion_code(participation), _answers(participation)
    return "finished", {"way": way_back(participation, place), "code": code, "answers": answers}


def _answers(participation: Participation) -> int:
    return participation.assignments.filter(answered_at__isnull=False).count()


def _ended(participation: Participation, place: flow.Ended) -> tuple[str, Values]:
    return "ended", {"failed_check": failed_check(participation), "way": way_back(participation, place)}


def _paused(participation: Participation, place: flow.Paused) -> tuple[str, Values]:
    return "paused", {}


PAGES: dict[type, Callable[[Participation, Any], tuple[str, Values]]] = {
    flow.Consent: _consent,
    flow.AboutYou: _about_you,
    flow.Practice: practice_page,
    flow.Screen: screen_page,
    flow.Idle: _idle,
    flow.Rest: _rest,
    flow.Finished: _finished,
    flow.Paused: _paused,
    flow.Ended: _ended,
}
