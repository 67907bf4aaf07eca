"""What an export of any program holds."""

from collections.abc import Collection
from dataclasses import dataclass, field

from annotation.corpora.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating as it is written. place: the line or the number of the record in its file, from 1.

    person: their name there, "" if unknown; answered_at: ISO 8601, "" if unknown; thinking_ms: milliseconds from
    showing the task to its answer.
    """

    place: int
    item: str
    person: str
    value: str
    answered_at: str = ""
    thinking_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A best-worst choice. name: of the tuple, "" without one; items: IDs in the order shown; the rest as in Rating."""

    place: int
    name: str
    items: tuple[str, ...]
    best: str
    worst: str
    person: str
    answered_at: str = ""
    thinking_ms: int | None = None


@dataclass
class Export:
    """The content of an export: ratings or choices. texts: of items by their IDs; empty where the export has none."""

    ratings: list[Rating] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    skipped: int = 0
    """Tasks that somebody skipped or left without an answer."""

    @property
    def items(self) -> list[str]:
        """Return the IDs of all items that were judged, in the order of their first judgment."""
        rated = (rating.item for rating in self.ratings)
        chosen = (item for choice in self.choices for item in choice.items)
        return list(dict.fromkeys([*rated, *chosen]))

    @property
    def people(self) -> list[str]:
        """Return the names of all people who are known, in the order of their first judgment."""
        names = [rating.person for rating in self.ratings] + [choice.person for choice in self.choices]
        return [name for name in dict.fromkeys(names) if name]

    def describe(self, item: str, texts: tuple[str, ...]) -> None:
        """Add the texts of an item, unless there are none or they are known already."""
        if texts:
            self.texts.setdefault(item, texts)


def only_question(found: Collection[str], question: str) -> str:
    """Return the question whose answers are read.

    Parameters: question, the one asked for, in any case; "" for the only one.

    Raises:
        CorpusError: there are several and none was chosen, or there is no such question.
    """
    by_name = {name.lower(): name for name in found}
    names = ", ".join(found)
    if question:
        if question.lower() not in by_name:
            raise CorpusError(
                "The export has no question “%(name)s”. Its questions: %(names)s.", name=question, names=names
            )
        return by_name[question.lower()]
    if not found:
        raise CorpusError("The export has no answers that can be imported.")
    if len(found) > 1:
        raise CorpusError("The export has several questions: %(names)s. Choose one.", names=names)
    return next(iter(found))


def milliseconds(seconds: object) -> int | None:
    """Return a time in seconds as milliseconds; None if there is none, or it is no number that can be stored."""
    try:
        number = round(float(str(seconds)) * 1000)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < 1_000_000_000 else None
