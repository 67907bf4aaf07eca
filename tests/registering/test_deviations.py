"""Deviations from a plan: every check with and without a difference."""

import copy

import pytest

from annotation.presets.registry import presets
from annotation.protocols.settings import setting_names
from annotation.protocols.storing import to_json
from scoring.exports.report.deviations import CHECKS as TITLES
from scoring.exports.report.deviations import deviations
from scoring.summaries.registered.analyses import ANALYSES, applicable
from scoring.summaries.registered.canonical import canonical, digest, read_plan
from scoring.summaries.registered.deviations import CHECKS, NOT_CHECKABLE, compare, flat

PARAMETERS = {"splits": 1000, "replicates": 1000, "subsets": 200}
PLAN = {
    "format": "semblance-registration",
    "project": "project",
    "number": 1,
    "registered_at": "2026-03-01T12:00:00.000000Z",
    "protocol": to_json(presets()["stss131"].protocol),
    "texts": {"guidelines": "a", "consent": "b"},
    "limits": {"median_seconds": 2.0},
    "planned": {"items": 10, "rounds": {"main": {"people": 3, "fewest": 20, "most": 30}}},
    "analyses": ["scores", "agreement"],
    "parameters": PARAMETERS,
    "seed": 7,
    "software": "1.0",
}
AS_PLANNED = {
    "before": {"judgments before the registration": 0},
    "later": [],
    "protocol": PLAN["protocol"],
    "texts": PLAN["texts"],
    "limits": PLAN["limits"],
    "items": 10,
    "rounds": {"main": {"people": 3, "judgments": 25}},
    "exclusions": {},
    "withdrawn": {"withdrawn items": 0},
    "waves": {},
    "interventions": {"items changed": 0},
    "seeds": {"project": 7, "scoring run": 7},
    "parameters": PARAMETERS,
    "analyses": ["scores", "agreement"],
    "software": "1.0",
}


def row(name, registered, actual):
    return [{"name": name, "registered": registered, "actual": actual}]


def test_a_collection_as_planned_has_no_deviation():
    assert compare(PLAN, AS_PLANNED) == {name: [] for name in CHECKS}


@pytest.mark.parametrize(
    ("check", "happened", "found"),
    [
        ("time", {"before": {"judgments before the registration": 4}}, ("judgments before the registration", 0, 4)),
        ("versions", {"later": [{"number": 2, "registered_at": "later"}]}, ("registration 2", None, "later")),
        ("texts", {"texts": {"guidelines": "a", "consent": "c"}}, ("consent", "b", "c")),
        ("limits", {"limits": {"median_seconds": 3.0}}, ("median_seconds", 2.0, 3.0)),
        ("items", {"items": 9}, ("items", 10, 9)),
        ("people", {"rounds": {"main": {"people": 4, "judgments": 25}}}, ("main", 3, 4)),
        ("judgments", {"rounds": {"main": {"people": 3, "judgments": 31}}}, ("main", "20 to 30", 31)),
        ("judgments", {"rounds": {"main": {"people": 3, "judgments": 19}}}, ("main", "20 to 30", 19)),
        ("people", {"rounds": {}}, ("main", 3, 0)),
        ("exclusions", {"exclusions": {"main: by the managers": 1}}, ("main: by the managers", 0, 1)),
        ("withdrawn", {"withdrawn": {"withdrawn items": 2}}, ("withdrawn items", 0, 2)),
        ("waves", {"waves": {"main, wave 2": "stopped"}}, ("main, wave 2", None, "stopped")),
        ("interventions", {"interventions": {"items changed": 1}}, ("items changed", 0, 1)),
        ("seeds", {"seeds": {"project": 7, "scoring run": 8}}, ("scoring run", 7, 8)),
        ("parameters", {"parameters": PARAMETERS | {"splits": 5}}, ("splits", 1000, 5)),
        ("software", {"software": "1.1"}, ("version", "1.0", "1.1")),
        ("analyses", {"analyses": ["scores"]}, ("agreement", True, False)),
        ("analyses", {"analyses": ["scores", "agreement", "raters"]}, ("raters", False, True)),
    ],
)
def test_each_check_names_what_was_registered_and_what_happened(check, happened, found):
    outcome = compare(PLAN, AS_PLANNED | happened)

    assert outcome[check] == row(*found)
    other = {"people", "judgments"} if "rounds" in happened else set()
    assert all(rows == [] for name, rows in outcome.items() if name not in {check, *other})


