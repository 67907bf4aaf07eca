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
    anchor: str = ""
    """The heading of docs/protocol-settings.md that explains it."""


AWAY = _("Reserved for an inactive annotator")
PASSED_ON = _(
    "In a common pool, a pair that is still unrated after this time can go to another annotator "
    "once no other pairs are left."
)
WORDINGS = {
    "minimum": Wording(_("Minimum"), "", _("The value at the left end of the scale."), anchor="minimum-and-maximum"),
    "maximum": Wording(_("Maximum"), "", _("The value at the right end of the scale."), anchor="minimum-and-maximum"),
    "step": Wording(
        _("Step"),
        "",
        _("The distance between two neighbouring values: 1 for whole numbers, 0.1 for a fine scale."),
        anchor="step",
    ),
    "incidents": Wording(
        _("Incidents per annotator"),
        _("incidents"),
        _("How many incidents each annotator selects sentences from. Each incident goes to one annotator only."),
        anchor="incidents-per-annotator",
    ),
    "context_sentences": Wording(
        _("Context"),
        _("sentences"),
        _("How many sentences before and after are shown when a selected pair is rated in context."),
        anchor="context",
    ),
    "expected": Wording(
        _("Expected rating of “%(role)s”"),
        "",
        _("Selected pairs with a rating far from this value can be filtered out later."),
        anchor="expected-rating",
    ),
    "validators": Wording(
        _("Validators per annotator"),
        _("people"),
        _("How many people rate the pairs that one annotator selected. Each of them rates different pairs."),
        anchor="validators-per-annotator",
    ),
    "overlap": Wording(
        _("Selections with overlap"),
        _("selections"),
        _("The number of selections per annotator in which a second validator also rates each pair; 0 = no overlap."),
        anchor="selections-with-overlap",
    ),
    "annotators": Wording(
        _("Validated annotators"),
        _("people"),
        _("How many annotators of the first round have their selections rated."),
        anchor="validated-annotators",
    ),
    "tuples": Wording(
        _("Selections per annotator"),
        _("selections"),
        _(
            "How many selections of each annotator are rated, starting with the first. A validator sees "
            "one pair of each."
        ),
        anchor="selections-per-annotator",
    ),
    "stack_size": Wording(
        _("Ratings per pair"),
        _("people"),
        _("How many people rate the same pair. The mean is more precise with more people."),
        anchor="ratings-per-pair",
    ),
    "calibration": Wording(
        _("Calibration"),
        _("values"),
        _("Each session starts with one pair of each of these values, in this order. Separate values with commas."),
        anchor="calibration",
    ),
    "intra": Wording(
        _("Repeated pairs"),
        _("pairs"),
        _("Pairs that the same person rated in the previous round, to measure intra-annotator agreement."),
        anchor="repeated-pairs",
    ),
    "refill_from_start": Wording(
        _("Replacements rate a pair in both sessions"),
        "",
        _("If an annotator leaves, ratings of pairs that they rated in only one session no longer count."),
        anchor="replacements-rate-a-pair-in-both-sessions",
    ),
    "PairStackDesign.intra": Wording(
        _("Repeated pairs"),
        _("pairs"),
        _("Pairs that the same person rates again at the end of each session, to measure intra-annotator agreement."),
        anchor="repeated-pairs",
    ),
    "pause_hours": Wording(
        _("Pause between sessions"),
        _("hours"),
        _("So that memory of the first session does not influence the second."),
        anchor="pause-between-sessions",
    ),
    "pause_enforced": Wording(
        _("Enforce the pause"),
        "",
        _("Nobody can start the next session early. Otherwise the pause is recommended and its length recorded."),
        anchor="enforce-the-pause",
    ),
    "people": Wording(
        _("People"),
        _("people"),
        _("How many people of this group rate every item. The mean is more precise with more people."),
        anchor="people",
    ),
    "BestWorstDesign.people": Wording(
        _("Answers per comparison"),
        _("people"),
        _("Each answer is by a different person. Scores are more precise with more answers."),
        anchor="answers-per-comparison",
    ),
    "contradictions_above": Wording(
        _("Contradictions allowed"),
        _("share from 0 to 1"),
        _("Annotators who contradict the known labels in a larger share of their answers are excluded and replaced."),
        anchor="contradictions-allowed",
    ),
    "screening_minimum": Wording(
        _("Minimum answers to screen people who leave"),
        _("answers"),
        _("Counts answers to items with a known label. People who finish are always screened."),
        anchor="minimum-answers-to-screen-people-who-leave",
    ),
    "shuffled": Wording(
        _("Shuffle items for each annotator"),
        "",
        _("Otherwise everybody sees the items in the order of the file."),
        anchor="shuffle-items-for-each-annotator",
    ),
    "ratings": Wording(
        _("Ratings per pair"),
        _("people"),
        _("Each rating is by a different person. The mean is more precise with more ratings."),
        anchor="ratings-per-pair",
    ),
    "items_a_person": Wording(
        _("Pairs per annotator"), _("pairs"), _("Maximum per person; 0 = all pairs."), anchor="pairs-per-annotator"
    ),
    "CompleteDesign.items_a_person": Wording(
        _("Pairs per annotator"),
        _("pairs"),
        _(
            "Maximum per person if pairs come from a common pool; 0 = no limit. Without a pool everybody "
            "rates all pairs."
        ),
        anchor="pairs-per-annotator",
    ),
    "CompleteDesign.open": Wording(
        _("Common pool of pairs"),
        "",
        _(
            "Everybody who joins rates pairs that still need ratings, until each pair has as many ratings as "
            "the number of people. Without a pool everybody rates all pairs."
        ),
        anchor="common-pool",
    ),
    "IncompleteDesign.open": Wording(
        _("Common pool of pairs"),
        "",
        _(
            "Everybody who joins rates pairs that still need ratings. Without a pool the pairs of each place "
            "are planned in advance."
        ),
        anchor="common-pool",
    ),
    "CompleteDesign.lease_minutes": Wording(AWAY, _("minutes"), PASSED_ON, anchor="reserved-for-an-inactive-annotator"),
    "IncompleteDesign.lease_minutes": Wording(
        AWAY, _("minutes"), PASSED_ON, anchor="reserved-for-an-inactive-annotator"
    ),
    "tuple_size": Wording(
        _("Items per comparison"),
        _("items"),
        _("How many items are shown together. Annotators choose the best and the worst of them."),
        anchor="items-per-comparison",
    ),
    "factor": Wording(
        _("Comparisons per item (factor)"),
        _("× number of items"),
        _(
            "2 means twice as many comparisons as items. For items in groups, such as dialogues, each "
            "group is compared completely."
        ),
        anchor="comparisons-per-item",
    ),
    "open": Wording(
        _("Common pool of comparisons"),
        "",
        _(
            "Annotators can do as many as they like. Without a pool the comparisons of each place are "
            "planned in advance."
        ),
        anchor="common-pool",
    ),
    "tuples_a_person": Wording(
        _("Comparisons per annotator"),
        _("maximum"),
        _("0 = no limit. 100 comparisons take about 40 minutes."),
        anchor="comparisons-per-annotator",
    ),
    "lease_minutes": Wording(
        AWAY,
        _("minutes"),
        _("After this time an unanswered comparison can go to another annotator."),
        anchor="reserved-for-an-inactive-annotator",
    ),
    "marks_words_alike": Wording(
        _("Highlight all shared words equally"),
        "",
        _(
            "As in the paper. Otherwise function words such as “was” or “from” and words that occur in "
            "many sentences are highlighted faintly."
        ),
        anchor="highlighted-words",
    ),
    "marks_inflected_forms": Wording(
        _("Highlight inflected forms"),
        "",
        _(
            "“Mayors” is highlighted if the sentence says “mayor”. Works in languages that have a stemmer, such "
            "as Czech."
        ),
        anchor="inflected-forms",
    ),
    "hard_to_say": Wording(
        _("Allow “hard to say”"),
        "",
        _("Annotators can mark a choice as hard to say. The choice still counts."),
        anchor="allow-hard-to-say",
    ),
    "check_share": Wording(
        _("Share of right answers needed to pass the check"),
        _("share from 0 to 1"),
        _("Applies only if the practice has a qualification check."),
        anchor="qualification-check",
    ),
    "split_half": Wording(
        _("Target: split-half reliability"),
        "",
        _("The round ends when its scores reach this value; 0 = not a target."),
        anchor="targets",
    ),
    "icc": Wording(
        _("Target: ICC of the scores"),
        "",
        _("The round ends when its scores reach this value; 0 = not a target."),
        anchor="targets",
    ),
    "width": Wording(
        _("Target: width of the intervals"),
        _("points of the scale"),
        _("The round ends when the interval (95 %) of every score is at most this wide; 0 = not a target."),
        anchor="targets",
    ),
    "lower_limit": Wording(
        _("Lower limit must reach the target"),
        "",
        _("The lower limit of the interval (95 %) of the reliability must reach the target, not only the estimate."),
        anchor="targets",
    ),
    "first": Wording(
        _("First wave"),
        _("judgments per item or comparison"),
        _("Used only with a target. After the first wave, each wave goes to the least precise items."),
        anchor="waves",
    ),
    "wave": Wording(
        _("Later waves"),
        _("judgments per item or comparison, on average"),
        _("The minimum size of a wave. If more are missing, half of the missing judgments are opened at once."),
        anchor="waves",
    ),
    "looks": Wording(
        _("Maximum number of waves"),
        _("waves"),
        _("After this number of waves the round ends, even below the target."),
        anchor="waves",
    ),
    "budget": Wording(
        _("Budget"),
        _("judgments per item or comparison, on average"),
        _("The round ends when it is spent; 0 = the number planned without a target."),
        anchor="budget",
    ),
    "most": Wording(
        _("Maximum for one item"),
        _("judgments"),
        _("No item or comparison gets more judgments than this; 0 = no limit."),
        anchor="budget",
    ),
    "adaptive": Wording(
        _("Adaptive waves"),
        "",
        _("Used only with a target. Later waves have new comparisons of items whose scores are close."),
        anchor="adaptive-waves",
    ),
    "uneven": Wording(
        _("Show items with close neighbors more often"),
        "",
        _("Used only with adaptive waves. Otherwise, all items appear equally often."),
        anchor="adaptive-waves",
    ),
    "together": Wording(
        _("Maximum number of comparisons shared by two items"),
        _("comparisons"),
        _("Used only with adaptive waves. A lower limit lets items meet more different others."),
        anchor="adaptive-waves",
    ),
}
STOPPING = ".stopping."
"""In the names of the numbers that tell when a round ends."""
TARGETS = {"split_half", "icc", "width"}
ADAPTIVE = {"adaptive", "uneven", "together"}
"""Numbers of rounds of comparisons that need a target."""
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

    @property
    def is_of_waves(self) -> bool:
        """Return whether it matters only to a round with a target."""
        return STOPPING in self.name or self.name.rpartition(".")[2] in ADAPTIVE


