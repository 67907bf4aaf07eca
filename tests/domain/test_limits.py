"""What a number may be stands beside its field: a page, a command and a file refuse the same with the same sentence."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.errors import Refusal
from annotation.domain.project.protocol_files import read_protocol
from annotation.domain.project.protocol_numbers import WORDINGS, number_groups
from annotation.models import Project
from annotation.protocols.settings import setting_limits, setting_names
from tests.domain.test_protocol_files import file_of
from tests.factories import make_user
from tests.presets import PRESETS
from tests.views.sending import client_of
from tests.views.test_new_project import filled_in

OUTSIDE = [
    ("stss131", "main.raters.people", 10_001, "“People” must be between 1 and 10000."),
    ("stss131", "main.raters.people", 0, "“People” must be between 1 and 10000."),
    ("semrel", "main.people", 0, "“Answers per comparison” must be between 1 and 10000."),
    ("semrel", "main.tuple_size", 9, "“Items per comparison” must be between 2 and 8."),
    ("semrel", "main.factor", "0.09", "“Comparisons per item (factor)” must be between 0.1 and 20."),
    ("czech_news", "R3.pause_hours", 10_001.0, "“Pause between sessions” must be between 0 and 10000."),
    ("czech_news", "R3.calibration", ["0"] * 51, "“Calibration” must have 1 to 50 values."),
    ("stss131", "scale.maximum", "1001", "“Maximum” must be between -1000 and 1000."),
]


def as_text(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


@pytest.mark.parametrize(("preset", "name", "value", "sentence"), OUTSIDE)
def test_a_page_and_a_command_refuse_with_the_same_sentence(db, preset, name, value, sentence):
    client = client_of(make_user("boss", opens_projects=True))

    page = client.post(f"/projects/new/{preset}/", filled_in(client, preset, **{name: as_text(value)}))
    with pytest.raises(CommandError) as refused:
        call_command("create_project", "one", f"--preset={preset}", f"--set={name}={as_text(value)}")

    assert (page.status_code, page.context["form"].errors[name]) == (422, [sentence])
    assert (str(refused.value), Project.objects.count()) == (sentence, 0)


@pytest.mark.parametrize(("preset", "name", "value", "sentence"), OUTSIDE)
def test_a_file_is_refused_with_the_same_sentence(preset, name, value, sentence):
    whole = file_of(preset)
    node, (*_, field) = whole["protocol"], name.split(".")
    if name.startswith("scale"):
        node = node["scale"]
    else:
        (node,) = [one for one in node["rounds"] if one["key"] == name.split(".")[0]]
        node = node if field in node else node["design"]
        node = node["pools"][0] if "pools" in node else node
    assert field in node
    node[field] = value

    with pytest.raises(Refusal) as refused:
        read_protocol(json.dumps(whole).encode())

    assert str(refused.value) == sentence


@pytest.mark.parametrize("protocol", PRESETS.values(), ids=PRESETS)
def test_every_number_has_limits_but_those_that_are_on_the_scale(protocol):
    numbers = {name for name, value in setting_names(protocol).items() if not isinstance(value, bool)}

    unlimited = numbers - setting_limits(protocol).keys()

    assert {name.rpartition(".")[2] for name in unlimited} <= {"expected"}


def test_a_field_shows_its_limits(db):
    client = client_of(make_user("boss", opens_projects=True))

    field = client.get("/projects/new/stss131/").context["form"]["main.raters.people"]

    assert 'min="1" max="10000"' in str(field)
    assert "1 to 10000." in field.help_text


def test_every_wording_belongs_to_a_number():
    kinds = {name.rpartition(".")[2] for protocol in PRESETS.values() for name in setting_names(protocol)}
    shown = {
        number.name.rpartition(".")[2]
        for one in PRESETS.values()
        for group in number_groups(one)
        for number in group.numbers
    }

    assert {name.rpartition(".")[2] for name in WORDINGS} == shown <= kinds