def test_a_changed_setting_has_its_name_and_both_values():
    protocol = copy.deepcopy(PLAN["protocol"])
    protocol["rounds"][0]["design"]["shuffled"] = False
    protocol["question"] = "How alike are they?"

    found = compare(PLAN, AS_PLANNED | {"protocol": protocol})["settings"]

    assert found == [
        *row("question", PLAN["protocol"]["question"], "How alike are they?"),
        *row("main.shuffled", True, False),
    ]


@pytest.mark.parametrize("preset", sorted(presets()))
def test_every_setting_of_every_preset_is_compared(preset):
    protocol = presets()[preset].protocol

    assert set(setting_names(protocol)) <= {name for name, _ in flat(to_json(protocol))}


def test_what_the_plan_leaves_open_is_not_checked():
    open_ = {"items": None, "rounds": {"main": {"people": None, "fewest": None, "most": None}}}

    found = compare(PLAN | {"planned": open_}, AS_PLANNED)

    assert [name for name, rows in found.items() if rows is None] == ["items", "people", "judgments"]


def test_the_report_has_a_row_for_each_deviation_and_each_check_without_one():
    checks = compare(PLAN, AS_PLANNED | {"items": 9, "analyses": ["scores"]}) | {"people": None}
    about = {"number": 1, "registered_at": PLAN["registered_at"], "sha256": "f" * 64}
    (table,) = deviations({"registration": about | {"checks": checks, "not_checkable": list(NOT_CHECKABLE)}})

    rows = {one.label: [cell.text for cell in one.cells] for one in table.rows}
    assert rows["Items"] == ["10", "9"]
    assert rows["Statistics: " + ANALYSES["agreement"].title] == ["yes", "no"]
    assert rows["Random seeds"] == ["no deviation", "–"]
    assert rows["Annotators"] == ["not checked: the plan does not say", "–"]
    assert len(rows) == len(CHECKS) == len(TITLES)
    assert NOT_CHECKABLE[0] in table.note
    assert "registration 1 of 2026-03-01, 12:00:00 UTC (SHA-256 " in table.note
    assert list(deviations({})) == []


def test_statistics_are_offered_by_what_a_protocol_collects():
    names = {preset: set(applicable(presets()[preset].protocol)) for preset in presets()}

    assert {"choice_scores", "split_half.tuple", "order_effects"} <= names["semrel"]
    assert not names["semrel"] & {"agreement", "correlations"}
    assert {"agreement", "context_shift", "intra", "correlations"} <= names["czech_news"]
    assert "screening" in names["dscs"]
    assert not names["stss131"] & {"screening", "context_shift", "intra", "choice_scores"}


def test_the_hash_depends_on_content_only():
    text = canonical(PLAN)

    spaced = b'{ "format":"semblance-registration",\n "b": 1, "a": "\xc4\x8d" }'

    assert canonical(read_plan(spaced)) == '{"a":"č","b":1,"format":"semblance-registration"}'
    assert read_plan(text.encode()) == PLAN
    assert digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no", "not valid JSON"),
        (b"\xff", "not valid JSON"),
        (b"[1]", "not a registered plan"),
        (b'{"format": "other"}', "not a registered plan"),
        (b'{"format": "semblance-registration", "a": 1, "a": 2}', "a key is repeated"),
        (b'{"format": "semblance-registration", "a": NaN}', "NaN is not a number"),
        (b" " * 10_000_001, "too large"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_with_the_reason(content, reason):
    with pytest.raises(ValueError, match=reason):
        read_plan(content)
