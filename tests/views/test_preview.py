"""Every screen previewed: the real pages, and nothing stored."""

import pytest
from django.apps import apps

from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import Membership
from tests.factories import (
    add_dialogues,
    add_incidents,
    add_pairs,
    add_pairs_in_context,
    add_texts,
    make_project,
    make_user,
)
from tests.practice_sets import add_tasks
from tests.views.sending import HTMX, client_of

ADD = {
    "semrel": add_pairs,
    "giccs": add_dialogues,
    "stss131": add_pairs,
    "dscs": add_pairs,
    "czech_news": add_incidents,
    "best_worst": add_texts,
    "two_contexts": add_pairs_in_context,
}
KINDS = {
    "semrel": ["consent", "about-you", "practice", "best-worst", "finished"],
    "giccs": ["consent", "about-you", "practice", "best-worst", "finished"],
    "best_worst": ["consent", "about-you", "practice", "best-worst", "finished"],
    "stss131": ["consent", "about-you", "rating", "finished"],
    "dscs": ["consent", "about-you", "rating", "finished"],
    "czech_news": ["consent", "about-you", "selection", "rating", "context", "rest", "finished"],
    "two_contexts": ["consent", "about-you", "rating", "context", "rest", "finished"],
}


def managed(preset: str):
    project = make_project(preset)
    boss = make_user("boss")
    add_member(project=project, user=boss, role=Membership.Role.MANAGER)
    project.questions.create(position=1, text="How old are you?", kind="number")
    if "practice" in KINDS[preset]:
        add_tasks(project, practice=1, check=1)
    return project, client_of(boss)


def rows() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in apps.get_app_config("annotation").get_models()}


@pytest.mark.parametrize("planned", [False, True])
@pytest.mark.parametrize("preset", KINDS)
def test_every_screen_is_shown_with_the_projects_texts_and_nothing_is_stored(db, preset, planned):
    project, client = managed(preset)
    ADD[preset](project, 12)
    if planned:
        plan_round(project=project, round_key=project.protocol.rounds[0].key)
    listed = [one["shown"].kind for one in client.get("/projects/project/preview/").context["screens"]]
    before = rows()

    pages = {kind: client.get(f"/projects/project/preview/{kind}/") for kind in listed}

    assert listed == KINDS[preset]
    assert {page.status_code for page in pages.values()} == {200}
    assert all("Nothing is stored." in page.text and "/my-work/" not in page.text for page in pages.values())
    assert not [kind for kind, page in pages.items() if "The shop on the corner" in page.text]
    assert rows() == before


@pytest.mark.parametrize("preset", KINDS)
def test_samples_stand_in_for_texts_that_are_not_there_yet(db, preset):
    project, client = managed(preset)
    before = rows()

    for kind in KINDS[preset]:
        assert client.get(f"/projects/{project.key}/preview/{kind}/").status_code == 200
    judged = next(kind for kind in KINDS[preset] if kind in ("best-worst", "rating", "selection"))
    page = client.get(f"/projects/{project.key}/preview/{judged}/")

    assert "rain" in page.text.lower()
    assert rows() == before


def test_the_context_is_that_of_a_selection(db):
    project, client = managed("czech_news")
    add_incidents(project, 1, summary=3, reports=2, sentences=4)

    page = client.get("/projects/project/preview/context/")

    texts = ["".join(part.text for part in text) for text in page.context["texts"]]
    assert texts[0].startswith("Sentence 0 of summary0") and "Sentence 2 of summary0" in texts[0]
    assert "Sentence 0 of report1" in texts[1]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_is_sent_from_a_preview_goes_nowhere(db, headers):
    project, client = managed("stss131")
    add_pairs(project, 3)
    shown = client.get("/projects/project/preview/rating/").context
    before = rows()

    sent = {"assignment": shown["assignment"].pk, "key": str(shown["key"]), "value": "2.0"}
    page = client.post("/projects/project/preview/rating/", sent, headers=headers)

    assert page.status_code == 409 and "Nothing was stored" in page.text
    assert ("<html" in page.text) is not bool(headers)
    assert rows() == before


@pytest.mark.parametrize("method", ["get", "post"])
def test_links_of_a_preview_lead_back_to_it(db, method):
    _project, client = managed("stss131")

    page = getattr(client, method)("/projects/project/preview/rating/leave/", follow=True)

    assert page.redirect_chain == [("/projects/project/preview/rating/", 302)]
    assert "This is a preview" in page.text


@pytest.mark.parametrize("kind", ["selection", "practice", "rest", "nothing"])
def test_a_kind_that_the_project_does_not_have_is_not_found(db, kind):
    _project, client = managed("stss131")

    assert client.get(f"/projects/project/preview/{kind}/").status_code == 404


def test_the_bar_leads_from_screen_to_screen(db):
    _project, client = managed("stss131")

    bars = [client.get(f"/projects/project/preview/{kind}/").context["preview"] for kind in KINDS["stss131"]]

    assert [bar.get("next", "").split("/")[-2:-1] for bar in bars] == [["about-you"], ["rating"], ["finished"], []]
    assert [bar.get("previous", "").split("/")[-2:-1] for bar in bars] == [[], ["consent"], ["about-you"], ["rating"]]
