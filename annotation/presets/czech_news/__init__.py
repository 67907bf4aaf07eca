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
        gettext_lazy("News sentences selected, then validated"),
        gettext_lazy(
            "In the first round, annotators choose three report sentences for each sentence of a summary: the most "
            "similar, one in between and the least similar. In two more rounds, others rate these pairs, first "
            "without and then with context."
        ),
        gettext_lazy("Incidents: a summary and several reports, split into sentences."),
        gettext_lazy(
            "The scale, incidents per annotator, pauses, how many pairs are validated and by how many annotators."
        ),
        Material(incidents=432, sentences=8),
    ),
)
