"""The reasons why a judgment does not count."""

from enum import StrEnum

MACHINE = "machine"
"""The reason of the answers of models, which are stored apart from judgments, so that no query can count them."""


class NotCounted(StrEnum):
    """Why a judgment is in no score and in no statistic of scores; where several reasons apply, the first one.

    Answers in practice are not judgments: they are stored apart and are never listed with these.
    """

    SUPERSEDED = "superseded"
    """The same person answered the same screen again."""
    EXCLUDED = "excluded"
    """The person is excluded from the round."""
    REASSIGNED = "reassigned"
    """A selection of an incident that was given to somebody else.

    It comes before `WITHDRAWN`, so that all pairs of such a selection have the same reason."""
    WITHDRAWN = "withdrawn"
    """The item, or an item of the tuple, is withdrawn."""
    CALIBRATION = "calibration"
    """A rating in a calibration block, or of a calibration item."""
    INVALID = "invalid"
    """A choice with an item twice or with the same best and worst, imported with a mark only."""
    PARTIAL = "partial"
    """A rating by somebody who left before rating the pair in every session; their refill rates it in all of them."""
