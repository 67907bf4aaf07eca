"""Progress bars on standard error: only on a terminal, and only for work of more than two seconds."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from typing import Any

from tqdm import tqdm

# disable=None leaves the bar out where standard error is no terminal; some terminals do not report their size.
_bar = partial(tqdm, delay=2, disable=None, leave=False, ncols=70, nrows=20)
TICK = 0.25  # seconds


def counted(things: Iterable[Any], doing: str, unit: str) -> Iterable[Any]:
    """Return the things, and show how many have been taken when their total is unknown."""
    return _bar(things, desc=doing, unit=unit)


@contextmanager
def measured(total: int, doing: str, unit: str) -> Iterator[Callable[[int], object]]:
    """Give a function to call with the number of things that have just been done."""
    with _bar(total=total, desc=doing, unit=unit) as bar:
        yield bar.update


@contextmanager
def timed(doing: str) -> Iterator[None]:
    """Show the time elapsed so far, for work that does not report its progress."""
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
