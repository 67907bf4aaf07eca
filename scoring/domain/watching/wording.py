"""Flags in words: what each kind means with the project's limits, and what raised it."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.models import WatchOptions
from scoring.stats.flags import FEWEST
from scoring.stats.limits import Kind

Evidence = Mapping[str, float | None]


def title(kind: str) -> str:
    return {
        Kind.SPEED: _("Too fast"),
        Kind.STRAIGHT: _("Straight lines"),
        Kind.GOLD: _("Against known labels"),
        Kind.CALIBRATION: _("Calibration missed"),
        Kind.REPEATS: _("Unlike their own answers"),
        Kind.APART: _("Apart from the others"),
    }[Kind(kind)]


def definition(kind: str, options: WatchOptions) -> str:
    """When the flag is raised, with the limits that hold in the project."""
    words = {
        Kind.SPEED: _(
            "Half of the answers took less than %(median_seconds)s seconds of thinking for each item on the screen, or "
            "more than %(quick_share)s took less than one second."
        ),
        Kind.STRAIGHT: _(
            "The same value at least %(longest_run)s times in a row, longer than chance explains by how often others "
            "give it; or the same place on the screen in %(position_share)s of the choices or more."
        ),
        Kind.GOLD: _(
            "More than %(contradictions)s of the answers contradict the known labels, or fewer than %(practice_right)s "
            "of the first answers in practice and check were right."
        ),
        Kind.CALIBRATION: _(
            "Ratings of the calibration pairs lie on average more than %(calibration_distance)s of the scale away from "
            "what is expected (at least %(fewest)s pairs)."
        ),
        Kind.REPEATS: _(
            "Ratings of pairs that come again lie on average more than %(repeat_distance)s of the scale away from the "
            "person's own earlier ones (at least %(fewest)s pairs)."
        ),
        Kind.APART: _(
            "The correlation with the mean of the others, or in choices the agreement with them above chance, is under "
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
        "fewest": FEWEST,
    }


def reason(kind: str, evidence: Evidence) -> str:
    """The numbers that raised a flag, in one sentence or two."""
    sentences = {
        Kind.SPEED: {
            "median_seconds": _("Median of %(median_seconds)s seconds an item, over %(answers)s answers."),
            "quick_share": _("%(quick_share)s under one second an item."),
        },
        Kind.STRAIGHT: {
            "longest_run": _("The same value %(longest_run)s times in a row."),
            "position_share": _("The same place in %(position_share)s of %(answers)s choices."),
        },
        Kind.GOLD: {
            "contradictions": _("%(contradictions)s of %(labelled)s answers contradict the known labels."),
            "practice_right": _("%(practice_right)s of %(practised)s first answers in practice and check were right."),
        },
        Kind.CALIBRATION: {
            "calibration_distance": _("On average %(calibration_distance)s of the scale off, in %(calibrated)s pairs.")
        },
        Kind.REPEATS: {"repeat_distance": _("On average %(repeat_distance)s of the scale off, in %(repeated)s pairs.")},
        Kind.APART: {"agreement": _("Agreement of %(agreement)s with the others, over %(shared)s answers.")},
    }[Kind(kind)]
    numbers = {name: _written(name, number) for name, number in evidence.items() if number is not None}
    return " ".join(words % numbers for name, words in sentences.items() if name in numbers)


def percent(share: float) -> str:
    return _("%(number)s %%") % {"number": f"{100 * share:.0f}"}


SHARES = (
    "quick_share",
    "position_share",
    "contradictions",
    "practice_right",
    "calibration_distance",
    "repeat_distance",
)
DECIMALS = {"median_seconds": 1, "agreement": 2}


def _written(name: str, number: float) -> str:
    if name in SHARES:
        return percent(number)
    return f"{number:.{DECIMALS.get(name, 0)}f}"
