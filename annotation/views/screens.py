"""The values of a screen: a pair to rate, a tuple to compare, or a sentence to select for."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from uuid import uuid4

from django.utils.functional import SimpleLazyObject

from annotation.domain.judgment.selected_pairs import Pick
from annotation.domain.participation.flow import Screen
from annotation.domain.participation.leasing import may_stop
from annotation.domain.participation.progress import progress
from annotation.forms.answers import AnswerForm
from annotation.models import Assignment, Document, DocumentKind, Item, Participation
from annotation.protocols.terms import Context
from annotation.queries.counting import current
from annotation.queries.screens import add_places
from annotation.texts import direction, highlighted, page_from_markdown, with_sentence_marked
from annotation.views.practice_pages import shown_examples

Values = dict[str, Any]


def screen_page(participation: Participation, screen: Screen) -> tuple[str, Values]:
    """Return the template and values of a screen; an answered one has its present answer, which can be changed."""
    assignment = screen.assignment
    template, texts = _kind(assignment)
    counts, again = progress(assignment), assignment.answered_at is not None
    return template, {
        "assignment": assignment,
        "scale": participation.project.protocol.scale,
        "question": participation.project.protocol.question,
        "progress": counts,
        "sessions": len(participation.project.round(participation.round).sessions),
        "guidelines": page_from_markdown(participation.project.guidelines),
        "key": uuid4(),
        "again": again,
        # Ratings are answered in order, so that the answered ones of the block precede this screen.
        "may_go_back": assignment.sentence is None and not again and counts.block_done > 0,
        **texts(participation, assignment),
    }


def _kind(assignment: Assignment) -> tuple[str, Callable[[Participation, Assignment], Values]]:
    if assignment.tuple:
        return "best_worst", _tuple
    return ("selection", _selection) if assignment.sentence else ("rating", _pair)


def _pair(participation: Participation, assignment: Assignment) -> Values:
    item = assignment.item
    language = item.language or participation.project.language
    contexts = (item.context1, item.context2) if assignment.context == Context.DEPENDENT else ("", "")
    return {
        "texts": list(map(with_sentence_marked, contexts, (item.sentence1, item.sentence2))),
        "in_context": assignment.context == Context.DEPENDENT,
        "language": language,
        "direction": direction(language),
        "chosen": _chosen_value(participation, assignment),
        "may_stop": may_stop(participation, Screen(assignment)),
    }


def _chosen_value(participation: Participation, assignment: Assignment) -> str:
    """Return the present answer of a rating as text; an empty text for an open one."""
    if assignment.answered_at is None:
        return ""
    return participation.project.protocol.scale.write(current(assignment.judgments.all()).get().value)


def _tuple(participation: Participation, assignment: Assignment) -> Values:
    """Return the items in the order drawn for this person; for a dialogue its turns, and the utterances alone."""
    design = participation.design
    add_places([assignment.tuple])  # which was leased just now
    designed = [place.item for place in assignment.tuple.places.all()]
    items = [designed[int(digit) - 1] for digit in assignment.order]
    dialogue = items[0].group if design.grouped else None
    turns = dialogue.turns if dialogue else []
    language = (dialogue.language if dialogue else "") or participation.project.language
    return {
        "cards": [_card(participation, item, index, alone=bool(turns)) for index, item in enumerate(items, start=1)],
        "noun": participation.project.protocol.material.noun,
        "best": design.best,
        "worst": design.worst,
        "design": design,
        "turns": turns,
        "language": language,
        "direction": direction(language),
        "chosen": _chosen_items(assignment),
        "examples": SimpleLazyObject(lambda: shown_examples(participation.project)),  # for the guidelines alone
        "may_stop": may_stop(participation, Screen(assignment)),
    }


def _card(participation: Participation, item: Item, index: int, *, alone: bool) -> Values:
    """Return an item as a card; `alone`, without the first text, which is shown above all cards."""
    language = item.language or (item.group.language if item.group else "") or participation.project.language
    texts = [item.sentence2] if alone else item.texts
    return {"index": index, "value": item.pk, "texts": texts, "language": language, "direction": direction(language)}


def _chosen_items(assignment: Assignment) -> Values:
    """Return the present answer of a choice, as the ids that the form sends."""
    if assignment.answered_at is None:
        return {}
    judgment = current(assignment.judgments.all()).get()
    return {"best": judgment.best_id, "worst": judgment.worst_id, "hard_to_say": judgment.hard_to_say}


def _selection(participation: Participation, assignment: Assignment) -> Values:
    design = participation.design
    incident = assignment.sentence.document.incident
    language = incident.language or participation.project.language
    documents = list(Document.objects.filter(incident=incident).prefetch_related("sentences"))
    reports = [document for document in documents if document.kind == DocumentKind.REPORT]
    sentences = [sentence for report in reports for sentence in report.sentences.all()]
    texts = highlighted(
        [sentence.text for sentence in sentences],
        assignment.sentence.text,
        language=language,
        alike=design.marks_words_alike,
        inflected=design.marks_inflected_forms,
    )
    marked = dict(zip(sentences, texts, strict=True))
    chosen = _chosen_pairs(participation, assignment)
    siblings = participation.assignments.filter(session=assignment.session)
    siblings = siblings.filter(sentence__document=assignment.sentence.document_id)
    return {
        "incident": incident,
        "roles": [{"role": role, "pick": chosen.get(role.key)} for role in design.roles],
        "siblings": siblings.select_related("sentence").order_by("position"),
        "reports": [
            {"report": report, "sentences": [(sentence, marked[sentence]) for sentence in report.sentences.all()]}
            for report in reports
        ],
        "language": language,
        "direction": direction(language),
    }


def _chosen_pairs(participation: Participation, assignment: Assignment) -> dict[str, Pick]:
    """Return the present answer of a selection, by role."""
    if assignment.answered_at is None:
        return {}
    scale = participation.project.protocol.scale
    pairs = current(assignment.judgments.all()).get().pairs.select_related("item")
    return {pair.role: Pick(pair.item.report_sentence_id, scale.write(pair.value)) for pair in pairs}


def filled_in(participation: Participation, screen: Screen, form: AnswerForm) -> Values:
    """Return the values of a refused answer, so that only the fault has to be corrected."""
    if screen.assignment.tuple:
        return {"chosen": asdict(form.choice())}
    if screen.assignment.sentence is None:
        return {"chosen": form.value()}
    roles = participation.design.roles
    picks = form.picks([role.key for role in roles])
    return {"roles": [{"role": role, "pick": picks.get(role.key)} for role in roles]}
