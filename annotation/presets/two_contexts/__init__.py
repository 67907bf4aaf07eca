"""Imported pairs rated without and with context, as in the third round of Czech News."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.registration import Preset, Words
from annotation.presets.two_contexts.protocol import PROTOCOL

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=6,
    words=Words(
        gettext_lazy("Pairs rated in two contexts"),
        gettext_lazy(
            "Annotators rate pairs of sentences without context and, after a pause, again with the surrounding text. "
            "Calibration pairs come first, and some pairs are repeated at the end of each session."
        ),
        gettext_lazy("Pairs with the surrounding text of both sentences; optionally, earlier values."),
        gettext_lazy(
            "The scale, the number of ratings per pair, how many pairs one annotator rates, calibration, repeated "
            "pairs and the pause."
        ),
        Material(items=1200),
    ),
)
