"""What is asked of every design, and that it is asked by name and not by the design's type."""

import re
from dataclasses import replace
from typing import get_args

import pytest
from django.conf import settings

from annotation.protocols.spec import Design
from annotation.protocols.terms import JudgmentKind
from tests.presets import PRESETS

TYPE_ASKED = re.compile(r"isinstance\([^()]*(?:" + "|".join(kind.__name__ for kind in get_args(Design)) + ")")


def test_code_outside_of_the_protocols_never_asks_for_the_type_of_a_design():
    found = [
        f"{file.relative_to(settings.BASE_DIR)}: {line.strip()}"
        for app in ("annotation", "scoring")
        for file in sorted((settings.BASE_DIR / app).rglob("*.py"))
        if "protocols" not in file.parts
        for line in file.read_text(encoding="utf-8").splitlines()
        if TYPE_ASKED.search(line)
    ]

    assert found == []


def test_rounds_are_found_by_what_people_give():
    protocol = PRESETS["czech_news"]

    assert [one.key for one in protocol.rounds_of(JudgmentKind.SELECTION)] == ["R1"]
    assert [one.key for one in protocol.rounds_of(JudgmentKind.RATING)] == ["R2", "R3"]
    assert protocol.rounds_of(JudgmentKind.CHOICE) == ()


@pytest.mark.parametrize(
    ("preset", "compares", "once", "complete", "pools"),
    [
        ("czech_news", False, [True, True, False], [False] * 3, [0, 0, 0]),
        ("dscs", False, [False], [True], [2]),
        ("stss131", False, [False], [True], [1]),
        ("semrel", True, [False], [False], [0]),
        ("giccs", True, [False], [False], [0]),
        ("two_contexts", False, [False], [False], [0]),
    ],
)
def test_facts_of_the_presets(preset, compares, once, complete, pools):
    protocol = PRESETS[preset]
    designs = [one.design for one in protocol.rounds]

    assert protocol.compares is compares
    assert [one.judged_once for one in designs] == once
    assert [one.complete for one in designs] == complete
    assert [len(one.rater_pools) for one in designs] == pools


@pytest.mark.parametrize("preset", PRESETS)
def test_only_imported_pairs_of_two_contexts_are_shown_in_context(preset):
    assert PRESETS[preset].in_context is (preset == "two_contexts")


def test_an_open_round_is_one_of_a_common_pool():
    design = PRESETS["semrel"].rounds[0].design

    assert [replace(design, open=one).is_open for one in (True, False)] == [True, False]
    assert not PRESETS["dscs"].rounds[0].design.is_open


def test_only_stacks_expect_ratings_of_a_calibration():
    rounds = PRESETS["czech_news"].rounds

    assert [bool(one.design.calibration_values) for one in rounds] == [False, False, True]
