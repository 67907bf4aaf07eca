"""The error that planning raises."""

from annotation.protocols.errors import TranslatableError


class PlanningError(TranslatableError):
    """A request that the numbers cannot meet."""
