"""Every number of the presets, against design.md section 2 and the papers."""

from decimal import Decimal

import pytest

from annotation.presets.registry import preset
from annotation.protocols.designs.common import Pool
from annotation.protocols.designs.news import SequenceDesign, StackDesign
from annotation.protocols.designs.rating import CompleteDesign, PairStackDesign
from annotation.protocols.errors import ProtocolError
from annotation.protocols.terms import Context, Material
from tests.presets import PRESETS

BOTH = (Context.FREE, Context.DEPENDENT)


def rounds_of(key):
    return {one.key: one for one in PRESETS[key].rounds}


def timing(round_):
    return round_.sessions, round_.pause_hours, round_.pause_enforced


def scale_of(key):
    scale = PRESETS[key].scale
    return scale.minimum, scale.maximum, scale.step, [int(label.value) for label in scale.labels]


@pytest.mark.parametrize(
    "point", ["more specific", "in several ways", "closest together", "at random", "first instinct"]
)
def test_semrel_guidelines_have_the_points_of_the_paper(point):
    # SemRel2024, A.4
    assert point in " ".join(preset("semrel").guidelines().split())


def test_czech_news_scale():
    # Czech News 4.1: a slide bar from 0 to 6; design.md section 2: whole numbers, labelled ends.
    assert scale_of("czech_news") == (0, 6, 1, [0, 6])
    assert PRESETS["czech_news"].material == Material.INCIDENTS


def test_czech_news_selection():
    # Fig. 1: six full incidents, S-A, S-B, S-C; 5.2: green 6, orange 3, red 0.
    one = rounds_of("czech_news")["R1"]
    assert one.design.incidents == 6
    assert [(role.key, role.colour, role.expected) for role in one.design.roles] == [
        ("A", "green", 6),
        ("B", "orange", 3),
        ("C", "red", 0),
    ]
    assert timing(one) == ((Context.DEPENDENT,), 0.0, False)


def test_czech_news_sequences():
    # 4.2: three validators, the first 30 tuples; Fig. 4c: 72 hours recommended.
    one = rounds_of("czech_news")["R2"]
    assert one.design == SequenceDesign(source="R1", tuples=30, validators=3)
    assert timing(one) == (BOTH, 72.0, False)


def test_czech_news_stacks():
    # 4.2.2: eight annotators, 50 tuples, nine groups of three, calibration 0 3 6 0 3 6, 5 intra pairs, 72 hours forced.
    one = rounds_of("czech_news")["R3"]
    assert one.design == StackDesign(
        source="R1",
        people_from="R2",
        annotators=8,
        tuples=50,
        stack_size=9,
        calibration=tuple(map(Decimal, (0, 3, 6, 0, 3, 6))),
        intra=5,
        refill_from_start=True,
    )
    assert timing(one) == (BOTH, 72.0, True)


def test_czech_news_people_of_the_paper():
    # Section 6: 216 annotators made the test set of 1200 pairs; 4.2.2: 27 validators an annotator.
    design = rounds_of("czech_news")["R3"].design
    validators = design.stack_size * 3
    assert (validators, design.annotators * validators, design.annotators * design.tuples * 3) == (27, 216, 1200)


def test_two_contexts_has_the_numbers_of_the_third_round_of_czech_news():
    # Czech News 4.1 and 4.2.2, as above; the intra block is of the same round.
    assert scale_of("two_contexts") == scale_of("czech_news")
    one = rounds_of("two_contexts")["main"]
    assert one.design == PairStackDesign(
        ratings=9, items_a_person=50, calibration=tuple(map(Decimal, (0, 3, 6, 0, 3, 6))), intra=5
    )
    assert timing(one) == (BOTH, 72.0, True)


def test_stss131_numbers():
    # STSS-131, table 1: 0.00 to 4.00; the raters are those of STSS-65, the method it follows.
    assert scale_of("stss131") == (0, 4, Decimal("0.1"), [0, 1, 2, 3, 4])
    one = rounds_of("stss131")["main"]
    assert one.design == CompleteDesign(pools=(Pool("raters", "Raters", 32),), shuffled=True)
    assert timing(one) == ((Context.FREE,), 0.0, False)


def test_dscs_numbers():
    # DSCS 4.1: five students, ten unique responses, removed above 80 % of contradictions; Fig. 5: both ends labelled.
    assert scale_of("dscs") == (0, 5, 1, [0, 5])
    one = rounds_of("dscs")["main"]
    assert one.design == CompleteDesign(
        pools=(Pool("students", "Students", 5), Pool("crowd", "Crowd", 10, contradictions_above=0.8)), shuffled=True
    )
    assert timing(one) == ((Context.FREE,), 0.0, False)


def test_pairs_are_the_material_of_the_rating_presets():
    assert {PRESETS[key].material for key in ("stss131", "dscs", "semrel")} == {Material.PAIRS}


def test_semrel_numbers():
    # SemRel 3.2: 4-tuples, about 2N of them; Table 3: up to four annotations a tuple.
    design = rounds_of("semrel")["main"].design
    assert (design.tuple_size, design.factor, design.people, design.grouped) == (4, 2, 4, False)
    assert (PRESETS["semrel"].scale, timing(rounds_of("semrel")["main"])) == (None, ((Context.FREE,), 0.0, False))


def test_giccs_numbers():
    # GiCCS, data annotation: 3-tuples, 2N = 10 of the N = 5 utterances of a dialogue, five annotations each.
    design = rounds_of("giccs")["main"].design
    assert (design.tuple_size, design.factor, design.people, design.grouped) == (3, 2, 5, True)
    assert PRESETS["giccs"].material == Material.DIALOGUES


def test_best_worst_numbers():
    # Kiritchenko and Mohammad 2017, by SemRel 3.2: 4-tuples, about 2N of them; SemRel, table 3: up to four annotations.
    design = rounds_of("best_worst")["main"].design
    assert (design.tuple_size, design.factor, design.people, design.grouped, design.open) == (4, 2, 4, False, True)
    assert (PRESETS["best_worst"].material, PRESETS["best_worst"].scale) == (Material.TEXTS, None)


def test_preset_unknown():
    with pytest.raises(ProtocolError, match=r"no preset “sts”\. The presets: .*semrel, giccs, .*czech_news"):
        preset("sts")
