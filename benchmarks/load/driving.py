"""People who answer at once, as fast as the server lets them."""

import math
import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Protocol

import numpy as np


class Person(Protocol):
    """Somebody with a browser."""

    def open(self) -> bool:
        """Open the first screen; return whether there is one."""

    def answer(self, chance: random.Random) -> object | None:
        """Send an answer and receive the next screen.

        Returns: what the server acknowledged, or None if there is nothing to answer any more.
        """

    def close(self) -> None: ...


class NotAcknowledged(Exception):
    """The server did not confirm an answer; the message says what it did instead."""


@dataclass
class Outcome:
    """Answers of one run. seconds: how long it took; latencies: of each answer, in seconds."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    acknowledged: list[object] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    own_seconds: float = 0.0
    """Processor time of the clients themselves."""

    @property
    def answers(self) -> int:
        return len(self.latencies)

    @property
    def rate(self) -> float:
        return self.answers / self.seconds

    def percentile(self, share: float) -> float:
        """Return how many milliseconds an answer took that was slower than this share in per cent."""
        return float(np.percentile(self.latencies, share) * 1000) if self.latencies else float("nan")


@dataclass
class Crowd:
    """The people of a world; whoever finished is followed by the next, on the same client."""

    waiting: SimpleQueue[Person]

    @classmethod
    def of(cls, people: Sequence[Person]) -> "Crowd":
        queue: SimpleQueue[Person] = SimpleQueue()
        for person in people:
            queue.put(person)
        return cls(queue)

    def next(self) -> Person | None:
        """Return the next person with a screen to answer, or None if nobody has one."""
        while True:
            try:
                person = self.waiting.get_nowait()
            except Empty:
                return None
            if person.open():
                return person
            person.close()

    def put_back(self, person: Person) -> None:
        person.close()
        self.waiting.put(person)


def drive(
    crowd: Crowd,
    *,
    clients: int,
    seconds: float = math.inf,
    over: threading.Event | None = None,
    ready: Callable[[], None],
    seed: int = 0,
) -> Outcome:
    """Let so many people answer for so long, or until something is over.

    Parameters: ready, called when all of them have their first screen, before the first answer is sent.

    Raises:
        Exception: as a person's `open` raised it.
    """
    outcome, gate = Outcome(), threading.Barrier(clients + 1)
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            person = crowd.next()
        except Exception as failure:
            failures.append(failure)
            gate.abort()  # or everybody would wait for this one
            return
        gate.wait()
        gate.wait()
        _answer_until(time.perf_counter() + seconds, over, crowd, person, random.Random(f"{seed} {number}"), outcome)

    with ThreadPoolExecutor(clients) as pool:
        working = [pool.submit(work, number) for number in range(clients)]
        try:
            gate.wait()
        except threading.BrokenBarrierError:
            raise failures[0] from None
        ready()
        _time(gate, working, outcome)
    return outcome


def _time(gate: threading.Barrier, working: Iterable[Future[None]], outcome: Outcome) -> None:
    """Let everybody at the gate begin, and note the time until all have ended."""
    own, began = time.process_time(), time.perf_counter()
    gate.wait()
    for one in working:
        one.result()
    outcome.seconds, outcome.own_seconds = time.perf_counter() - began, time.process_time() - own


def _answer_until(
    until: float,
    over: threading.Event | None,
    crowd: Crowd,
    person: Person | None,
    chance: random.Random,
    outcome: Outcome,
) -> None:
    """Answer until the time is over. What several threads append to the lists is safe."""
    while person is not None and (began := time.perf_counter()) < until and not (over and over.is_set()):
        try:
            acknowledged = person.answer(chance)
        except NotAcknowledged as problem:
            outcome.problems.append(str(problem))
            person.close()
            person = crowd.next()
            continue
        if acknowledged is None:
            person.close()
            person = crowd.next()
            continue
        outcome.latencies.append(time.perf_counter() - began)
        outcome.acknowledged.append(acknowledged)
    if person is None:
        outcome.problems.append("The annotators ran out of items before the time was up.")
    else:
        crowd.put_back(person)
