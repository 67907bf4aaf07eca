"""What stands on a screen: a pair to rate, a tuple to compare, or a sentence to select for."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.utils.formats import number_format

from annotation.domain.flow import Screen
from annotation.domain.leasing import may_stop
from annotation.domain.pairing import Pick
from annotation.domain.progress import progress
from annotation.forms.answers import AnswerForm
from annotation.models import Assignment, Document, DocumentKind, Item, Participation
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Context
from annotation.queries import current
from annotation.texts import direction, highlighted, page_from_markdown, with_sentence_marked
from annotation.views.practice_pages import shown_examples

Values = dict[str, Any]


def screen_page(participation: Participation, here: Screen) -> tuple[str, Values]:
    """A rating, a choice or a selection; answered ones come with their present answer, to be given again."""
    assignment = here.assignment
    scale = participation.project.protocol.scale
    template, texts = _kind(assignment)
    counts, again = progress(assignment), assignment.answered_at is not None
    return template, {
        "assignment": assignment,
        "scale": scale,
        "points": _points(scale) if scale else [],
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


def _kind(assignment: Assignment) -> tuple[str, Callable[[Participation, Assignment], Values]]:
    if assignment.tuple:
        return "best_worst", _tuple
    return ("selection", _selection) if assignment.sentence else ("rating", _pair)


def _points(scale: Scale) -> list[dict[str, str]]:
    """Every point of the scale as it is written and as it is shown, with its label where it has one."""
    labels = {label.value: label.text for label in scale.labels}
    return [
        {"value": scale.write(point), "shown": number_format(scale.write(point)), "label": labels.get(point, "")}
        for point in scale.points
    ]


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


def _tuple(participation: Participation, assignment: Assignment) -> Values:
    """The items in the order drawn for this person; of a dialogue its turns, and the utterances alone."""
    design = participation.design
    places = assignment.tuple.places.select_related("item__group").order_by("position")
    designed = [place.item for place in places]
    items = [designed[int(digit) - 1] for digit in assignment.order]
    dialogue = items[0].group if design.grouped else None
    turns = dialogue.turns if dialogue else []
    language = (dialogue.language if dialogue else "") or participation.project.language
    return {
        "cards": [_card(participation, item, index, alone=bool(turns)) for index, item in enumerate(items, start=1)],
        "noun": "utterance" if turns else "pair",
        "best": design.best,
        "worst": design.worst,
        "design": design,
        "turns": turns,
        "language": language,
        "direction": direction(language),
        "chosen": _chosen_items(assignment),
        "examples": shown_examples(participation.project),
        "may_stop": may_stop(participation, Screen(assignment)),
    }


def _card(participation: Participation, item: Item, index: int, *, alone: bool) -> Values:
    """Parameters: alone, whether the first text stands above all cards already."""
    language = _language(participation, item)
    return {
        "index": index,
        "value": item.pk,
        "texts": [item.sentence2] if alone else [item.sentence1, item.sentence2],
        "language": language,
        "direction": direction(language),
    }


def _language(participation: Participation, item: Item) -> str:
    return item.language or (item.group.language if item.group else "") or participation.project.language


def _chosen_items(assignment: Assignment) -> Values:
    """The present answer of a choice, as the ids that the form sends."""
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
    if here.assignment.tuple:
        return {"chosen": form.choice()}
    if here.assignment.sentence is None:
        return {"chosen": form.value()}
    roles = participation.design.roles
    picks = form.picks([role.key for role in roles])
    return {"roles": [{"role": role, "pick": picks.get(role.key)} for role in roles]}
