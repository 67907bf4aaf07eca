"""What managers do while a round runs; each may be refused."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.domain.errors import Refusal
from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.judgment.item_changes import reinstate_items
from annotation.domain.participation.deadlines import move_deadline, move_round_deadline
from annotation.domain.participation.lifecycle import exclude, reassign, shorten_pause
from annotation.domain.participation.reinstatement import restore
from annotation.domain.project.lifecycle import close_project, reopen_project
from annotation.domain.project.pause import pause_project, resume_project
from annotation.models import Item, Participation, Project, RoundDeadline, User
from tests.state_machine.worlds import World

By = dict[str, Any]
"""The reason, the manager and the time."""


def try_to(act: Callable[..., object], *what: object) -> bool:
    """Return whether it was done; a refusal changes nothing."""
    try:
        with transaction.atomic():
            act(*what)
    except Refusal:
        return False
    return True


ON_PERSON: dict[str, Callable[[int, datetime, By], object]] = {
    "exclude": lambda place, later, by: exclude(participation_id=place, **by),
    "reinstate": lambda place, later, by: restore(participation_id=place, **by),
    "reassign": lambda place, later, by: reassign(participation_id=place, **by),
    "shorten the pause": lambda place, later, by: shorten_pause(participation_id=place, until=later, **by),
    "set a deadline": lambda place, later, by: move_deadline(participation_id=place, due_at=later, closes=True, **by),
}


def _set_deadline(world: World, later: datetime, by: By) -> None:
    move_round_deadline(project=present(world), round_key=world.round, due_at=later, closes=True, **by)


ON_PROJECT: dict[str, Callable[[World, datetime, By], object]] = {
    "pause": lambda world, later, by: pause_project(project=present(world), **by),
    "resume": lambda world, later, by: resume_project(project=present(world), **by),
    "close": lambda world, later, by: close_project(project=present(world), **by),
    "reopen": lambda world, later, by: reopen_project(project=present(world), **by),
    "set a deadline": _set_deadline,
}


def _ask_for_more(world: World, item: Item, by: By) -> None:
    ask_for_more(project=present(world), round_key=world.round, keys=[item.key], further=1, **by)


ON_ITEMS: dict[str, Callable[[World, Item, By], object]] = {
    "ask for more": _ask_for_more,
    "withdraw": lambda world, item, by: withdraw_items(project=present(world), keys=[item.key], **by),
    "reinstate": lambda world, item, by: reinstate_items(project=present(world), keys=[item.key], **by),
}


def present(world: World) -> Project:
    return Project.objects.get(pk=world.project.pk)


def open_again(world: World, manager: User, now: datetime) -> None:
    """End the pause and all deadlines, and open the project again."""
    by = {"reason": "For the end.", "actor": manager, "now": now}
    for act in ("resume", "reopen"):
        try_to(ON_PROJECT[act], world, now, by)
    Participation.objects.filter(project=world.project).update(due_at=None, due_closes=False)
    RoundDeadline.objects.filter(project=world.project).delete()
