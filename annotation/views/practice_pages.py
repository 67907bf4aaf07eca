"""The values of the practice pages, by stage; and a task with its solution."""

from typing import Any

from annotation.domain.participation.flow import Practice
from annotation.domain.practice.answers import examples, practised
from annotation.domain.practice.stages import CheckAhead, Feedback, Passed, Stage, Try, shown_order, stage_of
from annotation.models import Participation, PracticeAnswer, PracticeTask, Project
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.texts import direction, page_from_markdown

Values = dict[str, Any]


def practice_page(participation: Participation, place: Practice) -> tuple[str, Values]:
    """Return the template and values of the page that a practising person sees now."""
    return page_of_stage(participation, stage_of(participation))


def page_of_stage(participation: Participation, stage: Stage) -> tuple[str, Values]:
    project, design = participation.project, participation.design
    shared = {
        "stage": stage,
        "question": project.protocol.question,
        "guidelines": page_from_markdown(project.guidelines),
        "examples": shown_examples(project),
        **_named(project, design),
    }
    match stage:
        case Try():
            return "practice", shared | _task_to_answer(participation, stage)
        case Feedback(answer=answer):
            return "practice_feedback", shared | {"solved": solved(project, answer.task, design, answer)}
        case CheckAhead():
            return "practice_check", shared | {"has_practised": bool(practised(participation))}
        case Passed():
            return "practice_over", shared
        case _:  # in another window the check was failed for good in this very moment
            return "ended", {"failed_check": stage}


def _named(project: Project, design: BestWorstDesign) -> Values:
    return {"noun": project.protocol.material.noun, "best": design.best, "worst": design.worst}


def _task_to_answer(participation: Participation, stage: Try) -> Values:
    """Return a task as the work shows its tuples, without its solution."""
    task = stage.task
    language = task.language or participation.project.language
    script = {"language": language, "direction": direction(language)}
    cards = [
        {"index": index, "value": number, "texts": task.texts[number - 1], **script}
        for index, number in enumerate(shown_order(participation, stage), start=1)
    ]
    return {"turns": task.turns, "cards": cards, **script}


def shown_examples(project: Project) -> list[Values]:
    """Return the worked examples with their solutions; an empty list unless the project compares tuples."""
    design = best_worst_design(project)
    return [solved(project, task, design) for task in examples(project)] if design else []


def best_worst_design(project: Project) -> BestWorstDesign | None:
    """Return the project's first design that compares tuples, or None."""
    return next((round_.design for round_ in project.protocol.rounds if round_.design.compares), None)


def solved(
    project: Project, task: PracticeTask, design: BestWorstDesign, answer: PracticeAnswer | None = None
) -> Values:
    """Return a task with its solution, and with the person's choice if they have answered."""
    language = task.language or project.language
    return _named(project, design) | {
        "task": task,
        "answer": answer,
        "language": language,
        "direction": direction(language),
        "verdicts": [_verdict(name, kind, task, answer) for kind, name in _kinds(design)] if answer else [],
        "items": [
            {"index": number, "texts": texts, "marks": _marks(number, task, design, answer)}
            for number, texts in enumerate(task.texts, start=1)
        ],
        "why": page_from_markdown(task.why),
    }


def _kinds(design: BestWorstDesign) -> tuple[tuple[str, str], ...]:
    return ("best", design.best), ("worst", design.worst)


def _verdict(name: str, kind: str, task: PracticeTask, answer: PracticeAnswer) -> Values:
    right, chosen = getattr(task, kind), getattr(answer, kind)
    return {"kind": kind, "name": name, "right": right, "chosen": chosen, "is_right": right == chosen}


def _marks(
    number: int, task: PracticeTask, design: BestWorstDesign, answer: PracticeAnswer | None
) -> list[dict[str, Any]]:
    """Return the marks of an item: what it is, and what the person wrongly took it for."""
    marks = []
    for kind, name in _kinds(design):
        right, chosen = getattr(task, kind), getattr(answer, kind, None)
        if number == right:
            marks.append({"kind": kind, "name": name, "chosen": chosen == right, "is_right": True})
        elif number == chosen:
            marks.append({"kind": kind, "name": name, "chosen": True, "is_right": False})
    return sorted(marks, key=lambda mark: not mark["is_right"])
