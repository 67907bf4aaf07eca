"""The page of every place in the flow. A place knows its template and what stands on it."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.domain.flow import Consent, Ended, Finished, Place, Rest, Screen
from annotation.domain.pairing import Pick
from annotation.domain.progress import progress
from annotation.domain.recruiting import completion_code
from annotation.forms import AnswerForm
from annotation.models import Assignment, Document, DocumentKind, Participation
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Context
from annotation.queries import current
from annotation.texts import direction, highlighted, page_from_markdown, with_sentence_marked

Values = dict[str, Any]


def render_place(
    request: HttpRequest, participation: Participation, here: Place, *, status: int = 200, **values: Any
) -> HttpResponse:
    """The whole page, or for htmx the part of it that changes."""
    template, page_values = PAGES[type(here)](participation, here)
    part = "#screen" if request.htmx else ""
    context = {"participation": participation, "project": participation.project, "here": here}
    return render(request, f"work/{template}.html{part}", context | page_values | values, status=status)


def _consent(participation: Participation, here: Consent) -> tuple[str, Values]:
    project = participation.project
    return "consent", {
        "consent": page_from_markdown(project.consent),
        "guidelines": page_from_markdown(project.guidelines),
        "screens": participation.assignments.count(),
        "round": project.round(participation.round),
    }


def _screen(participation: Participation, here: Screen) -> tuple[str, Values]:
    """A rating or a selection; answered ones come with their present answer, to be given again."""
    assignment = here.assignment
    scale = participation.project.protocol.scale
    template, texts = ("selection", _selection) if assignment.sentence else ("rating", _pair)
    counts, again = progress(assignment), assignment.answered_at is not None
    return template, {
        "assignment": assignment,
        "scale": scale,
        "points": _points(scale),
        "question": participation.project.protocol.question,
        "progress": counts,
        "sessions": len(participation.project.round(participation.round).sessions),
        "guidelines": page_from_markdown(participation.project.guidelines),
        "key": uuid4(),
        "again": again,
        # Ratings are answered in order: what is answered in the block stands before this screen.
        "may_go_back": assignment.sentence is None and not again and counts.block_done > 0,
        **texts(participation, assignment),
    }


def _points(scale: Scale) -> list[dict[str, str]]:
    """Every point of the scale as it is written, with its label where it has one."""
    labels = {label.value: label.text for label in scale.labels}
    return [{"value": scale.write(point), "label": labels.get(point, "")} for point in scale.points]


def _pair(participation: Participation, assignment: Assignment) -> Values:
    item = assignment.item
    language = item.language or participation.project.language
    contexts = (item.context1, item.context2) if assignment.context == Context.DEPENDENT else ("", "")
    return {
        "texts": [
            with_sentence_marked(context, sentence)
            for context, sentence in zip(contexts, (item.sentence1, item.sentence2), strict=True)
        ],
        "in_context": assignment.context == Context.DEPENDENT,
        "language": language,
        "direction": direction(language),
        "chosen": _chosen_value(participation, assignment),
    }


def _chosen_value(participation: Participation, assignment: Assignment) -> str:
    """The present answer of a rating as it is written; nothing for one that is still open."""
    if assignment.answered_at is None:
        return ""
    return participation.project.protocol.scale.write(current(assignment.judgments.all()).get().value)


def _selection(participation: Participation, assignment: Assignment) -> Values:
    design = participation.project.round(participation.round).design
    incident = assignment.sentence.document.incident
    language = incident.language or participation.project.language
    documents = list(Document.objects.filter(incident=incident).prefetch_related("sentences"))
    reports = [document for document in documents if document.kind == DocumentKind.REPORT]
    sentences = [sentence for report in reports for sentence in report.sentences.all()]
    marked = dict(zip(sentences, highlighted([one.text for one in sentences], assignment.sentence.text), strict=True))
    chosen = _chosen_pairs(participation, assignment)
    siblings = participation.assignments.filter(
        session=assignment.session, sentence__document=assignment.sentence.document_id
    )
    return {
        "incident": incident,
        "roles": [{"role": role, "pick": chosen.get(role.key)} for role in design.roles],
        "siblings": siblings.select_related("sentence").order_by("position"),
        "reports": [
            {"report": report, "sentences": [(one, marked[one]) for one in report.sentences.all()]}
            for report in reports
        ],
        "language": language,
        "direction": direction(language),
    }


def _chosen_pairs(participation: Participation, assignment: Assignment) -> dict[str, Pick]:
    """The present answer of a selection, by role."""
    if assignment.answered_at is None:
        return {}
    scale = participation.project.protocol.scale
    pairs = current(assignment.judgments.all()).get().pairs.select_related("item")
    return {pair.role: Pick(pair.item.report_sentence_id, scale.write(pair.value)) for pair in pairs}


def filled_in(participation: Participation, here: Screen, form: AnswerForm) -> Values:
    """What a refused answer had filled in, so that only the fault is to be mended."""
    if here.assignment.sentence is None:
        return {"chosen": form.value()}
    roles = participation.project.round(participation.round).design.roles
    picks = form.picks([role.key for role in roles])
    return {"roles": [{"role": role, "pick": picks.get(role.key)} for role in roles]}


def _rest(participation: Participation, here: Rest) -> tuple[str, Values]:
    return "rest", {"round": participation.project.round(participation.round)}


def _finished(participation: Participation, here: Finished) -> tuple[str, Values]:
    return "finished", {
        "code": completion_code(participation),
        "answers": participation.assignments.filter(answered_at__isnull=False).count(),
    }


def _ended(participation: Participation, here: Ended) -> tuple[str, Values]:
    return "ended", {}


PAGES: dict[type, Callable[[Participation, Any], tuple[str, Values]]] = {
    Consent: _consent,
    Screen: _screen,
    Rest: _rest,
    Finished: _finished,
    Ended: _ended,
}
