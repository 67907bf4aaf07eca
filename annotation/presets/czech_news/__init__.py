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
        gettext_lazy("Selected from news, then validated"),
        gettext_lazy(
            "In the first round people find, for each sentence of a summary, three sentences of the reports: very "
            "similar, less so, and not. In two more rounds others rate these pairs, first alone and then in context."
        ),
        gettext_lazy("Incidents: a summary with several reports, split into sentences."),
        gettext_lazy("The scale, incidents a person, pauses, how many are validated and by how many people."),
        Material(incidents=432, sentences=8),
    ),
)
