"""Imports of practice sets: examples, practice and check tasks of a best-worst project, all of a file or nothing."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.material.rows import Problems, Row, looks_like_json, read_rows
from annotation.domain.material.values import language_of, list_of, number_of, text_of
from annotation.models import PracticeAnswer, PracticePart, PracticeTask, Project, User
from annotation.models.audit_actions import Action
from annotation.protocols.terms import Material

COLUMNS = ("part", "texts", "turns", "language", "best", "worst", "why")
TEXT = re.compile(r"text(\d{1,2})b?")  # of CSV: text1, and for pairs text1b beside it
LONGEST_SPEAKER, LONGEST_REASON = 200, 5_000  # characters
PARTS = ", ".join(PracticePart.values)
ANSWERED = _("The practice set can't be changed any more because an annotator has already answered one of its tasks.")


@transaction.atomic
def import_practice(*, project: Project, path: Path, actor: User | None = None, now: datetime) -> dict[str, int]:
    """Replace the practice set by the tasks of a file, and return the number of tasks of each part.

    Raises:
        FileRefused: the file has problems; the error lists all of them.
        Refusal: the project compares nothing, or somebody has answered a task.
    """
    lock_unanswered(project)
    problems = Problems()
    tasks = list(_read_tasks(project, path, problems))
    if not tasks and not problems.found:
        problems.add(0, "", _("The file contains no tasks."))
    problems.refuse()
    project.practice_tasks.all().delete()
    PracticeTask.objects.bulk_create(tasks)
    counts = Counter(task.part for task in tasks)
    outcome = {part: counts[part] for part in PracticePart.values}
    write_down(Action.PRACTICE_SET_IMPORTED, project, actor=actor, now=now, **outcome)
    return outcome


@transaction.atomic
def remove_practice(*, project: Project, actor: User | None, now: datetime) -> None:
    """Remove the practice set, so that work begins without it. Raise Refusal if somebody has answered a task."""
    lock_unanswered(project)
    if project.practice_tasks.exists():
        project.practice_tasks.all().delete()
        write_down(Action.PRACTICE_SET_REMOVED, project, actor=actor, now=now)


def is_answered(project: Project) -> bool:
    """Return whether somebody has answered a task, after which the set cannot be changed."""
    return PracticeAnswer.objects.filter(task__project=project).exists()


def lock_unanswered(project: Project) -> None:
    """Lock the project, as every answer does, and raise Refusal if it has no tuples or an answered task."""
    Project.objects.select_for_update().get(pk=project.pk)
    if not tuple_sizes(project):
        raise Refusal(_("Only projects with best-worst choices can have a practice set."))
    if is_answered(project):
        raise Refusal(ANSWERED)


def tuple_sizes(project: Project) -> list[int]:
    """Return the numbers of items that a screen of the project may have, in ascending order."""
    designs = [round_.design for round_ in project.protocol.rounds]
    return sorted({design.tuple_size for design in designs if design.compares})


def _read_tasks(project: Project, path: Path, problems: Problems) -> Iterator[PracticeTask]:
    is_json = looks_like_json(path)
    positions: Counter[str] = Counter()
    for line, row in read_rows(path, required=() if is_json else ("part", "best", "worst"), problems=problems):
        task = task_of_row(project, row if is_json else _with_texts_together(row), line, problems)
        positions[task.part] += 1
        task.position = positions[task.part]
        yield task


def task_of_row(project: Project, row: Row, line: int, problems: Problems) -> PracticeTask:
    """Return the unsaved task of a row, without its position, and add what is wrong to the problems."""
    _check_columns(row, line, problems)
    return PracticeTask(
        project=project,
        part=_part(row, line, problems),
        texts=_texts(project, row, line, problems),
        turns=_turns(project, row, line, problems),
        language=language_of(row, line, problems),
        why=text_of(row, "why", line, problems, needed=False, longest=LONGEST_REASON),
        **_solution(row, line, problems),
    )


def _with_texts_together(row: Row) -> Row:
    """Return a row of CSV in the form of JSON Lines: `text1` and `text1b` are the two texts of the first item."""
    texts: dict[int, list[str]] = {}
    rest: Row = {}
    for name, value in sorted(row.items()):
        if found := TEXT.fullmatch(name):
            texts.setdefault(int(found[1]), []).append(value)
        else:
            rest[name] = value
    return rest | {"texts": [texts[number] for number in sorted(texts)]}


def _check_columns(row: Row, line: int, problems: Problems) -> None:
    for name in sorted(set(row).difference(COLUMNS)):
        problems.add(
            line,
            name,
            _("This is not a column of practice tasks. The columns are: %(columns)s.")
            % {"columns": ", ".join(COLUMNS)},
        )


def _part(row: Row, line: int, problems: Problems) -> str:
    part = text_of(row, "part", line, problems).lower()
    if part and part not in PracticePart.values:
        problems.add(
            line,
            "part",
            _("“%(part)s” is not a part of the practice set. Use one of: %(parts)s.")
            % {"part": part[:40], "parts": PARTS},
        )
    return part


def _texts(project: Project, row: Row, line: int, problems: Problems) -> list[list[str]]:
    """Return the texts of each item; report a number of items that no round compares, and items that are the same."""
    wanted = 2 if project.protocol.material == Material.PAIRS else 1
    texts = [
        _item(value, wanted, f"texts[{number}]", line, problems)
        for number, value in enumerate(list_of(row.get("texts"), "texts", line, problems), start=1)
    ]
    sizes = tuple_sizes(project)
    if isinstance(row.get("texts"), list) and len(texts) not in sizes:
        compared = " / ".join(map(str, sizes))
        problems.add(
            line,
            "texts",
            _("The task has %(number)s items, but this project compares %(sizes)s at a time.")
            % {"number": len(texts), "sizes": compared},
        )
    for number, item in enumerate(texts, start=1):
        if all(item) and texts.index(item) < number - 1:
            problems.add(
                line,
                f"texts[{number}]",
                _("This is the same as texts[%(number)s]. Change or remove one of them.")
                % {"number": texts.index(item) + 1},
            )
    return texts


def _item(value: Any, wanted: int, column: str, line: int, problems: Problems) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    if len(texts) != wanted:
        pair, text = _("This must be a list of two texts."), _("This must be one text.")
        problems.add(line, column, str(pair if wanted == 2 else text))
        return []
    names = [f"{column}[{place}]" for place in range(1, wanted + 1)] if wanted > 1 else [column]
    return [text_of({name: text}, name, line, problems) for name, text in zip(names, texts, strict=True)]


def _turns(project: Project, row: Row, line: int, problems: Problems) -> list[dict[str, str]]:
    """Return the dialogue of utterances; pairs and single texts have none."""
    turns = row.get("turns") or []
    if project.protocol.material != Material.DIALOGUES:
        if turns:
            problems.add(line, "turns", _("Only projects with dialogues can have turns. Remove this column."))
        return []
    if not turns:
        problems.add(line, "turns", _("The dialogue is missing. Add a list of turns with “speaker” and “text”."))
        return []
    return [
        _turn(turn, f"turns[{number}]", line, problems)
        for number, turn in enumerate(list_of(turns, "turns", line, problems), start=1)
    ]


def _turn(value: Any, column: str, line: int, problems: Problems) -> dict[str, str]:
    if not isinstance(value, dict):
        problems.add(line, column, _("This must be a JSON object with “speaker” and “text”."))
        return {}
    named = {f"{column}.{name}": part for name, part in value.items()}
    return {
        "speaker": text_of(named, f"{column}.speaker", line, problems, needed=False, longest=LONGEST_SPEAKER),
        "text": text_of(named, f"{column}.text", line, problems),
    }


def _solution(row: Row, line: int, problems: Problems) -> dict[str, int]:
    """Return the numbers of the best and the worst item, which are different and count from 1."""
    items = len(row["texts"]) if isinstance(row.get("texts"), list) else 0
    solution = {name: number_of(row, name, line, problems) for name in ("best", "worst")}
    for name, number in solution.items():
        if items and number is not None and not 1 <= number <= items:
            problems.add(
                line,
                name,
                _("There is no item %(number)s. Use a number from 1 to %(items)s.")
                % {"number": number, "items": items},
            )
    if solution["best"] is not None and solution["best"] == solution["worst"]:
        problems.add(line, "worst", _("Best and worst must be different items."))
    return {name: number or 0 for name, number in solution.items()}
