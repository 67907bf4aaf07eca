"""Labels, units and explanations for the numbers of a protocol that managers may change."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import translated
from annotation.protocols.errors import OutOfLimits, ProtocolError
from annotation.protocols.limits import Limits
from annotation.protocols.settings import setting_limits, setting_names
from annotation.protocols.spec import Protocol, Round


@dataclass(frozen=True)
class Wording:
    """The label, unit and explanation of a kind of number."""

    label: str | Promise
    unit: str | Promise = ""
    explanation: str | Promise = ""


AWAY = _("Kept for a person who is away")
PASSED_ON = _("In a common pool, a pair that was not rated by then goes to somebody else when no other is left.")
WORDINGS = {
    "minimum": Wording(_("Lowest value"), "", _("The value at the left end.")),
    "maximum": Wording(_("Highest value"), "", _("The value at the right end.")),
    "step": Wording(_("Step"), "", _("How far apart two values are: 1 for whole numbers, 0.1 for a fine scale.")),
    "incidents": Wording(
        _("Incidents a person"),
        _("incidents"),
        _("So many whole incidents each person selects sentences in; nobody else gets the same."),
    ),
    "context_sentences": Wording(
        _("Context"),
        _("sentences"),
        _("So many sentences on either side are shown when a selected pair is rated in context."),
    ),
    "expected": Wording(
        _("Rating expected of “%(role)s”"),
        "",
        _("What one expects; selected pairs that lie far from it can be filtered out later."),
    ),
    "validators": Wording(
        _("Validators for each annotator"),
        _("people"),
        _("People who rate the pairs that one annotator selected; each of them rates different pairs."),
    ),
    "overlap": Wording(
        _("Selections with an overlap"),
        _("selections"),
        _("In so many selections of each annotator, each pair is rated by a second validator too; 0 = no overlap."),
    ),
    "annotators": Wording(_("Annotators whose selections are validated"), _("people")),
    "tuples": Wording(
        _("Selections for each annotator"),
        _("selections"),
        _("The first so many selections of each annotator are rated; a validator sees one pair of each."),
    ),
    "stack_size": Wording(
        _("Ratings of each pair"),
        _("people"),
        _("So many people rate the same pair. More people, a more certain mean."),
    ),
    "calibration": Wording(
        _("Warm-up"),
        _("values"),
        _("One pair of each of these values opens a session, in this order; separated by commas."),
    ),
    "intra": Wording(
        _("Pairs rated once more"),
        _("pairs"),
        _("Rated by the same person in the round before, to see how steady their answers are."),
    ),
    "refill_from_start": Wording(
        _("Whoever takes over a pair rates it in both sessions"),
        "",
        _("If somebody leaves, their ratings of a pair that they rated in one session only no longer count."),
    ),
    "PairStackDesign.intra": Wording(
        _("Pairs rated once more"),
        _("pairs"),
        _("Rated again by the same person at the end of each session, to measure intra-annotator agreement."),
    ),
    "pause_hours": Wording(
        _("Pause between the sessions"),
        _("hours"),
        _("So that the second session does not lean on what people remember."),
    ),
    "pause_enforced": Wording(
        _("Nobody may come back before the pause is over"), "", _("Otherwise the pause is recommended, and measured.")
    ),
    "people": Wording(_("People"), _("people")),
    "BestWorstDesign.people": Wording(_("Answers to each comparison"), _("people")),
    "contradictions_above": Wording(
        _("Contradictions allowed"),
        _("share from 0 to 1"),
        _("Who contradicts the known labels in more of the answers is excluded and replaced."),
    ),
    "screening_minimum": Wording(
        _("Answers needed to screen people who leave"),
        _("answers"),
        _("Answers to items with a known label. People who finish are always screened."),
    ),
    "shuffled": Wording(_("Every person sees the items in an order of their own")),
    "ratings": Wording(
        _("Ratings of each pair"), _("people"), _("Each rating is by another person. More people, a more certain mean.")
    ),
    "items_a_person": Wording(_("Pairs for each person"), _("pairs"), _("The maximum for one person; 0 = all pairs.")),
    "CompleteDesign.items_a_person": Wording(
        _("Pairs for each person"),
        _("pairs"),
        _("The maximum for one person if pairs come from a common pool; 0 = no limit. Otherwise everybody rates all."),
    ),
    "CompleteDesign.open": Wording(
        _("People take pairs from a common pool"),
        "",
        _(
            "Each pair then gets as many ratings as the number of people says, from whoever comes. Otherwise everybody "
            "rates all pairs."
        ),
    ),
    "IncompleteDesign.open": Wording(
        _("People take pairs from a common pool"),
        "",
        _("Whoever comes rates the pairs that still need ratings. Otherwise each place has its own, planned ahead."),
    ),
    "CompleteDesign.lease_minutes": Wording(AWAY, _("minutes"), PASSED_ON),
    "IncompleteDesign.lease_minutes": Wording(AWAY, _("minutes"), PASSED_ON),
    "tuple_size": Wording(
        _("Compared at once"), _("items"), _("So many are shown together; people choose two of them.")
    ),
    "factor": Wording(
        _("Comparisons for each item"),
        _("times the number of items"),
        _("2 means twice as many comparisons as items; where items come in groups all are compared anyway."),
    ),
    "open": Wording(
        _("People take comparisons from a common pool"),
        "",
        _("Anybody may do as much as they like. Otherwise each place has its own, planned ahead."),
    ),
    "tuples_a_person": Wording(
        _("Comparisons for one person"), _("at the most"), _("0 for no limit. A hundred take about forty minutes.")
    ),
    "lease_minutes": Wording(
        AWAY,
        _("minutes"),
        _("After that a comparison that was not answered goes to somebody else."),
    ),
    "marks_words_alike": Wording(
        _("All shared words are marked alike"),
        "",
        _("As in the paper. Otherwise words such as “was” or “from”, and words in many sentences, are marked faintly."),
    ),
    "hard_to_say": Wording(_("People may mark a choice as hard to say")),
    "check_share": Wording(
        _("Right answers that the check asks for"), _("share from 0 to 1"), _("Only where the practice has a check.")
    ),
}
HIDDEN = {"grouped"}  # belongs to the shape of the material
PAUSE = {"pause_hours", "pause_enforced"}


@dataclass(frozen=True)
class Number:
    """A number of a protocol as a page shows it; `name` is its name in `with_settings`."""

    name: str
    value: Any
    label: str
    wording: Wording
    limits: Limits | None


@dataclass(frozen=True)
class NumberGroup:
    """The numbers of the scale, or of a round."""

    title: str
    numbers: list[Number]


def number_groups(protocol: Protocol) -> list[NumberGroup]:
    """Return every number that a manager may change, with its wording, round by round."""
    present, limits = setting_names(protocol), setting_limits(protocol)
    scale = [
        Number(name, value, str(_wording(name).label), _wording(name), limits.get(name))
        for name, value in present.items()
        if name.startswith("scale.")
    ]
    groups = [NumberGroup(gettext("The scale"), scale)] if scale else []
    several = len(protocol.rounds) > 1
    for round_ in protocol.rounds:
        title = f"{round_.key}: {round_.title}" if several else round_.title
        groups.append(NumberGroup(title, list(_numbers_of(round_, present, limits))))
    return groups


def _numbers_of(round_: Round, present: dict[str, Any], limits: dict[str, Limits]) -> Iterator[Number]:
    for name, value in present.items():
        kind = name.rpartition(".")[2]
        shown = kind not in HIDDEN and (kind not in PAUSE or len(round_.sessions) > 1)
        if name.startswith(f"{round_.key}.") and shown:
            wording = _wording(name, type(round_.design).__name__)
            yield Number(name, value, _label_in(round_, name), wording, limits.get(name))


def _wording(name: str, kind: str = "") -> Wording:
    """Return the wording of a number; a kind of design may have its own for a name that others have too."""
    field = name.rpartition(".")[2]
    return WORDINGS.get(f"{kind}.{field}") or WORDINGS[field]


def _label_in(round_: Round, name: str) -> str:
    """Return the label of a number, with the name of its role or pool."""
    _round, *between, kind = name.split(".")
    design, key = round_.design, between[-1] if between else ""
    label = str(_wording(name, type(design).__name__).label)
    if design.selects and kind == "expected":
        return label % {"role": next(role.title for role in design.roles if role.key == key)}
    if design.rater_pools and key:
        pool = next(pool.title for pool in design.pools if pool.key == key)
        return f"{pool}: {label.lower()}" if len(design.pools) > 1 else label
    return label


def in_words(error: ProtocolError) -> str:
    """Return the sentence of a protocol error, with the number's label in place of its name."""
    if isinstance(error, OutOfLimits):
        return gettext(error.pattern) % (error.values | {"name": _wording(error.name, error.kind).label})
    return translated(error)
