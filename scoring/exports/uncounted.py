"""The judgments that do not count, by reason, in words: the same numbers in the methods and in the data card."""

from collections.abc import Mapping

from annotation.protocols.counting import NotCounted
from scoring.figures.wording import listed

GROUPS = {
    NotCounted.SUPERSEDED: "replaced by a later answer from the same annotator",
    NotCounted.EXCLUDED: "by excluded annotators",
    NotCounted.REASSIGNED: "of incidents reassigned to another annotator",
    NotCounted.WITHDRAWN: "of withdrawn items",
    NotCounted.CALIBRATION: "for calibration",
    NotCounted.INVALID: "invalid choices",
    NotCounted.PARTIAL: "of pairs that an annotator who left had not rated in every session",
}
"""The judgments that do not count, in words, by reason."""


def uncounted_sentence(judgments: int, not_counted: Mapping[str, int]) -> str:
    """Return the number of judgments that do not count, by reason; "" if all count.

    Parameters: both as in the `overview` of the results of a run; a selected pair is a judgment. A judgment to which
    several reasons apply is in the first group of `GROUPS` only.
    """
    if not not_counted:
        return ""
    number = sum(not_counted.values())
    groups = {words: not_counted[reason] for reason, words in GROUPS.items() if reason in not_counted}
    parts = [f"{many:,} {words}" for words, many in groups.items()]
    if len(parts) == 1:  # the number is not repeated
        parts = [f"{'all ' if number > 1 else ''}{words}" for words in groups]
    verb = "is" if number == 1 else "are"
    return f"Of the {judgments:,} judgments stored, {number:,} {verb} excluded from the analysis: {listed(parts)}."
