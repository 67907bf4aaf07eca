"""Best-worst scaling of sentence pairs (SemRel2024)."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.registration import Preset, Words
from annotation.presets.semrel.protocol import PROTOCOL

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=1,
    words=Words(
        gettext_lazy("Best and worst of several pairs"),
        gettext_lazy(
            "Annotators see four pairs of texts at once and choose the most and the least related pair. "
            "Many such choices give each pair a score between 0 and 1."
        ),
        gettext_lazy("Ready pairs, or sentences to build them from."),
        gettext_lazy("How many pairs are compared at once and how often, and how many people answer each comparison."),
        Material(items=1000),
    ),
)
