"""Answers of people about themselves as numbers of people, none so small that it points to somebody.

Every answer is a group, and so is no answer: the groups of a question make up all people. Groups below five are merged;
where they are below five even together, the smallest of the other groups is merged with them. Otherwise their number
would follow by subtraction from that of all people (complementary suppression).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

SMALLEST = 5
"""People in a group that is shown."""
SPAN = 10
"""Whole numbers in a range, such as ages from 20 to 29."""
MERGED = f"Groups of fewer than {SMALLEST} annotators are merged with other groups."
NO_ANSWER, OTHERS = "no answer", "all others"


@dataclass(frozen=True)
class Group:
    """People who gave the same answer, or answers that are merged."""

    label: str
    people: int


@dataclass(frozen=True)
class Demographic:
    """A question and its groups, which make up all people."""

    question: str
    groups: tuple[Group, ...]


def group_answers(answers: Sequence[str], *, numbers: bool = False) -> tuple[Group, ...]:
    """Return groups of at least five people: answers, the most frequent first, or ranges of numbers in their order.

    Somebody may write “no answer”, or “all others”: they are in the group of that name.

    Parameters: answers, of each person, empty for no answer; capitals make no difference. numbers, whether the answers
        are whole numbers from 0.
    Returns: groups that make up all people, with all that is merged in the last one; none if no answer can be named.
    """
    spaced = [" ".join(answer.split()) for answer in answers]
    unnamed = Counter(answer.casefold() or NO_ANSWER for answer in spaced)
    named = [answer for answer in spaced if answer and answer.casefold() not in (NO_ANSWER, OTHERS)]
    groups = _ranges(named) if numbers else _categories(named)
    groups += [Group(label, unnamed[label]) for label in (NO_ANSWER, OTHERS)]
    kept = _merged(groups)
    return kept if any(group.label not in (NO_ANSWER, OTHERS) for group in kept) else ()


def label_of(answer: str, groups: Sequence[Group], *, numbers: bool = False) -> str:
    """Return the label of the group that somebody with this answer is in.

    Parameters: groups, as `group_answers` returned them for the answers of all people; answer and numbers, as there.
    """
    own = " ".join(answer.split()) or NO_ANSWER
    if numbers and own.isdecimal():
        own = _range(int(own))
    return next((group.label for group in groups if group.label.casefold() == own.casefold()), OTHERS)


def _categories(answers: Sequence[str]) -> list[Group]:
    """Return a group for each answer, written as by most, the largest group first."""
    labels: dict[str, str] = {}
    for spelling, _ in _by_frequency(Counter(answers)):
        labels.setdefault(spelling.casefold(), spelling)
    people = Counter(labels[answer.casefold()] for answer in answers)
    return [Group(label, number) for label, number in _by_frequency(people)]


def _by_frequency(numbers: Counter[str]) -> list[tuple[str, int]]:
    return sorted(numbers.items(), key=lambda one: (-one[1], one[0]))


def _ranges(answers: Sequence[str]) -> list[Group]:
    """Return a group for each range of ten numbers, in their order; the ranges do not depend on the answers.

    Ranges are not joined: where one ends would show that somebody's answer is near.
    """
    tens = Counter(int(answer) // SPAN * SPAN for answer in answers if answer.isdecimal())
    ranges = [Group(_range(start), people) for start, people in sorted(tens.items())]
    return [*ranges, Group(OTHERS, len(answers) - tens.total())]


def _range(number: int) -> str:
    """Return the name of the range of ten that a number is in."""
    start = number // SPAN * SPAN
    return f"{start} to {start + SPAN - 1}"


def _merged(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups of at least five people, and all other people as one group, which is not smaller either."""
    kept = [group for group in groups if group.people >= SMALLEST and group.label != OTHERS]
    others = sum(group.people for group in groups) - sum(group.people for group in kept)
    if 0 < others < SMALLEST:
        if not kept:
            return ()
        smallest = min(kept, key=lambda group: group.people)
        kept.remove(smallest)
        others += smallest.people
    return (*kept, *([Group(OTHERS, others)] if others else []))
