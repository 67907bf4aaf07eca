"""The facts behind the words of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.protocols.spec import Protocol
from scoring.exports.collected import Collected
from scoring.exports.report.tables import Tree
from scoring.summaries.demographics import Demographic


@dataclass(frozen=True)
class People:
    """The annotators of a round. excluded: how many, by kind of reason; they are in none of the other numbers.

    too_late: how many came when nothing was left to answer; they are not among those who finished.
    imported: those whose judgments were imported before the round was planned; imported_excluded: how many of these
    are excluded. They did not take part. unknown: whether there are choices by unknown people, who are in no number.
    """

    finished: int = 0
    too_late: int = 0
    going_on: int = 0
    left: int = 0
    not_begun: int = 0
    excluded: Mapping[str, int] = field(default_factory=dict)
    imported: int = 0
    imported_excluded: int = 0
    unknown: bool = False

    @property
    def took_part(self) -> int:
        return self.finished + self.going_on + self.left + self.excluded_here

    @property
    def excluded_here(self) -> int:
        """Return how many of those who took part are excluded."""
        return sum(self.excluded.values()) - self.imported_excluded


@dataclass(frozen=True)
class Collection:
    """The facts of a run. people: by round. languages: their names. groups: of items that only meet each other.

    paper: the paper whose protocol it is; empty if there is none. changes: numbers and words in which the protocol
    differs from its preset. collected: by round, what was collected. demographics: people by their answers to
    questions.
    """

    protocol: Protocol
    results: Tree
    people: Mapping[str, People]
    languages: Sequence[str]
    groups: int
    run: int
    seed: int
    code_version: str
    as_of: datetime
    paper: str = ""
    changes: Sequence[str] = ()
    collected: Mapping[str, Collected] = field(default_factory=dict)
    demographics: Sequence[Demographic] = ()

    @property
    def origin(self) -> str:
        """Return the origin of the judgments in words."""
        return origin(self.paper, self.changes, self.collected)


def origin(paper: str, changes: Sequence[str], collected: Mapping[str, Collected]) -> str:
    """Return the origin of judgments: collected here with a protocol and its changes, or imported.

    Parameters: paper and changes, as those of a `Collection`; collected, of every round.
    """
    judged = [one for one in collected.values() if one.amounts or one.sentences]
    imported = sum(one.imported for one in judged)
    changed = f", with the following changes: {'; '.join(changes)}" if changes else ""
    protocol = f"the protocol of {paper}{changed}" if paper else ""
    if imported and imported == len(judged):
        return f"imported into a project that uses {protocol or 'a protocol of its own'}"
    some = "imported for some rounds and, for the others, " if imported else ""
    if any(one.brought_in[0] for one in judged):
        some = "partly imported and partly "
    return f"{some}collected {f'following {protocol}' if paper else 'with Semblance'}"
