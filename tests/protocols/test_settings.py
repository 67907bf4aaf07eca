from dataclasses import replace
from decimal import Decimal

import pytest

from annotation.protocols.errors import ProtocolError
from annotation.protocols.settings import setting_names, with_settings, written
from tests.presets import CZECH_NEWS, DSCS, SEMREL, STSS131


def test_setting_names_of_dscs():
    assert setting_names(DSCS) == {
        "scale.minimum": 0,
        "scale.maximum": 5,
        "scale.step": 1,
        "main.students.people": 5,
        "main.crowd.people": 10,
        "main.crowd.contradictions_above": 0.8,
        "main.crowd.screening_minimum": 10,
        "main.shuffled": True,
        "main.open": False,
        "main.items_a_person": 0,
        "main.lease_minutes": 30,
        "main.stopping.split_half": 0.0,
        "main.stopping.icc": 0.0,
        "main.stopping.width": 0.0,
        "main.stopping.lower_limit": False,
        "main.stopping.first": 3,
        "main.stopping.wave": 0.25,
        "main.stopping.looks": 50,
        "main.stopping.budget": 0.0,
        "main.stopping.most": 0,
        "main.pause_hours": 0.0,
        "main.pause_enforced": False,
    }


@pytest.mark.parametrize("protocol", [CZECH_NEWS, STSS131, DSCS, SEMREL])
def test_present_settings_change_nothing(protocol):
    present = {name: written(value) for name, value in setting_names(protocol).items()}
    assert with_settings(protocol, present) == protocol


@pytest.mark.parametrize(
    ("protocol", "name", "text", "full", "value"),
    [
        (CZECH_NEWS, "R3.annotators", "2", "R3.annotators", 2),
        (CZECH_NEWS, "intra", "0", "R3.intra", 0),
        (CZECH_NEWS, "R3.pause_hours", "0.05", "R3.pause_hours", 0.05),
        (CZECH_NEWS, "R2.pause_enforced", "Yes", "R2.pause_enforced", True),
        (CZECH_NEWS, "R3.pause_enforced", "0", "R3.pause_enforced", False),
        (CZECH_NEWS, "calibration", "6, 0", "R3.calibration", (Decimal(6), Decimal(0))),
        (CZECH_NEWS, "A.expected", "5", "R1.roles.A.expected", Decimal(5)),
        (STSS131, "people", "6", "main.raters.people", 6),
        (DSCS, "crowd.people", "3", "main.crowd.people", 3),
        (DSCS, "contradictions_above", "0.5", "main.crowd.contradictions_above", 0.5),
        (DSCS, "screening_minimum", "1", "main.crowd.screening_minimum", 1),
        (SEMREL, "factor", "1.5", "main.factor", Decimal("1.5")),
        (SEMREL, "grouped", "true", "main.grouped", True),
    ],
)
def test_setting_changed(protocol, name, text, full, value):
    changed = with_settings(protocol, {name: text})
    assert setting_names(changed) == setting_names(protocol) | {full: value}


@pytest.mark.parametrize(
    ("protocol", "name", "text", "message"),
    [
        (CZECH_NEWS, "people", "3", "no setting “people”. Its settings: scale.minimum, "),
        (CZECH_NEWS, "title", "3", "This protocol has no setting “title”"),
        (CZECH_NEWS, "tuples", "3", r"“tuples” is ambiguous. Use R2\.tuples or R3\.tuples"),
        (DSCS, "people", "3", r"is ambiguous. Use main\.students\.people or main\.crowd\.people"),
        (CZECH_NEWS, "intra", "five", "Set intra to a value such as 5, not “five”"),
        (CZECH_NEWS, "intra", "2.5", "Set intra to a value such as 5, not “2.5”"),
        (CZECH_NEWS, "intra", "", "Set intra to a value such as 5, not “”"),
        (CZECH_NEWS, "calibration", "0;3", "Set calibration to a value such as 0,3,6,0,3,6, not “0;3”"),
        (CZECH_NEWS, "R3.pause_enforced", "maybe", "must be true or false, not “maybe”"),
        (CZECH_NEWS, "intra", "-1", "“intra” must be between 0 and 1000"),
        (CZECH_NEWS, "R2.validators", "4", "must be a multiple of 3"),
        (CZECH_NEWS, "calibration", "0,3,9", "R3 expects ratings of 9"),
        (CZECH_NEWS, "scale.maximum", "4", "R1 expects ratings of 6"),
        (CZECH_NEWS, "R3.pause_hours", "inf", "“pause_hours” must be between 0 and 10000"),
        (SEMREL, "factor", "nan", r"“factor” must be between 0\.1 and 20"),
        (SEMREL, "factor", "inf", r"“factor” must be between 0\.1 and 20"),
        (SEMREL, "check_share", "nan", "“check_share” must be between 0 and 1"),
        (STSS131, "step", "NaN", "“step” must be between"),
        (STSS131, "maximum", "1e30", "“maximum” must be between -1000 and 1000"),
    ],
)
def test_setting_refused(protocol, name, text, message):
    with pytest.raises(ProtocolError, match=message):
        with_settings(protocol, {name: text})


def test_settings_that_belong_together_change_together():
    changes = {"scale.maximum": "4", "A.expected": "4", "B.expected": "2", "calibration": "0,2,4"}
    changed = with_settings(CZECH_NEWS, changes)
    assert changed.scale.maximum == 4
    assert changed.round("R3").design.calibration == (0, 2, 4)


@pytest.mark.parametrize(
    ("changes", "labels"),
    [
        ({"minimum": "-1", "maximum": "5"}, []),
        ({"minimum": "1"}, [4]),
        ({"maximum": "2"}, [0]),
        ({"maximum": "6"}, [0]),
        ({"step": "4"}, [0, 4]),
        ({"step": "0.5"}, [0, 1, 2, 3, 4]),
    ],
)
def test_only_labels_that_still_hold_stay(changes, labels):
    texts = {label.value: label.text for label in STSS131.scale.labels}
    changed = with_settings(STSS131, changes)
    assert [(label.value, label.text) for label in changed.scale.labels] == [(value, texts[value]) for value in labels]


def test_labels_stay_with_an_unchanged_scale():
    relabelled = replace(STSS131, scale=replace(STSS131.scale, labels=()))
    assert with_settings(relabelled, {"people": "6"}).scale.labels == ()
