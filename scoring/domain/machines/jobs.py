"""The work of a model as a job: one screen after the other, within its rate and its budget."""

import time
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import TryLater, note, queue_again
from annotation.domain.jobs.kinds import A_DAY, Address, Kind, Values, register
from annotation.models import User
from scoring.domain.machines.adding import is_working
from scoring.domain.machines.answers import read_choice, read_rating
from scoring.domain.machines.chat import Busy, Denied, Reply, ask
from scoring.domain.machines.costs import estimated_tokens, most_of_request, open_screens, spent_by
from scoring.domain.machines.prompts import instructions_of, prompt_of, shown_items
from scoring.domain.machines.screens import lay_out_screens
from scoring.models import Machine, MachineRun, MachineScreen, State
from scoring.models.audit_actions import ScoringAction

BATCH = 100  # screens that are read at once
MOST_INVALID = 3  # answers to a screen, after which it is given up
AT_A_TIME = 30.0  # seconds of work, after which other jobs have their turn
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before a busy server is asked again
LONGEST_WAIT = 60.0  # seconds; a server that wants to be left alone for longer is asked in a later attempt


@transaction.atomic
def start_machine(*, machine: Machine, actor: User | None, now: datetime) -> MachineRun:
    """Queue the work of a model, from its first screen or from where it stopped, and return the job.

    Raises:
        Refusal: it is answering already, has answered everything, or too many jobs wait.
    """
    machine = Machine.objects.select_for_update().select_related("project").get(pk=machine.pk)
    if is_working(machine):
        raise Refusal(_("The model is already answering."))
    if machine.screens.exists() and not open_screens(machine).exists():
        raise Refusal(_("The model has answered all its screens."))
    guard_queue(machine.project, actor)
    if not machine.started_at:
        machine.started_at, machine.instructions = now, instructions_of(machine)
        machine.save(update_fields=["started_at", "instructions"])
    run, new = MachineRun.objects.get_or_create(machine=machine, defaults={"created_by": actor})
    if not new:
        queue_again(MachineRun.objects.filter(pk=run.pk), created_by=actor)
        run.refresh_from_db()
    write_down(ScoringAction.MACHINE_STARTED, machine.project, actor=actor, now=now, name=machine.name)
    return run


def work(run: MachineRun) -> Values:
    """Answer open screens for a while, and return that the job is done or that it goes on.

    Raises:
        Refusal: the budget is spent, or the server denies the requests. TryLater: the server is busy.
    """
    machine, begun = run.machine, time.monotonic()
    lay_out_screens(machine)
    sitting = _Sitting(run)
    while screens := list(open_screens(machine).select_related("item__group", "tuple")[:BATCH]):
        for screen in screens:
            if time.monotonic() - begun > AT_A_TIME:
                return {"state": State.WAITING, "attempts_before": run.attempts}
            screen.machine = machine
            sitting.answer(screen)
    return {"done": sitting.total, "total": sitting.total}


class _Sitting:
    """A model at its screens: what it has done and spent so far, and how long the last request took."""

    def __init__(self, run: MachineRun) -> None:
        self.run, self.machine = run, run.machine
        self.total = self.machine.screens.count()
        self.done = self.total - open_screens(self.machine).count()
        self.spent, self.took = spent_by(self.machine).cost, 0.0

    def answer(self, screen: MachineScreen) -> None:
        """Ask until there is a valid answer, or as many invalid ones as there may be; each is stored at once."""
        prompt = prompt_of(screen)
        while screen.state == MachineScreen.State.OPEN:
            note(self.run, done=self.done, total=self.total)
            self._guard_budget(prompt)
            reply = self._asked(prompt, self._seed(screen))
            self.spent += _store(screen, prompt, self._seed(screen), reply, self.took)
            time.sleep(max(0.0, 60 / self.machine.per_minute - self.took))
        self.done += 1

    def _seed(self, screen: MachineScreen) -> int:
        """Return the seed that is sent: one for each repeat, so that a server that keeps answers is asked again."""
        return self.machine.seed + screen.repeat - 1

    def _guard_budget(self, prompt: str) -> None:
        """Raise Refusal if the next answer could cost more than is left."""
        budget = self.machine.budget
        if budget is not None and self.spent + most_of_request(self.machine, prompt) > budget:
            reason = _(
                "The budget is used up: %(spent)s of %(budget)s spent, and the next answer could cost more than the "
                "rest. %(done)s of %(total)s screens are done. Increase the budget and continue."
            )
            figures = {"spent": round(self.spent, 4), "budget": budget, "done": self.done, "total": self.total}
            raise Refusal(reason % figures)

    def _asked(self, prompt: str, seed: int) -> Reply:
        """Return the reply of the server, asked again while it is busy. Raise Refusal if it denies the request;
        TryLater if it stays busy, or wants to be left alone for long."""
        for wait in WAITS:
            try:
                return self._asked_once(prompt, seed)
            except Busy as error:
                longer = max(wait, error.wait or 0.0)
                if longer > LONGEST_WAIT:
                    raise TryLater(str(error)) from error
            time.sleep(longer)
            note(self.run, done=self.done)
        try:
            return self._asked_once(prompt, seed)
        except Busy as error:
            raise TryLater(str(error)) from error

    def _asked_once(self, prompt: str, seed: int) -> Reply:
        begun = time.monotonic()
        try:
            return ask(self.machine, prompt, seed, timezone.now())
        except Denied as error:
            raise Refusal(str(error)) from error
        finally:
            self.took = time.monotonic() - begun


