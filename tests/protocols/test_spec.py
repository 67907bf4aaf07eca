from dataclasses import replace
from decimal import Decimal

import pytest

from annotation.protocols.designs.common import Pool
from annotation.protocols.designs.news import SelectionDesign, SequenceDesign
from annotation.protocols.designs.rating import CompleteDesign
from annotation.protocols.errors import OffScale, ProtocolError
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material
from tests.presets import CZECH_NEWS, DSCS, SEMREL, STSS131

TENTHS, WHOLE = STSS131.scale, CZECH_NEWS.scale
ROLES = CZECH_NEWS.rounds[0].design.roles


def scale(minimum, maximum, step):
    return Scale(Decimal(minimum), Decimal(maximum), Decimal(step))


def best_worst(**changes):
    return replace(SEMREL.rounds[0].design, **changes)


def stacks(**changes):
    return replace(CZECH_NEWS.rounds[2].design, **changes)


def czech_news(round_index, design, **changes):
    rounds = list(CZECH_NEWS.rounds)
    rounds[round_index] = replace(rounds[round_index], design=design)
    return replace(CZECH_NEWS, rounds=tuple(rounds), **changes)


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        (("0", "6", "0"), "“step” must be between 0.001 and 1000"),
        (("6", "6", "1"), "minimum must be below"),
        (("0", "1", "0.3"), "The range from 0 to 1 is"),
        (("0", "1000", "0.5"), "too fine"),
        (("0", "1", "0.0009"), "“step” must be between 0.001 and 1000"),
        (("NaN", "6", "1"), "“minimum” must be between -1000 and 1000"),
        (("0", "Infinity", "1"), "“maximum” must be between -1000 and 1000"),
        (("0", "6", "sNaN"), "“step” must be between 0.001 and 1000"),
        (("0", "1e9", "1e9"), "“maximum” must be between -1000 and 1000"),
    ],
)
def test_scale_contradictory(ends, message):
    with pytest.raises(ProtocolError, match=message):
        scale(*ends)


def test_scale_points():
    assert TENTHS.points[:3] == (Decimal(0), Decimal("0.1"), Decimal("0.2"))
    assert (TENTHS.size, TENTHS.midpoint, TENTHS.decimals) == (41, 2, 1)
    assert (WHOLE.size, WHOLE.midpoint, WHOLE.decimals) == (7, 3, 0)
    assert DSCS.scale.midpoint == Decimal("2.5")
    assert scale("0", "1", "0.001").size == 1001
    assert scale("-20", "20", "10").decimals == 0


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0.0), (" 2.5 ", 2.5), ("4.0", 4.0), ("0.3", 0.3), ("٣", 3.0), ("1e0", 1.0)]
)
def test_scale_reads_a_point(text, value):
    assert TENTHS.read(text) == value


def test_scale_reads_minus_zero_as_zero():
    assert WHOLE.write(WHOLE.read("-0")) == "0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“” is not a number"),
        ("three", "“three” is not a number"),
        ("nan", "outside the scale"),
        ("sNaN", "outside the scale"),
        ("inf", "outside the scale"),
        ("-1", "outside the scale from 0 to 4"),
        ("4.1", "outside the scale"),
        ("2.55", r"between two points .* steps of 0\.1"),
        ("2,5", "“2,5” is not a number"),
    ],
)
def test_scale_refuses(text, message):
    with pytest.raises(OffScale, match=message):
        TENTHS.read(text)


@pytest.mark.parametrize(("value", "point"), [(-3.0, 0.0), (0.04, 0.0), (2.26, 2.3), (3.96, 4.0), (99.0, 4.0)])
def test_scale_nearest_point(value, point):
    assert TENTHS.nearest(value) == point


