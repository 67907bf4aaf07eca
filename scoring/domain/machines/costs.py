"""The cost of a model: a forecast before its start, what it has spent, and the bound that keeps it in its budget."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from math import ceil
from zlib import crc32

import numpy as np
from django.db.models import Count, Q, QuerySet, Sum, prefetch_related_objects

from scoring.domain.machines.prompts import instructions_of, prompt_of
from scoring.domain.machines.screens import material_of, number_of_screens, planned_screens, some_of
from scoring.models import Machine, MachineAnswer, MachineScreen

SAMPLED = 50  # screens from which the length of prompts is estimated
BYTES_A_TOKEN = 4  # of English; other languages need more tokens
ANSWERED = 12  # tokens of an answer of the requested form
FRAME = 32  # tokens that a server may add around two messages


@dataclass(frozen=True)
class Forecast:
    """requests: screens still open, each at least one request. cost: expected; most: if every answer is as long as
    allowed and every prompt has as many tokens as bytes. minutes: at the permitted rate, without the model's time."""

    requests: int
    prompt_tokens: int
    answer_tokens: int
    cost: Decimal
    most: Decimal
    minutes: int


@dataclass(frozen=True)
class Spent:
    """What a model has answered and spent so far."""

    answers: int
    invalid: int
    prompt_tokens: int
    answer_tokens: int
    cost: Decimal

    @property
    def valid(self) -> int:
        return self.answers - self.invalid


def forecast_of(machine: Machine) -> Forecast:
    """Return the forecast of what is still to be done. Raise Refusal if there is nothing to judge in the round."""
    requests, shown = _still_to_do(machine)
    for screen in shown:
        screen.machine = machine
    prefetch_related_objects(shown, "item", "tuple")
    fixed = len((machine.instructions or instructions_of(machine)).encode())
    lengths = [fixed + len(prompt_of(screen).encode()) for screen in shown] or [0]
    prompt = ceil(sum(lengths) / len(lengths) / BYTES_A_TOKEN) + FRAME
    answer = min(ANSWERED, machine.max_tokens)
    return Forecast(
        requests=requests,
        prompt_tokens=requests * prompt,
        answer_tokens=requests * answer,
        cost=machine.cost_of(requests * prompt, requests * answer),
        most=machine.cost_of(requests * (max(lengths) + FRAME), requests * machine.max_tokens),
        minutes=ceil(requests / machine.per_minute),
    )


def _still_to_do(machine: Machine) -> tuple[int, list[MachineScreen]]:
    """Return how many screens are still to be answered, and some of them: the first ones, or before the start those of
    a sample, as all of a large round take long to draw."""
    if machine.screens.exists():
        return open_screens(machine).count(), list(open_screens(machine)[:SAMPLED])
    material = material_of(machine)
    sample = some_of(material, SAMPLED, np.random.default_rng([machine.seed, crc32(b"forecast")]))
    return number_of_screens(machine, material), list(islice(planned_screens(machine, sample), SAMPLED))


def open_screens(machine: Machine) -> QuerySet[MachineScreen]:
    """Return the screens that are still to be answered, in order."""
    rows = machine.screens.filter(state=MachineScreen.State.OPEN)
    return rows.order_by("repeat", "reversed", "session", "position")


def spent_by(machine: Machine) -> Spent:
    """Return what the model has answered and spent; invalid answers cost as much as valid ones."""
    found = MachineAnswer.objects.filter(screen__machine=machine).aggregate(
        answers=Count("pk"),
        invalid=Count("pk", filter=~Q(problem="")),
        prompt_tokens=Sum("prompt_tokens", default=0),
        answer_tokens=Sum("answer_tokens", default=0),
        cost=Sum("cost", default=Decimal(0)),
    )
    return Spent(**found)


def most_of_request(machine: Machine, prompt: str) -> Decimal:
    """Return the greatest cost of a request: no text has more tokens than bytes."""
    sent = len(machine.instructions.encode()) + len(prompt.encode()) + FRAME
    return machine.cost_of(sent, machine.max_tokens)


def estimated_tokens(text: str) -> int:
    """Return the tokens of a text for a server that reports none."""
    return ceil(len(text.encode()) / BYTES_A_TOKEN)
