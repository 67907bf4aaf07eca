"""Ratings of pairs on any scale, from a binary choice to a slider from 0 to 100."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.rating.protocol import PROTOCOL
from annotation.presets.registration import Preset, Words

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=3,
    words=Words(
        gettext_lazy("Pairs rated on any scale"),
        gettext_lazy(
            "Annotators see two texts at a time and answer your question on your scale: yes or no, a few "
            "labelled points, or a slider from 0 to 100. Every pair gets the mean and the standard "
            "deviation of its ratings."
        ),
        gettext_lazy("Ready pairs, or sentences to build them from."),
        gettext_lazy("The question, the scale and its labels, ratings per pair, and pairs per annotator."),
        Material(items=500),
    ),
)
