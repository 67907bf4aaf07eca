"""The terms of every protocol: contexts, blocks, kinds of judgments and of texts."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Context(StrEnum):
    """The surroundings of a sentence while it is judged (Czech News 4: context-free, context-dependent)."""

    FREE = "free"
    DEPENDENT = "dependent"


class BlockKind(StrEnum):
    """The blocks of a session, in the order in which they are shown (Czech News 4.2.2, Fig. 5)."""

    CALIBRATION = "calibration"
    MAIN = "main"
    INTRA = "intra"


class JudgmentKind(StrEnum):
    """The kind of answer that a person gives on one screen."""

    RATING = "rating"
    CHOICE = "choice"
    SELECTION = "selection"


class Material(StrEnum):
    """The kind of texts that a project imports."""

    INCIDENTS = "incidents"
    PAIRS = "pairs"
    DIALOGUES = "dialogues"
    TEXTS = "texts"

    @property
    def noun(self) -> str:
        """Return the noun for one judged item."""
        return {Material.DIALOGUES: "utterance", Material.TEXTS: "text"}.get(self, "pair")


@dataclass(frozen=True)
class Role:
    """One of the sentences chosen for a summary sentence, with its expected score."""

    key: str
    title: str
    colour: str
    expected: Decimal
