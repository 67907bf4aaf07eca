"""Ratings of short texts on a fine scale (STSS-131)."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.registration import Preset, Words
from annotation.presets.stss131.protocol import PROTOCOL

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=3,
    words=Words(
        gettext_lazy("Every pair rated on a fine scale"),
        gettext_lazy(
            "Everybody rates every pair from 0.0 to 4.0 in steps of 0.1, in a different random order. "
            "Every pair gets the mean and the standard deviation of its ratings."
        ),
        gettext_lazy("Ready pairs, or sentences to build them from."),
        gettext_lazy("The scale, its labels and the number of people."),
        Material(items=131),
    ),
)
