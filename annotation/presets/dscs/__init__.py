"""Ratings of definitions by two pools of raters (DSCS)."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.dscs.protocol import PROTOCOL
from annotation.presets.registration import Preset, Words

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=4,
    words=Words(
        gettext_lazy("Every pair rated by two groups"),
        gettext_lazy(
            "People you know and people from a crowd platform rate every pair from 0 to 5. Annotators "
            "who contradict the known labels too often are excluded and replaced."
        ),
        gettext_lazy("Ready pairs, ideally with a known label: similar or dissimilar."),
        gettext_lazy("The scale, its labels, the size of both groups, and how many contradictions are allowed."),
        Material(items=100),
    ),
)
