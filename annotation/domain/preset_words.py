"""What each preset does, in words for somebody who has to choose one."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.planning.costs import Material as Amount
from annotation.planning.costs import RoundCost, round_costs
from annotation.protocols.presets import PRESETS
from annotation.protocols.spec import Protocol


@dataclass(frozen=True)
class PresetWords:
    """A preset in words; `example` is how much material its cost is told for."""

    title: str | Promise
    does: str | Promise
    brings: str | Promise
    changes: str | Promise
    example: Amount


WORDS = {
    "semrel": PresetWords(
        gettext_lazy("Best and worst of several pairs"),
        gettext_lazy(
            "People see four pairs of texts at once and choose the most and the least related one. From many such "
            "choices every pair gets a score between 0 and 1."
        ),
        gettext_lazy("Ready pairs, or sentences to build them from."),
        gettext_lazy("How many pairs are compared at once and how often, and how many people answer each comparison."),
        Amount(items=1000),
    ),
    "giccs": PresetWords(
        gettext_lazy("Best and worst utterance in a dialogue"),
        gettext_lazy(
            "People read a short dialogue and choose which of three utterances is the most and which the least similar "
            "to its last turn. Utterances are compared with those of their own dialogue only."
        ),
        gettext_lazy("Dialogues, each with five utterances."),
        gettext_lazy("How many utterances are compared at once, and how many people answer each comparison."),
        Amount(items=500),
    ),
    "stss131": PresetWords(
        gettext_lazy("A rating of every pair, on a fine scale"),
        gettext_lazy(
            "Everybody rates every pair from 0.0 to 4.0 in steps of 0.1, each in an order of their own. Mean and "
            "spread of each pair are the result."
        ),
        gettext_lazy("Ready pairs, or sentences to build them from."),
        gettext_lazy("The scale, its labels, and how many people there are."),
        Amount(items=131),
    ),
    "dscs": PresetWords(
        gettext_lazy("A rating of every pair, by two groups of people"),
        gettext_lazy(
            "People that you know and people of a crowd rate every pair from 0 to 5. Who contradicts the known labels "
            "too often is excluded, and somebody else comes."
        ),
        gettext_lazy("Ready pairs, best with a known label: similar or not."),
        gettext_lazy("The scale, its labels, the size of both groups, and how many contradictions are allowed."),
        Amount(items=100),
    ),
    "czech_news": PresetWords(
        gettext_lazy("Selected from news, then validated"),
        gettext_lazy(
            "In the first round people find, for each sentence of a summary, three sentences of the reports: very "
            "similar, less so, and not. In two more rounds others rate these pairs, first alone and then in context."
        ),
        gettext_lazy("Incidents: a summary with several reports, split into sentences."),
        gettext_lazy("The scale, incidents a person, pauses, how many are validated and by how many people."),
        Amount(incidents=432, sentences=8),
    ),
}


@dataclass(frozen=True)
class PresetCard:
    """A preset, in words and with what it costs."""

    preset: Protocol
    words: PresetWords
    costs: list[RoundCost]

    @property
    def hours(self) -> int:
        """Of all people in all rounds together."""
        return round(sum(cost.hours for cost in self.costs))


def preset_cards() -> list[PresetCard]:
    return [PresetCard(PRESETS[key], words, round_costs(PRESETS[key], words.example)) for key, words in WORDS.items()]
