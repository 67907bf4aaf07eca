"""What planning refuses."""


class PlanningError(ValueError):
    """A request that the numbers cannot meet; the message is a full sentence."""
