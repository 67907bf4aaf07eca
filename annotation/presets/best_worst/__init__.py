"""Best-worst scaling of single texts, with any question that has a best and a worst."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.best_worst.protocol import PROTOCOL
from annotation.presets.registration import Preset, Words

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    words=Words(
        gettext_lazy("Best and worst of several texts"),
        gettext_lazy(
            "Annotators see four words, phrases, sentences or posts at once and choose the best and the worst, for "
            "example the most and the least positive. The choices give each text a score."
        ),
        gettext_lazy("Single texts."),
        gettext_lazy(
            "The question, the labels for best and worst, how many texts are compared at once and how "
            "often, and how many annotators answer each comparison."
        ),
        Material(items=1000),
    ),
)
