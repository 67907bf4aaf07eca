"""What the words of a report are told from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.protocols.spec import Protocol
from scoring.exports.report.tables import Tree


@dataclass(frozen=True)
class People:
    """Those of a round. excluded: how many, by kind of reason; they are in none of the other numbers.

    unknown: whether there are choices of people whom nobody knows, who are in no number.
    """

    finished: int = 0
    going_on: int = 0
    left: int = 0
    not_begun: int = 0
    excluded: Mapping[str, int] = field(default_factory=dict)
    unknown: bool = False

    @property
    def took_part(self) -> int:
        return self.finished + self.going_on + self.left + sum(self.excluded.values())


@dataclass(frozen=True)
class Collection:
    """What is told of a run. people: by round. languages: their names. groups: of items that only meet each other."""

    protocol: Protocol
    results: Tree
    people: Mapping[str, People]
    languages: Sequence[str]
    groups: int
    run: int
    seed: int
    code_version: str
    as_of: datetime
