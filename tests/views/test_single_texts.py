"""The pages of a project of single texts."""

import json

import pytest
from django.core.files.base import ContentFile
from django.template.loader import render_to_string

from annotation.domain.project.creation import add_member
from annotation.models import Item, Membership, PracticeTask, Project
from tests.factories import add_texts, make_project, make_user
from tests.views.sending import client_of

PROJECT = "/projects/project/"
TASK = {"part": "practice", "texts": ["glad", "calm", "sad", "awful"], "best": 1, "worst": 4, "why": "Clear."}


@pytest.fixture
def project(db) -> Project:
    project = make_project("best_worst")
    add_texts(project, 5, language="en")
    return project


@pytest.fixture
def client(project):
    boss = make_user("boss")
    add_member(project=project, user=boss, role=Membership.Role.MANAGER)
    return client_of(boss)


def test_pages_speak_of_texts(client, project):
    item = Item.objects.get(key="t2")

    assert '<dt>Texts</dt><dd><a href="/projects/project/items/">5</a></dd>' in client.get(PROJECT).text
    assert "id,text\n" in client.get(f"{PROJECT}import/").text
    listed = client.get(f"{PROJECT}items/").text
    assert ('<th scope="col">Text</th>' in listed, "Second text" in listed) == (True, False)
    page = client.get(f"{PROJECT}watch/items/{item.pk}/").text
    assert page.count("<blockquote") == 1 and "Single text 2." in page
    assert client.get(f"{PROJECT}import/corpus/").status_code == 404


def test_a_crowd_sees_one_text_as_a_sample(project):
    page = render_to_string("crowd/preview.html", {"project": project, "sample": Item.objects.first()})
    assert page.count("<blockquote") == 1 and "Single text 1." in page


def test_the_question_and_both_ends_can_be_changed(client, project):
    form = client.get(f"{PROJECT}setup/protocol/").context["form"]
    values = {name: form[name].value() for name in form.fields}
    words = {"question": "Which is the warmest, which the coldest?", "main.best": "warmest", "main.worst": "coldest"}
    sent = {name: value for name, value in (values | words).items() if value is not None and value is not False}

    assert client.post(f"{PROJECT}setup/protocol/", sent).status_code == 302

    protocol = Project.objects.get().protocol
    design = protocol.round("main").design
    assert (protocol.question, design.best, design.worst) == tuple(words.values())


def test_practice_has_single_texts(client, project):
    file = ContentFile(json.dumps(TASK), name="set.jsonl")
    assert client.post(f"{PROJECT}practice/", {"file": file}).status_code == 302

    assert PracticeTask.objects.get().texts == [["glad"], ["calm"], ["sad"], ["awful"]]
    page = client.get(f"{PROJECT}practice/").text
    assert [f'<p class="name">Text {number}</p>' in page for number in (1, 2, 3, 4)] == [True] * 4
    assert "text1,text2" in page


def test_pairs_and_turns_are_refused_in_practice(client, project):
    bad = TASK | {"texts": [["glad", "happy"], "calm", "sad", "awful"], "turns": [{"text": "Hello."}]}
    page = client.post(f"{PROJECT}practice/", {"file": ContentFile(json.dumps(bad), name="set.jsonl")})

    assert page.status_code == 422
    assert [str(one) for one in page.context["form"].refusal.problems] == [
        "line 1, texts[1]: This must be one text.",
        "line 1, turns: Only projects with dialogues can have turns. Remove this column.",
    ]
