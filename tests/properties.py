"""How many examples a property is tried on: more with `--everything` than usually."""

from hypothesis import HealthCheck, settings

USUAL, EVERYTHING = "usual", "everything"
# Nothing in the suite is timed: a busy machine would fail it.
settings.register_profile(USUAL, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(EVERYTHING, settings.get_profile(USUAL), max_examples=400)


def examples(share: float) -> int:
    """Return this share of the examples of other properties, for one whose examples take long."""
    return max(5, round(share * settings().max_examples))
