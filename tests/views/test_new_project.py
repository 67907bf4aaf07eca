"""A new project made in the browser: from a preset, or from a file."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Project
from annotation.protocols.settings import setting_names
from tests.domain.test_protocol_files import JSON, file_of
from tests.factories import make_user
from tests.presets import PRESETS
from tests.properties import examples
from tests.views.sending import HTMX, client_of

URL = "/projects/new/stss131/"


@pytest.fixture
def client(db):
    return client_of(make_user("boss", opens_projects=True))


def filled_in(client, preset: str = "stss131", **changes: object) -> dict[str, object]:
    """What the form of a preset sends when nobody touches it, with some fields changed."""
    form = client.get(f"/projects/new/{preset}/").context["form"]
    values = {field.html_name: field.value() for field in form}
    sent = {
        name: "on" if value is True else value
        for name, value in values.items()
        if value is not None and value is not False
    }
    return sent | {"title": "My texts", "language": "en"} | changes


def test_every_preset_has_a_card_with_its_cost(client):
    page = client.get("/projects/new/")

    assert {preset.protocol.key for preset in page.context["presets"]} == set(PRESETS)
    assert all(cost.people and cost.minutes for preset in page.context["presets"] for cost in preset.costs)


@pytest.mark.parametrize("path", ["", "file/", "semrel/"])
def test_who_may_not_open_projects_finds_no_such_page(user, path):
    assert client_of(user).get(f"/projects/new/{path}").status_code == 404


def test_a_preset_that_there_is_not_is_not_found(client):
    assert client.get("/projects/new/nothing/").status_code == 404


@pytest.mark.parametrize("preset", PRESETS)
def test_a_form_that_nobody_touched_gives_the_preset(client, preset):
    response = client.post(f"/projects/new/{preset}/", filled_in(client, preset))

    project = Project.objects.get()
    assert response["Location"] == "/projects/my-texts/setup/"
    assert (project.key, project.title, project.language, project.draft) == ("my-texts", "My texts", "en", True)
    assert project.protocol == PRESETS[preset]
    assert project.guidelines and project.consent
    assert list(project.memberships.values_list("user__username", "role")) == [("boss", "owner")]


@pytest.mark.parametrize("preset", PRESETS)
def test_people_never_see_the_names_of_settings(client, preset):
    page = client.get(f"/projects/new/{preset}/").content.decode()

    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)
    assert not [name for name in setting_names(PRESETS[preset]) if name in text]
    assert not {"tuple_size", "check_share", "stack_size", "pause_hours", "lease_minutes"} & set(text.split())


def test_numbers_and_words_are_taken_over(client):
    changes = {"scale.maximum": "6", "scale.step": "0.5", "label.highest": "the same", "question": "How close?"}
    changes |= {"labels_fit": "on"}
    client.post(URL, filled_in(client, project_key="own-key", seed="7", **changes))

    project = Project.objects.get()
    assert (project.key, project.seed, project.protocol.question) == ("own-key", 7, "How close?")
    assert (project.protocol.scale.size, project.protocol.scale.labels[-1].text) == (13, "the same")


def test_a_scale_with_other_ends_asks_for_its_labels(client):
    changes = {"scale.maximum": "6", "label.highest": "the same", "label.at.1.0": ""}
    page = client.post(URL, filled_in(client, **changes))

    assert (page.status_code, Project.objects.count()) == (422, 0)
    (error,) = page.context["form"].errors["labels_fit"]
    assert "written for a scale from 0 to 4: " in error and "identical" not in error
    left = [label.text for label in PRESETS["stss131"].scale.labels[2:4]]
    assert f"4: “{left[0]}”, “{left[1]}”." in error


def test_labels_that_were_all_rewritten_are_not_asked_about(client):
    words = {"label.highest": "the same", "label.at.1.0": "", "label.at.2.0": "half", "label.at.3.0": ""}
    client.post(URL, filled_in(client, **{"scale.maximum": "6", **words}))

    labels = Project.objects.get().protocol.scale.labels
    assert [int(label.value) for label in labels] == [0, 2, 6]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": ""}, "title"),
        ({"project_key": "No Key"}, "project_key"),
        ({"project_key": "new"}, "project_key"),
        ({"title": "—"}, "project_key"),
        ({"language": "english please"}, "language"),
        ({"seed": "-1"}, "seed"),
        ({"main.raters.people": "0"}, "main.raters.people"),
        ({"main.raters.people": "many"}, "main.raters.people"),
        ({"scale.step": "0.3"}, "scale.step"),
        ({"scale.step": "nan"}, "scale.step"),
        ({"scale.step": ""}, "scale.step"),
        ({"scale.minimum": "5"}, "scale.minimum"),
        ({"question": ""}, "question"),
        ({"question": "a\x00b"}, "question"),
        ({"scale.maximum": "0", "scale.minimum": "0.5"}, "scale.maximum"),
    ],
)
def test_a_fault_stands_beside_its_field(client, changes, field):
    page = client.post(URL, filled_in(client, **changes))

    assert (page.status_code, Project.objects.count()) == (422, 0)
    assert field in page.context["form"].errors
    assert f'aria-describedby="id_{field}' in page.content.decode()


def test_numbers_that_only_contradict_each_other_say_so_at_the_top(client):
    page = client.post(URL, filled_in(client, **{"scale.maximum": "3", "scale.step": "2"}))

    assert "is not a multiple of the" in str(page.context["form"].errors)


def test_a_key_that_is_taken_is_refused(client):
    sent = filled_in(client)
    client.post(URL, sent)

    page = client.post(URL, sent)

    assert (page.status_code, Project.objects.count()) == (422, 1)
    assert "already taken" in page.context["form"].errors["project_key"][0]


def test_a_check_shows_the_cost_and_makes_nothing(client):
    page = client.post(URL, filled_in(client, check="1", items="100", **{"main.raters.people": "10"}))

    (cost,) = page.context["costs"]
    assert (page.status_code, Project.objects.count()) == (200, 0)
    assert (cost.people, cost.screens, cost.judgments, cost.minutes) == (10, 100, 1000, 12)


def test_htmx_gets_the_cost_alone(client):
    page = client.post(URL, filled_in(client, title="", items="10"), headers=HTMX)

    assert page.status_code == 200
    assert "<html" not in page.text and "320" in page.text


def test_htmx_is_told_what_is_wrong(client):
    page = client.post(URL, filled_in(client, **{"scale.step": "0.3"}), headers=HTMX)

    assert "is not a multiple of the step" in page.text


NUMBERS = st.one_of(st.integers().map(str), st.floats().map(str), st.text(max_size=8), st.just("1e400"))


@pytest.mark.postgres
@settings(max_examples=examples(0.5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(list(setting_names(PRESETS["czech_news"]))), NUMBERS, min_size=1, max_size=5))
def test_whatever_is_written_into_the_form_is_never_an_error_of_ours(client, changes):
    for headers in ({}, HTMX):
        sent = filled_in(client, "czech_news", check="1", **changes)
        assert client.post("/projects/new/czech_news/", sent, headers=headers).status_code in (200, 422)


def upload(client, content: bytes, **fields: object):
    file = SimpleUploadedFile("protocol.json", content)
    return client.post("/projects/new/file/", {"file": file, "title": "From a file"} | fields)


def test_a_project_begins_with_the_file_of_another(client):
    client.post(URL, filled_in(client, **{"main.raters.people": "5"}))
    client.post("/projects/my-texts/setup/questions/", {"text": "Your age?", "kind": "number"})
    file = client.get("/projects/my-texts/setup/protocol.json")

    response = upload(client, file.content)

    made = Project.objects.get(key="from-a-file")
    assert response["Location"] == "/projects/from-a-file/setup/"
    assert made.protocol == Project.objects.get(key="my-texts").protocol
    assert list(made.questions.values_list("text", "position")) == [("Your age?", 1)]
    assert made.draft and made.memberships.get().role == "owner"


@pytest.mark.postgres
@pytest.mark.parametrize("content", [b"{}", b"no json", b"\x00\xff", b"", json.dumps({"format": 1}).encode()])
def test_a_wrong_file_is_refused_beside_its_field(client, content):
    page = upload(client, content)

    assert (page.status_code, Project.objects.count()) == (422, 0)
    assert page.context["form"].errors["file"]


def test_a_file_without_a_key_or_title_is_refused(client):
    page = upload(client, json.dumps(file_of()).encode(), title="")

    assert (page.status_code, Project.objects.count()) == (422, 0)


@pytest.mark.postgres
@settings(max_examples=examples(0.5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(file_of())), JSON)
def test_whatever_a_file_holds_is_never_an_error_of_ours(client, name, value):
    content = json.dumps(file_of() | {name: value}).encode()

    assert upload(client, content, project_key="one").status_code in (302, 422)
