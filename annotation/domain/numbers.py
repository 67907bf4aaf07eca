"""The numbers of a protocol in words for the person who may change them, with their limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.errors import Refusal
from annotation.protocols.settings import setting_names
from annotation.protocols.spec import LONGEST_PAUSE, BestWorstDesign, CompleteDesign, Protocol, Round, SelectionDesign

MOST_PEOPLE, MOST_TUPLES, SCALE_END = 1000, 10_000, 1000


@dataclass(frozen=True)
class Wording:
    """What a kind of number is called, what it is counted in, what it does, and how small and large it may be."""

    label: str | Promise
    unit: str | Promise = ""
    explanation: str | Promise = ""
    low: float | None = None
    high: float | None = None

    def limits(self) -> tuple[Decimal | None, Decimal | None]:
        """Both ends, exactly as they are written above."""
        low, high = (None if end is None else Decimal(str(end)) for end in (self.low, self.high))
        return low, high


WORDINGS = {
    "minimum": Wording(
        gettext_lazy("Lowest value"), "", gettext_lazy("The value at the left end."), -SCALE_END, SCALE_END
    ),
    "maximum": Wording(
        gettext_lazy("Highest value"), "", gettext_lazy("The value at the right end."), -SCALE_END, SCALE_END
    ),
    "step": Wording(
        gettext_lazy("Step"),
        "",
        gettext_lazy("How far apart two values are: 1 for whole numbers, 0.1 for a fine scale."),
        0.001,
        SCALE_END,
    ),
    "incidents": Wording(
        gettext_lazy("Incidents a person"),
        gettext_lazy("incidents"),
        gettext_lazy("So many whole incidents each person selects sentences in; nobody else gets the same."),
        1,
        1000,
    ),
    "context_sentences": Wording(
        gettext_lazy("Context"),
        gettext_lazy("sentences"),
        gettext_lazy("So many sentences on either side are shown when a selected pair is rated in context."),
        0,
        20,
    ),
    "expected": Wording(
        gettext_lazy("Rating expected of “%(role)s”"),
        "",
        gettext_lazy("What one expects; selected pairs that lie far from it can be filtered out later."),
    ),
    "validators": Wording(
        gettext_lazy("Validators for each annotator"),
        gettext_lazy("people"),
        gettext_lazy("People who rate the pairs that one annotator selected; each of them rates different pairs."),
        1,
        300,
    ),
    "annotators": Wording(
        gettext_lazy("Annotators whose selections are validated"), gettext_lazy("people"), "", 1, MOST_PEOPLE
    ),
    "tuples": Wording(
        gettext_lazy("Selections for each annotator"),
        gettext_lazy("selections"),
        gettext_lazy("The first so many selections of each annotator are rated; a validator sees one pair of each."),
        1,
        MOST_TUPLES,
    ),
    "stack_size": Wording(
        gettext_lazy("Ratings of each pair"),
        gettext_lazy("people"),
        gettext_lazy("So many people rate the same pair. More people, a more certain mean."),
        1,
        100,
    ),
    "calibration": Wording(
        gettext_lazy("Warm-up"),
        gettext_lazy("values"),
        gettext_lazy("One pair of each of these values opens a session, in this order; separated by commas."),
    ),
    "intra": Wording(
        gettext_lazy("Pairs rated once more"),
        gettext_lazy("pairs"),
        gettext_lazy("Rated by the same person in the round before, to see how steady their answers are."),
        0,
        1000,
    ),
    "pause_hours": Wording(
        gettext_lazy("Pause between the sessions"),
        gettext_lazy("hours"),
        gettext_lazy("So that the second session does not lean on what people remember."),
        0,
        LONGEST_PAUSE,
    ),
    "pause_enforced": Wording(
        gettext_lazy("Nobody may come back before the pause is over"),
        "",
        gettext_lazy("Otherwise the pause is recommended, and measured."),
    ),
    "people": Wording(gettext_lazy("People"), gettext_lazy("people"), "", 1, MOST_PEOPLE),
    "contradictions_above": Wording(
        gettext_lazy("Contradictions allowed"),
        gettext_lazy("share from 0 to 1"),
        gettext_lazy("Who contradicts the known labels in more of the answers is excluded and replaced."),
        0,
        1,
    ),
    "shuffled": Wording(gettext_lazy("Every person sees the items in an order of their own")),
    "tuple_size": Wording(
        gettext_lazy("Compared at once"),
        gettext_lazy("items"),
        gettext_lazy("So many are shown together; people choose two of them."),
        3,
        8,
    ),
    "factor": Wording(
        gettext_lazy("Comparisons for each item"),
        gettext_lazy("times the number of items"),
        gettext_lazy("2 means twice as many comparisons as items; where items come in groups all are compared anyway."),
        0.1,
        20,
    ),
    "open": Wording(
        gettext_lazy("People take comparisons from a common pool"),
        "",
        gettext_lazy("Anybody may do as much as they like. Otherwise each place has its own, planned ahead."),
    ),
    "tuples_a_person": Wording(
        gettext_lazy("Comparisons for one person"),
        gettext_lazy("at the most"),
        gettext_lazy("0 for no limit. A hundred take about forty minutes."),
        0,
        MOST_TUPLES,
    ),
    "lease_minutes": Wording(
        gettext_lazy("Kept for a person who is away"),
        gettext_lazy("minutes"),
        gettext_lazy("After that a comparison that was not answered goes to somebody else."),
        1,
        10_000,
    ),
    "hard_to_say": Wording(gettext_lazy("People may mark a choice as hard to say")),
    "check_share": Wording(
        gettext_lazy("Right answers that the check asks for"),
        gettext_lazy("share from 0 to 1"),
        gettext_lazy("Only where the practice has a check."),
        0,
        1,
    ),
}
HIDDEN = {"grouped"}  # belongs to the shape of the material
PAUSE = {"pause_hours", "pause_enforced"}


@dataclass(frozen=True)
class Number:
    """One number of a protocol as a page shows it; `name` is what `with_settings` calls it."""

    name: str
    value: Any
    label: str
    wording: Wording


@dataclass(frozen=True)
class NumberGroup:
    """The numbers that belong together: of the scale, or of a round."""

    title: str
    numbers: list[Number]


def number_groups(protocol: Protocol) -> list[NumberGroup]:
    """Every number that a manager may change, in words, round by round."""
    present = setting_names(protocol)
    scale = [_number(name, value, _label(name)) for name, value in present.items() if name.startswith("scale.")]
    groups = [NumberGroup(_("The scale"), scale)] if scale else []
    several = len(protocol.rounds) > 1
    for round_ in protocol.rounds:
        title = f"{round_.key}: {round_.title}" if several else round_.title
        groups.append(NumberGroup(title, list(_numbers_of(round_, present))))
    return groups


def _numbers_of(round_: Round, present: dict[str, Any]) -> Iterator[Number]:
    for name, value in present.items():
        kind = name.rpartition(".")[2]
        shown = kind not in HIDDEN and (kind not in PAUSE or len(round_.sessions) > 1)
        if name.startswith(f"{round_.key}.") and shown:
            yield _number(name, value, _label_in(round_, name))


def _number(name: str, value: Any, label: str) -> Number:
    return Number(name, value, label, WORDINGS[name.rpartition(".")[2]])


def _label(name: str) -> str:
    return str(WORDINGS[name.rpartition(".")[2]].label)


def _label_in(round_: Round, name: str) -> str:
    """With the name of the role or the pool that it belongs to."""
    _round, *between, kind = name.split(".")
    design, key = round_.design, between[-1] if between else ""
    if isinstance(design, SelectionDesign) and kind == "expected":
        return _label(name) % {"role": next(role.title for role in design.roles if role.key == key)}
    if isinstance(design, CompleteDesign) and key:
        pool = next(pool.title for pool in design.pools if pool.key == key)
        return f"{pool}: {_label(name).lower()}" if len(design.pools) > 1 else _label(name)
    if isinstance(design, BestWorstDesign) and kind == "people":
        return _("Answers to each comparison")
    return _label(name)


def require_numbers_in_limits(protocol: Protocol) -> None:
    """That every number is one that the pages would take.

    Raises:
        Refusal: with the first that is not.
    """
    for name, value in setting_names(protocol).items():
        wording = WORDINGS.get(name.rpartition(".")[2], Wording(""))
        low, high = wording.limits()
        if low is not None and high is not None and not low <= value <= high:
            raise Refusal(
                _("“%(name)s” must lie between %(low)s and %(high)s.")
                % {"name": _label(name), "low": low, "high": high}
            )
