"""Models as arms of a round: added, given another budget or key, and removed."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import Project, User
from annotation.models.jobs import NOT_ENDED
from scoring.domain.machines.chat import rules
from scoring.domain.machines.screens import material_of
from scoring.domain.outgoing.requests import check_url
from scoring.models import Machine
from scoring.models.audit_actions import ScoringAction


def add_machine(*, project: Project, actor: User | None, now: datetime, values: Mapping[str, Any]) -> Machine:
    """Store and return a model that may answer in a round; nothing is sent before it is started.

    Parameters: values, fields of `Machine`.

    Raises:
        Refusal: nothing is planned in the round, the address is not allowed, a value is invalid, the name is taken, or
            a model with a price has no budget.
    """
    machine = Machine(project=project, created_by=actor, created_at=now, **values)
    material_of(machine)
    check_url(machine.url, private=rules().private)
    _check(machine)
    try:
        with transaction.atomic():
            machine.save()
            _log(ScoringAction.MACHINE_ADDED, machine, actor, now, model=machine.model, round=machine.round)
    except IntegrityError as error:
        raise Refusal(_("This project already has a model named “%(name)s”.") % {"name": machine.name}) from error
    return machine


def _check(machine: Machine) -> None:
    if machine.reverses and machine.asked.design.compares:
        raise Refusal(_("Only pairs can be rated in reverse order. Tuples are shown in a random order anyway."))
    if machine.budget is None and (machine.price_prompt or machine.price_answer):
        raise Refusal(_("Set a budget: this model costs money."))
    try:
        machine.clean_fields(exclude=("project", "created_by"))
    except ValidationError as error:
        raise Refusal("; ".join(f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items())) from error


@transaction.atomic
def change_machine(
    *, machine: Machine, budget: Decimal | None, api_key: str, actor: User | None, now: datetime
) -> None:
    """Give a model another budget, and another key if there is a new one. Raise Refusal as `add_machine`."""
    machine.budget = budget
    machine.api_key = api_key or machine.api_key
    _check(machine)
    machine.save(update_fields=["budget", "api_key"])
    amount = "" if budget is None else str(budget)
    _log(ScoringAction.MACHINE_CHANGED, machine, actor, now, budget=amount, key=bool(api_key))


@transaction.atomic
def remove_machine(*, machine: Machine, actor: User | None, now: datetime) -> None:
    """Delete a model with its answers. Raise Refusal while it is answering."""
    if is_working(machine):
        raise Refusal(_("The model is still answering. Stop it first."))
    _log(ScoringAction.MACHINE_REMOVED, machine, actor, now, model=machine.model, round=machine.round)
    machine.delete()


def is_working(machine: Machine) -> bool:
    """Return whether the model is answering, or waits for a worker."""
    run = getattr(machine, "run", None)
    return run is not None and run.state in NOT_ENDED


def _log(action: ScoringAction, machine: Machine, actor: User | None, now: datetime, **details: Any) -> None:
    write_down(action, machine.project, actor=actor, now=now, name=machine.name, **details)
