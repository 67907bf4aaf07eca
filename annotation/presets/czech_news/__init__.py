"""Selection from news, then validation in stacks (the Czech News Dataset for Semantic Textual Similarity)."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material
from annotation.presets.czech_news.protocol import PROTOCOL
from annotation.presets.registration import Preset, Words

PRESET = Preset(
    protocol=PROTOCOL,
    folder=Path(__file__).parent,
    order=5,
    words=Words(
        gettext_lazy("Pairs selected from news, then validated"),
        gettext_lazy(
            "In the first round annotators find three report sentences for each summary sentence: one "
            "very similar, one less similar and one not similar. In two more rounds other people rate "
            "these pairs, first alone and then in context."
        ),
        gettext_lazy("Incidents: a summary with several reports, split into sentences."),
        gettext_lazy(
            "The scale, incidents per annotator, pauses, and how many annotators are validated by how many people."
        ),
        Material(incidents=432, sentences=8),
    ),
)
