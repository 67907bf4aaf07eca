"""How many people a round takes."""

from math import ceil


def people_needed(things: int, answers: int, most: int | None) -> int:
    """Return how many people judge all tuples or items, each of them judged by `answers` different people.

    Parameters: most, how many of them one person judges; None for all.
    """
    if not things:
        return 0
    return max(answers, ceil(things * answers / min(most or things, things)))
