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
        gettext_lazy("A rating of every pair, by two groups of people"),
        gettext_lazy(
            "People that you know and people of a crowd rate every pair from 0 to 5. Who contradicts the known labels "
            "too often is excluded, and somebody else comes."
        ),
        gettext_lazy("Ready pairs, best with a known label: similar or not."),
        gettext_lazy("The scale, its labels, the size of both groups, and how many contradictions are allowed."),
        Material(items=100),
    ),
)