@pytest.mark.parametrize(("one", "value", "text"), [(TENTHS, 3.0, "3.0"), (WHOLE, 3.0, "3"), (TENTHS, 0.3, "0.3")])
def test_scale_writes_its_decimals(one, value, text):
    assert one.write(value) == text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SelectionDesign(0, 2, ROLES), "“incidents” must be between 1 and 1000"),
        (lambda: SelectionDesign(1, -1, ROLES), "“context_sentences” must be between 0 and 20"),
        (lambda: SelectionDesign(1, 2, ()), "At least one sentence"),
        (lambda: SequenceDesign("R1", 0, 3), "“tuples” must be between 1 and 10000"),
        (lambda: SequenceDesign("R1", 30, 0), "“validators” must be between 1 and 300"),
        (lambda: stacks(annotators=0), "“annotators” must be between 1 and 10000"),
        (lambda: stacks(tuples=0), "“tuples” must be between"),
        (lambda: stacks(stack_size=0), "“stack_size” must be between 1 and 100"),
        (lambda: stacks(calibration=(Decimal(0),) * 51), "“calibration” must have 1 to 50 values"),
        (lambda: stacks(intra=-1), "“intra” must be between 0 and 1000"),
        (lambda: Pool("crowd", "Crowd", 0), "“people” must be between 1 and 10000"),
        (lambda: Pool("crowd", "Crowd", 1, 1.1), "“contradictions_above” must be between 0 and 1"),
        (lambda: Pool("crowd", "Crowd", 1, float("nan")), "between 0 and 1"),
        (lambda: Pool("crowd", "Crowd", 1, 0.8, 0), "“screening_minimum” must be between 1 and 10000"),
        (lambda: CompleteDesign((), shuffled=True), "At least one pool"),
        (lambda: best_worst(tuple_size=1), "“tuple_size” must be between 2 and 8"),
        (lambda: best_worst(tuple_size=9), "“tuple_size” must be between 2 and 8"),
        (lambda: best_worst(factor=Decimal(0)), r"“factor” must be between 0\.1 and 20"),
        (lambda: best_worst(factor=Decimal("sNaN")), "“factor” must be between"),
        (lambda: best_worst(people=0), "“people” must be between 1 and 10000"),
        (lambda: best_worst(tuples_a_person=-1), "“tuples_a_person” must be between 0 and 10000"),
        (lambda: best_worst(lease_minutes=0), "“lease_minutes” must be between 1 and 10000"),
        (lambda: best_worst(check_share=Decimal("1.1")), "between 0 and 1"),
        (lambda: Round("R", "R", best_worst(), ()), "R needs at least one session"),
        (
            lambda: Round("R", "R", best_worst(), (Context.FREE,), pause_hours=-1),
            "“pause_hours” must be between 0 and 10000",
        ),
        (
            lambda: Round("R", "R", best_worst(), (Context.FREE,), pause_hours=float("inf")),
            "“pause_hours” must be between",
        ),
        (lambda: replace(CZECH_NEWS, rounds=()), "at least one round"),
        (lambda: replace(STSS131, rounds=STSS131.rounds * 2), "same name"),
        (lambda: replace(STSS131, scale=None), "collects ratings, but the protocol has"),
        (lambda: replace(STSS131, material=Material.TEXTS), "Single texts can only be compared"),
        (lambda: czech_news(1, SequenceDesign("R1", 30, 4)), "must be a multiple of 3"),
        (
            lambda: czech_news(1, SequenceDesign("R1", 30, 3, 31)),
            "must not be greater than the number of validated selections",
        ),
        (lambda: czech_news(1, SequenceDesign("R2", 30, 3)), "validates selections, but its source round"),
        (lambda: czech_news(1, SequenceDesign("R9", 30, 3)), "no round “R9”. Its rounds: R1, R2, R3"),
        (
            lambda: czech_news(2, stacks(calibration=(Decimal(7),))),
            "R3 expects ratings of 7, which is not on the scale",
        ),
        (lambda: replace(CZECH_NEWS, scale=scale("0", "5", "1")), "R1 expects ratings of 6"),
        (lambda: CZECH_NEWS.selection(CZECH_NEWS.rounds[0]), "Round R1 does not validate selections"),
        (lambda: STSS131.round("R1"), r"no round “R1”\. Its rounds: main"),
    ],
)
def test_protocol_contradictory(make, message):
    with pytest.raises(ProtocolError, match=message):
        make()


def test_selection_of_a_validating_round():
    assert CZECH_NEWS.selection(CZECH_NEWS.round("R3")) is CZECH_NEWS.round("R1").design


def test_best_worst_needs_no_scale():
    one = Round("main", "Choosing", best_worst(), (Context.FREE,))
    protocol = Protocol("semrel", "SemRel", Material.PAIRS, "Which?", scale=None, rounds=(one,))
    assert protocol.round("main").design == best_worst()
