"""The order of screens: blocks repeated in sessions, each session the same (Czech News, Fig. 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.protocols.terms import BlockKind, Context


@dataclass(frozen=True)
class Screen:
    """One screen for one person to answer."""

    session: int
    context: Context
    block: BlockKind
    position: int
    item: int


def lay_out(blocks: Sequence[tuple[BlockKind, Sequence[int]]], contexts: Sequence[Context]) -> Iterator[Screen]:
    """Yield the screens of all sessions: the same blocks with the same items in the same order, once for each context.

    Sessions and positions count from 1; a position is unique in its session.
    """
    for session, context in enumerate(contexts, start=1):
        position = 0
        for block, items in blocks:
            for item in items:
                position += 1
                yield Screen(session, context, block, position, int(item))
