"""Best-worst scaling of utterances in a dialogue (GiCCS)."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.giccs.protocol import PROTOCOL
from annotation.presets.registration import Preset, Words

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=2,
    words=Words(
        gettext_lazy("Best and worst utterance in a dialogue"),
        gettext_lazy(
            "Annotators read a short dialogue and choose which of three utterances is most similar and "
            "which is least similar to its last turn. Utterances are only compared within their dialogue."
        ),
        gettext_lazy("Dialogues, each with five utterances."),
        gettext_lazy("How many utterances are compared at once, and how many people answer each comparison."),
        Material(items=500),
    ),
)
