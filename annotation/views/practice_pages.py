"""What stands on the pages of the practice, by where somebody is in it; and a task with its solution."""

from typing import Any

from annotation.domain.flow import Practice
from annotation.domain.practice_stages import CheckAhead, Feedback, Passed, Stage, Try, shown_order, stage_of
from annotation.domain.practising import as_percent, examples, practised
from annotation.models import Participation, PracticeAnswer, PracticeTask, Project
from annotation.protocols.spec import BestWorstDesign, Material
from annotation.texts import direction, page_from_markdown

Values = dict[str, Any]


def practice_page(participation: Participation, here: Practice) -> tuple[str, Values]:
    """Template and values of the page that a practising person sees now."""
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
            return "practice_check", shared | {
                "asked": as_percent(design.check_share),
                "has_practised": bool(practised(participation)),
            }
        case Passed():
            return "practice_over", shared
        case _:  # in another window the check was failed for good in this very moment
            return "ended", {"failed_check": stage}


def _named(project: Project, design: BestWorstDesign) -> Values:
    return {"noun": noun_of(project), "best": design.best, "worst": design.worst}


def noun_of(project: Project) -> str:
    """What one of the things compared is called."""
    return "utterance" if project.protocol.material == Material.DIALOGUES else "pair"


def _task_to_answer(participation: Participation, stage: Try) -> Values:
    """A task as the work shows its tuples; nothing of its solution."""
    task = stage.task
    language = task.language or participation.project.language
    return {
        "turns": task.turns,
        "language": language,
        "direction": direction(language),
        "cards": [
            {
                "index": index,
                "value": number,
                "texts": task.texts[number - 1],
                "language": language,
                "direction": direction(language),
            }
            for index, number in enumerate(shown_order(participation, stage), start=1)
        ],
    }


def shown_examples(project: Project) -> list[Values]:
    """The worked examples with their solutions; of other projects than best-worst ones there are none."""
    design = best_worst_design(project)
    return [solved(project, task, design) for task in examples(project)] if design else []


def best_worst_design(project: Project) -> BestWorstDesign | None:
    """The project's first design that compares tuples; None where there is none."""
    designs = (one.design for one in project.protocol.rounds)
    return next((design for design in designs if isinstance(design, BestWorstDesign)), None)


def solved(
    project: Project, task: PracticeTask, design: BestWorstDesign, answer: PracticeAnswer | None = None
) -> Values:
    """A task with its solution, and with what the person chose where they have answered."""
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
    """What is said beside an item: what it is, and what the person took it for where that is something else."""
    marks = []
    for kind, name in _kinds(design):
        right, chosen = getattr(task, kind), getattr(answer, kind, None)
        if number == right:
            marks.append({"kind": kind, "name": name, "chosen": chosen == right, "is_right": True})
        elif number == chosen:
            marks.append({"kind": kind, "name": name, "chosen": True, "is_right": False})
    return sorted(marks, key=lambda mark: not mark["is_right"])