@dataclass(frozen=True)
class NumberGroup:
    """The numbers of the scale, or of a round."""

    title: str
    numbers: list[Number]

    @property
    def is_unused(self) -> bool:
        """Return whether all of its numbers matter only to a round with a target, and it has no target."""
        targets = [number.value for number in self.numbers if number.name.rpartition(".")[2] in TARGETS]
        return all(number.is_of_waves for number in self.numbers) and not any(targets)


def number_groups(protocol: Protocol) -> list[NumberGroup]:
    """Return every number that a manager may change, with its wording, round by round."""
    present, limits = setting_names(protocol), setting_limits(protocol)
    scale = [
        Number(name, value, str(_wording(name).label), _wording(name), limits.get(name))
        for name, value in present.items()
        if name.startswith("scale.")
    ]
    groups = [NumberGroup(gettext("Scale"), scale)] if scale else []
    several = len(protocol.rounds) > 1
    for round_ in protocol.rounds:
        title = f"{round_.key}: {round_.title}" if several else round_.title
        numbers = list(_numbers_of(round_, present, limits))
        groups.append(NumberGroup(title, [number for number in numbers if not number.is_of_waves]))
        ending = gettext("%(round)s: stop when it is enough") % {"round": title}
        groups.append(NumberGroup(ending, [number for number in numbers if number.is_of_waves]))
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
    if design.rater_pools and key and STOPPING not in name:
        pool = next(pool.title for pool in design.pools if pool.key == key)
        return f"{pool}: {label.lower()}" if len(design.pools) > 1 else label
    return label


def in_words(error: ProtocolError) -> str:
    """Return the sentence of a protocol error, with the number's label in place of its name."""
    if isinstance(error, OutOfLimits):
        return gettext(error.pattern) % (error.values | {"name": _wording(error.name, error.kind).label})
    return translated(error)
