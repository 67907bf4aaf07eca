"""Protocols as data: which texts are judged, on which scale, by whom, in which rounds and sessions.

A protocol is a frozen tree of dataclasses. It holds no behaviour beyond its own arithmetic: planning, flow and
scoring look up what to do by the type of a round's design.
"""

from dataclasses import dataclass
from typing import Annotated

from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import SelectionDesign, SequenceDesign, StackDesign
from annotation.protocols.designs.rating import CompleteDesign, IncompleteDesign, PairStackDesign
from annotation.protocols.errors import ProtocolError, require
from annotation.protocols.limits import Limited, between
from annotation.protocols.scale import Scale
from annotation.protocols.stopping import FINE_SCALE, MARGIN, TargetKind
from annotation.protocols.terms import Context, JudgmentKind, Material

Design = (
    SelectionDesign
    | SequenceDesign
    | StackDesign
    | CompleteDesign
    | IncompleteDesign
    | PairStackDesign
    | BestWorstDesign
)


@dataclass(frozen=True)
class Round(Limited):
    """A stage of the protocol, with its annotators."""

    key: str
    title: str
    design: Design
    sessions: tuple[Context, ...]
    pause_hours: Annotated[float, between(0, 10_000)] = 0.0
    """Hours between two sessions."""
    pause_enforced: bool = False
    """Whether the server refuses an earlier return, or recommends the pause and measures it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(len(self.sessions) >= 1, "Round %(key)s needs at least one session.", key=self.key)


@dataclass(frozen=True)
class Protocol:
    """One way of collecting judgments, from the material to the last session."""

    key: str
    title: str
    material: Material
    question: str
    scale: Scale | None
    rounds: tuple[Round, ...]

    def __post_init__(self) -> None:
        keys = [round_.key for round_ in self.rounds]
        require(len(keys) >= 1, "A protocol needs at least one round.")
        require(len(set(keys)) == len(keys), "Two rounds have the same name.")
        for round_ in self.rounds:
            self._check(round_)

    def _check(self, round_: Round) -> None:
        design = round_.design
        require(
            self.material != Material.TEXTS or design.compares,
            "Single texts can only be compared, but round %(round)s does not compare its items.",
            round=round_.key,
        )
        require(
            self.scale is not None or design.compares,
            "Round %(round)s collects ratings, but the protocol has no scale.",
            round=round_.key,
        )
        require(
            not design.is_open or len(round_.sessions) == 1,
            "Round %(round)s has a common pool and several sessions. Rounds with a common pool can have "
            "only one session.",
            round=round_.key,
        )
        self._check_validators(round_)
        require(
            not design.stopping.lower_limit or self.knows_interval_of(design),
            "Round %(round)s has the lower limit of the reliability as its target. The reliability has an interval "
            "only where people rate, on a scale with %(points)s points or more. Turn off “lower limit”.",
            round=round_.key,
            points=FINE_SCALE,
        )
        expected = [role.expected for role in design.roles] if isinstance(design, SelectionDesign) else []
        for value in (*expected, *design.calibration_values):
            require(
                self.scale is not None and value in self.scale.points,
                "Round %(round)s expects ratings of %(value)s, which is not on the scale.",
                round=round_.key,
                value=value,
            )

    def _check_validators(self, round_: Round) -> None:
        design = round_.design
        if not isinstance(design, SequenceDesign | StackDesign):
            return
        roles = len(self.selection(round_).roles)
        require(
            not isinstance(design, SequenceDesign) or design.validators % roles == 0,
            "The number of validators of round %(round)s must be a multiple of %(roles)s: each pair of a "
            "tuple has its own validator.",
            round=round_.key,
            roles=roles,
        )
        require(
            not isinstance(design, SequenceDesign) or roles > 1 or not design.overlap,
            "The validators of round %(round)s cannot overlap because a tuple has only one pair.",
            round=round_.key,
        )

    @property
    def compares(self) -> bool:
        """Return whether people compare tuples in some round."""
        return bool(self.rounds_of(JudgmentKind.CHOICE))

    @property
    def in_context(self) -> bool:
        """Return whether imported pairs are shown in their context in some session."""
        return self.material is Material.PAIRS and any(Context.DEPENDENT in round_.sessions for round_ in self.rounds)

    def knows_interval_of(self, design: Design) -> bool:
        """Return whether the interval of the reliability of such a round covers about as often as it says.

        It covers too seldom for comparisons and for ratings on coarse scales (docs/stopping.md).
        """
        return self.scale is not None and not design.compares and self.scale.size >= FINE_SCALE

    def goal_of(self, design: Design) -> float:
        """Return the estimate at which a round in waves has reached its target: higher than the target by a margin if
        the reliability has no interval."""
        kind = design.stopping.target
        if kind is None:
            raise ValueError("The round has no target.")
        value = design.stopping.targets[kind]
        if kind is TargetKind.WIDTH or self.knows_interval_of(design):
            return value
        return 1 - (1 - value) * (1 - MARGIN)

    def rounds_of(self, judgment: JudgmentKind) -> tuple[Round, ...]:
        """Return the rounds in which people give judgments of that kind."""
        return tuple(round_ for round_ in self.rounds if round_.design.judgment is judgment)

    @property
    def has_one_screen(self) -> bool:
        """Return whether all judgments are made on the same kind of screen: of the only round, which compares."""
        return len(self.rounds) == 1 and self.rounds[0].design.compares

    def round(self, key: str) -> Round:
        """Return the round of that name. Raise ProtocolError if there is none; the message lists all rounds."""
        for round_ in self.rounds:
            if round_.key == key:
                return round_
        names = ", ".join(round_.key for round_ in self.rounds)
        raise ProtocolError("This protocol has no round “%(key)s”. Its rounds: %(names)s.", key=key, names=names)

    def selection(self, round_: Round) -> SelectionDesign:
        """Return the design of the round in which the pairs of a validating round were selected."""
        design = round_.design
        require(
            isinstance(design, SequenceDesign | StackDesign),
            "Round %(round)s does not validate selections.",
            round=round_.key,
        )
        source = self.round(design.source).design  # type: ignore[union-attr]
        if not isinstance(source, SelectionDesign):
            raise ProtocolError(
                "Round %(round)s validates selections, but its source round does not select anything.", round=round_.key
            )
        return source
