"""The judgments that do not count, by reason, in words: the same numbers in the methods and in the data card."""

from collections.abc import Mapping

from annotation.protocols.counting import NotCounted
from scoring.figures.wording import listed

GROUPS = {
    NotCounted.SUPERSEDED: "replaced by a later answer of the same person",
    NotCounted.EXCLUDED: "by people who were excluded",
    NotCounted.REASSIGNED: "of incidents that were reassigned to another person",
    NotCounted.WITHDRAWN: "of items that were withdrawn",
    NotCounted.CALIBRATION: "for calibration",
    NotCounted.INVALID: "invalid choices",
    NotCounted.PARTIAL: "of pairs that somebody who left had not rated in every session",
}
"""What the judgments are that do not count for each reason."""


def uncounted_sentence(judgments: int, not_counted: Mapping[str, int]) -> str:
    """Return the number of judgments that do not count, by reason; "" if all count.

    Parameters: both as in the `overview` of the results of a run; a selected pair is a judgment. A judgment to which
    several reasons apply is in the first group of `GROUPS` only.
    """
    if not not_counted:
        return ""
    number = sum(not_counted.values())
    groups = [f"{not_counted[reason]:,} {words}" for reason, words in GROUPS.items() if reason in not_counted]
    verb = "does" if number == 1 else "do"
    return f"Of all {judgments:,} judgments stored, {number:,} {verb} not count: {listed(groups)}."
