"""Flags in words: what each kind means with the project's limits, and what raised it."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.models import MonitoringOptions
from scoring.stats.flags import MINIMUM_EVIDENCE
from scoring.stats.limits import Kind

Evidence = Mapping[str, float | None]


def title(kind: str) -> str:
    return {
        Kind.SPEED: _("Too fast"),
        Kind.STRAIGHT: _("Straight-lining"),
        Kind.GOLD: _("Contradicts known labels"),
        Kind.CALIBRATION: _("Off on calibration pairs"),
        Kind.REPEATS: _("Inconsistent on repeated pairs"),
        Kind.APART: _("Low agreement with others"),
    }[Kind(kind)]


def definition(kind: str, options: MonitoringOptions) -> str:
    """Return when the flag is raised, with the limits of the project."""
    words = {
        Kind.SPEED: _(
            "The median thinking time is below %(median_seconds)s seconds per item on the screen, or more than "
            "%(quick_share)s of the answers took less than one second per item."
        ),
        Kind.STRAIGHT: _(
            "The same value at least %(longest_run)s times in a row, which is more than chance explains given how "
            "often others use it; or the same position on the screen in at least %(position_share)s of the choices."
        ),
        Kind.GOLD: _(
            "More than %(contradictions)s of the answers contradict the known labels, or fewer than "
            "%(practice_right)s of the first answers in practice and in the qualification check were right."
        ),
        Kind.CALIBRATION: _(
            "Ratings of calibration pairs differ from the expected values by more than %(calibration_distance)s of "
            "the scale on average (at least %(fewest)s pairs)."
        ),
        Kind.REPEATS: _(
            "Ratings of repeated pairs differ from the annotator’s earlier ratings by more than %(repeat_distance)s "
            "of the scale on average (at least %(fewest)s pairs)."
        ),
        Kind.APART: _(
            "The correlation with the mean of the others (for choices, the agreement above chance) is below "
            "%(agreement)s."
        ),
    }[Kind(kind)]
    return words % {
        "median_seconds": f"{options.median_seconds:g}",
        "quick_share": percent(options.quick_share),
        "longest_run": options.longest_run,
        "position_share": percent(options.position_share),
        "contradictions": percent(options.contradictions),
        "practice_right": percent(options.practice_right),
        "calibration_distance": percent(options.calibration_distance),
        "repeat_distance": percent(options.repeat_distance),
        "agreement": f"{options.agreement:g}",
        "fewest": MINIMUM_EVIDENCE,
    }


def rule(options: MonitoringOptions) -> str:
    """Return what all flags have in common, with the false-alarm rate of the project."""
    words = _(
        "A flag is raised only if a figure is beyond its limit and also beyond the range expected by chance, given "
        "the annotator’s number of answers and the variation in the group. By chance alone, a flag of each kind is "
        "raised in at most %(rate)s of rounds."
    )
    return words % {"rate": _("%(number)s%%") % {"number": f"{100 * options.false_alarms:g}"}}


def reason(kind: str, evidence: Evidence) -> str:
    """Return the numbers that raised a flag, each with the range expected by chance."""
    sentences = {
        Kind.SPEED: {
            "median_seconds": _("Median of %(median_seconds)s seconds per item over %(answers)s answers."),
            "quick_share": _("%(quick_share)s under one second per item."),
        },
        Kind.STRAIGHT: {
            "longest_run": _("The same value %(longest_run)s times in a row."),
            "position_share": _("The same position in %(position_share)s of %(answers)s choices."),
        },
        Kind.GOLD: {
            "contradictions": _("%(contradictions)s of %(labelled)s answers contradict the known labels."),
            "practice_right": _(
                "%(practice_right)s of %(practised)s first answers in practice and in the qualification check were "
                "right."
            ),
        },
        Kind.CALIBRATION: {
            "calibration_distance": _(
                "Off by %(calibration_distance)s of the scale on average over %(calibrated)s pairs."
            )
        },
        Kind.REPEATS: {
            "repeat_distance": _("Off by %(repeat_distance)s of the scale on average over %(repeated)s pairs.")
        },
        Kind.APART: {"agreement": _("Agreement of %(agreement)s with the others over %(shared)s answers.")},
    }[Kind(kind)]
    numbers = {name: _written(name, number) for name, number in evidence.items() if number is not None}
    found = [[words % numbers, _expected(name, numbers)] for name, words in sentences.items() if name in numbers]
    return " ".join(text for texts in found for text in texts if text)


def _expected(name: str, numbers: Mapping[str, str]) -> str:
    """Return the range expected by chance; an empty text if it is not known."""
    bound = numbers.get(f"{name}{BOUND}")
    if bound is None:
        return ""
    words = _("Expected: at least %(bound)s.") if name in LOW else _("Expected: at most %(bound)s.")
    return words % {"bound": bound}


def percent(share: float) -> str:
    return _("%(number)s%%") % {"number": f"{100 * share:.0f}"}


SHARES = (
    *("quick_share", "position_share", "contradictions", "practice_right", "calibration_distance", "repeat_distance"),
)
DECIMALS = {"median_seconds": 1, "agreement": 2}
BOUND = "_bound"
LOW = ("median_seconds", "practice_right", "agreement")
"""What raises a flag by being low."""


def _written(name: str, number: float) -> str:
    name = name.removesuffix(BOUND)
    if name in SHARES:
        return percent(number)
    return f"{number:.{DECIMALS.get(name, 0)}f}"
