"""Progress on standard error: only on a terminal, and only for work that takes longer than two seconds."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from typing import Any

from tqdm import tqdm

# disable=None leaves the bar out where standard error is no terminal; some terminals do not tell their size.
_bar = partial(tqdm, delay=2, disable=None, leave=False, ncols=70, nrows=20)
TICK = 0.25  # seconds


def counted(things: Iterable[Any], doing: str, unit: str) -> Iterable[Any]:
    """Things as they are taken, when nobody knows how many there will be."""
    return _bar(things, desc=doing, unit=unit)


@contextmanager
def measured(total: int, doing: str, unit: str) -> Iterator[Callable[[int], object]]:
    """Gives what is to be called with the number of things that have just been done."""
    with _bar(total=total, desc=doing, unit=unit) as bar:
        yield bar.update


@contextmanager
def timed(doing: str) -> Iterator[None]:
    """For work that does not tell how far it is: the time that it has taken so far."""
    ended = Event()
    with _bar(desc=doing, bar_format="{desc}: {elapsed}") as bar:
        clock = Thread(target=_tick, args=(bar, ended), daemon=True)
        clock.start()
        try:
            yield
        finally:
            ended.set()
            clock.join()


def _tick(bar: tqdm, ended: Event) -> None:
    while not ended.wait(TICK):
        bar.update(0)