def _store(screen: MachineScreen, prompt: str, seed: int, reply: Reply, took: float) -> Decimal:
    """Store an answer with its cost, and close the screen if it is valid or the last one. Return the cost.

    It was paid for, so it is kept even if the job was cancelled meanwhile; if another worker has answered the screen,
    theirs is kept.
    """
    values, problem = _read(screen, reply.text)
    attempt, tokens = screen.answers.count() + 1, _tokens(screen, prompt, reply)
    cost = screen.machine.cost_of(tokens["prompt_tokens"], tokens["answer_tokens"])
    over = MachineScreen.State.GIVEN_UP if attempt >= MOST_INVALID else MachineScreen.State.OPEN
    screen.state = over if problem else MachineScreen.State.ANSWERED
    try:
        with transaction.atomic():
            screen.answers.create(
                attempt=attempt,
                problem=problem,
                prompt=prompt,
                raw=reply.text,
                seed=seed,
                reported_model=reply.model,
                fingerprint=reply.fingerprint,
                cost=cost,
                milliseconds=round(took * 1000),
                answered_at=timezone.now(),
                **tokens,
                **values,
            )
            screen.save(update_fields=["state"])
    except IntegrityError:
        screen.refresh_from_db(fields=["state"])
    return cost


def _tokens(screen: MachineScreen, prompt: str, reply: Reply) -> dict[str, Any]:
    """Return the tokens as the server reports them, or estimated if it does not."""
    sent, answered = reply.prompt_tokens, reply.answer_tokens
    if sent is not None and answered is not None:
        return {"prompt_tokens": sent, "answer_tokens": answered}
    sent = estimated_tokens(screen.machine.instructions + prompt)
    return {"prompt_tokens": sent, "answer_tokens": estimated_tokens(reply.text), "estimated": True}


def _read(screen: MachineScreen, text: str) -> tuple[dict[str, Any], str]:
    """Return the fields of an answer, and why it is not valid; "" for a valid one."""
    design = screen.machine.asked.design
    try:
        if design.compares:
            best, worst = read_choice(text, design, [item.pk for item in shown_items(screen)])
            return {"best_id": best, "worst_id": worst}, ""
        return {"value": read_rating(text, screen.machine.project.protocol.scale)}, ""
    except Refusal as error:
        return {}, str(error)


def _ended(run: MachineRun) -> None:
    """Log what was answered and spent: from then on the results of earlier scoring runs are out of date."""
    spent = spent_by(run.machine)
    write_down(
        ScoringAction.MACHINE_ENDED,
        run.machine.project,
        actor=run.created_by,
        now=run.ended_at or timezone.now(),
        name=run.machine.name,
        answers=spent.valid,
        cost=f"{spent.cost:.4f}",
    )


def _next(run: MachineRun) -> list[Address]:
    """Return the job itself if it only made room for others; a busy server is asked again when it is due."""
    goes_on = run.state == State.WAITING and run.not_before is None
    return [("machine", run.pk)] if goes_on else []


register(
    Kind(
        "machine",
        MachineRun,
        gettext_lazy("Model as annotator"),
        work,
        project="machine__project",
        waits=A_DAY,
        ended=_ended,
        followers=_next,
    )
)
