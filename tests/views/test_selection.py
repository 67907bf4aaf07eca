"""The selection screen: summary, reports with the words marked, three roles."""

import pytest

from annotation.models import Incident, Judgment, Participation, Project, SelectedPair, Sentence
from annotation.protocols.storing import to_json
from annotation.protocols.wording import with_changes
from tests.factories import present_screen, rating_round, report_sentences, select_next, selection_round
from tests.views.sending import HTMX, client_of, selection, url_of

KINDS = {"": {}, "htmx": HTMX}


def marked(page) -> dict[str, list[tuple[str, str]]]:
    """The marked parts of every sentence that has any."""
    sentences = [one for report in page.context["reports"] for one in report["sentences"]]
    found = {sentence.text: [(part.text, part.mark) for part in parts if part.mark] for sentence, parts in sentences}
    return {text: parts for text, parts in found.items() if parts}


def picked(page) -> dict[str, tuple | None]:
    return {
        row["role"].key: (row["pick"].sentence_id, row["pick"].value) if row["pick"] else None
        for row in page.context["roles"]
    }


def pairs(participation: Participation) -> list[tuple]:
    rows = SelectedPair.objects.filter(judgment__assignment__participation=participation).order_by("pk")
    return list(rows.values_list("judgment__assignment__position", "role", "value"))


def test_the_words_of_the_sentence_are_marked_in_the_reports(user):
    participation = selection_round(user, incidents=1, reports=2, sentences=3)
    screen = present_screen(participation)
    Incident.objects.update(language="en")
    Sentence.objects.filter(pk=screen.sentence_id).update(text="Water flooded the STRASSE in Brno.")
    texts = ["In Brno, water rose.", "The Straße was closed.", "Nobody hurt.", "the mayor", "A bridge fell.", "Later."]
    for pk, text in zip(report_sentences(screen), texts, strict=True):
        Sentence.objects.filter(pk=pk).update(text=text)

    page = client_of(user).get(url_of(participation))

    assert marked(page) == {
        "In Brno, water rose.": [("In", "common"), ("Brno", "word"), ("water", "word")],
        "The Straße was closed.": [("The", "common"), ("Straße", "word")],
        "the mayor": [("the", "common")],
    }
    assert '<mark class="word">Straße</mark>' in page.text


def test_words_are_marked_alike_where_the_protocol_says_so(user):
    participation = selection_round(user, incidents=1)
    stored = to_json(with_changes(participation.project.protocol, {"R1.marks_words_alike": "yes"}))
    Project.objects.update(protocol_json=stored)
    Incident.objects.update(language="en")
    Sentence.objects.update(text="It was there.")

    page = client_of(user).get(url_of(participation))

    assert {mark for parts in marked(page).values() for _, mark in parts} == {"word"}


@pytest.mark.parametrize(("changes", "found"), [({}, {"Starostovi"}), ({"R1.marks_inflected_forms": "no"}, set())])
def test_inflected_forms_are_marked_unless_the_protocol_says_no(user, changes, found):
    participation = selection_round(user, incidents=1)
    stored = to_json(with_changes(participation.project.protocol, changes))
    Project.objects.update(protocol_json=stored)
    Incident.objects.update(language="cs")
    screen = present_screen(participation)
    Sentence.objects.update(text="Nic.")
    Sentence.objects.filter(pk=screen.sentence_id).update(text="Starosta odstoupil.")
    Sentence.objects.filter(pk=report_sentences(screen)[0]).update(text="Starostovi zbyl rok.")

    page = client_of(user).get(url_of(participation))

    assert {text for parts in marked(page).values() for text, mark in parts if mark == "word"} == found


def test_the_page_shows_summary_reports_and_open_roles(user):
    participation = selection_round(user, incidents=2)
    screen = present_screen(participation)

    page = client_of(user).get(url_of(participation))

    siblings = [sibling.position for sibling in page.context["siblings"]]
    assert (page.status_code, siblings, picked(page)) == (200, [1, 2, 3], {"A": None, "B": None, "C": None})
    assert page.context["incident"] == screen.sentence.document.incident
    assert [sentence.pk for one in page.context["reports"] for sentence, _ in one["sentences"]] == report_sentences(
        screen
    )
    assert not page.context["may_go_back"]


@pytest.mark.parametrize("headers", KINDS.values(), ids=KINDS)
def test_a_selection_is_stored_and_the_next_sentence_follows(user, headers):
    participation = selection_round(user)
    fields = selection(present_screen(participation))

    client = client_of(user)
    response = client.post(url_of(participation), fields, headers=headers)
    following = client.get(response.url, headers=headers)

    assert (response.status_code, response["X-Saved"]) == (302, fields["key"])
    assert following.get("X-Saved") == (fields["key"] if headers else None)
    assert pairs(participation) == [(1, "A", 6.0), (1, "B", 3.0), (1, "C", 0.0)]
    assert present_screen(participation).position == 2


def test_any_sentence_of_the_incident_can_be_asked_for(user):
    participation = selection_round(user)
    third = participation.assignments.get(position=3)
    client = client_of(user)

    page = client.get(url_of(participation), {"screen": third.pk})
    response = client.post(url_of(participation), selection(third))

    assert (page.context["assignment"], response.status_code) == (third, 302)
    assert [position for position, _, _ in pairs(participation)] == [3, 3, 3]


@pytest.mark.parametrize("asked", ["other incident", "other person", "0", "x", "", "9" * 30, "9" * 5000])
def test_a_screen_from_elsewhere_is_not_shown(user, asked):
    participation = selection_round(user)
    if asked == "other incident":
        asked = participation.assignments.get(position=4).pk
    elif asked == "other person":
        theirs = Participation.objects.create(project=participation.project, round="R1", seat=2)
        asked = theirs.assignments.create(
            session=1, context="dependent", block="main", position=1, sentence=present_screen(participation).sentence
        ).pk

    page = client_of(user).get(url_of(participation), {"screen": asked})

    assert (page.status_code, page.context["assignment"].position) == (200, 1)
    assert page.context["assignment"].participation == participation


def test_a_rating_screen_is_the_present_one_whatever_is_asked_for(user):
    participation = rating_round(user)
    third = participation.assignments.get(position=3)

    page = client_of(user).get(url_of(participation), {"screen": third.pk})

    assert page.context["assignment"].position == 1


def test_an_answered_sentence_comes_with_its_answer_and_takes_another(user):
    participation = selection_round(user)
    screen = present_screen(participation)
    sentences = report_sentences(screen)
    select_next(participation)
    client = client_of(user)

    page = client.get(url_of(participation), {"screen": screen.pk})
    response = client.post(
        url_of(participation), selection(screen, again="1") | {"pick-A": sentences[3], "value-A": "5"}
    )

    assert page.context["again"]
    assert picked(page) == {"A": (sentences[0], "6"), "B": (sentences[1], "3"), "C": (sentences[2], "0")}
    assert response.status_code == 302
    assert Judgment.objects.filter(superseded_at=None).get().pairs.get(role="A").item.report_sentence_id == sentences[3]


@pytest.mark.parametrize("headers", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"pick-B": ""}, "Choose a sentence for: in between."),
        ({"pick-B": "x"}, "Choose a sentence for: in between."),
        ({"pick-B": "9" * 5000}, "Choose a sentence for: in between."),
        ({"pick-B": "0"}, "A chosen sentence is not from the reports of this incident."),
        ({"value-B": ""}, "Choose a rating first."),
        ({"value-B": "7"}, "7 is outside the scale from 0 to 6."),
    ],
)
def test_a_selection_at_fault_is_told_and_kept_for_mending(user, headers, fields, problem):
    participation = selection_round(user)
    screen = present_screen(participation)
    first, _, third, *_ = report_sentences(screen)

    response = client_of(user).post(url_of(participation), selection(screen) | fields, headers=headers)

    kept = picked(response)
    assert (response.status_code, response.context["problem"]) == (422, problem)
    assert (kept["A"], kept["C"]) == ((first, "6"), (third, "0"))
    assert Judgment.objects.count() == 0


def test_the_same_sentence_twice_is_told(user):
    participation = selection_round(user)
    fields = selection(present_screen(participation))

    response = client_of(user).post(url_of(participation), fields | {"pick-B": fields["pick-A"]})

    assert (response.status_code, response.context["problem"]) == (422, "Choose a different sentence each time.")


def test_a_sentence_of_the_next_incident_is_refused(user):
    participation = selection_round(user)
    fourth = participation.assignments.get(position=4)

    response = client_of(user).post(url_of(participation), selection(fourth))

    assert (response.status_code, response.context["assignment"].position, pairs(participation)) == (409, 1, [])


@pytest.mark.parametrize(
    ("incident", "project", "shown"), [("ar", "cs", ("ar", "rtl")), ("", "cs", ("cs", "ltr")), ("", "", ("", "auto"))]
)
def test_language_and_direction_are_those_of_the_incident(user, incident, project, shown):
    participation = selection_round(user)
    Incident.objects.update(language=incident)
    type(participation.project).objects.update(language=project)

    page = client_of(user).get(url_of(participation))

    assert (page.context["language"], page.context["direction"]) == shown


def test_further_columns_of_an_incident_are_not_shown(user):
    participation = selection_round(user)
    Incident.objects.update(extra={"author": "SECRET-AUTHOR", "source": "SECRET-SOURCE"})
    select_next(participation)
    client = client_of(user)

    pages = [client.get(url_of(participation, page)) for page in ("", "back/", "guidelines/", "leave/")]

    assert ["SECRET" in page.text for page in pages] == [False] * 4


@pytest.mark.parametrize("key", ["00000000-0000-4000-8000-000000000000", "x" * 40, ""])
def test_only_a_stored_answer_is_confirmed(user, key):
    participation = selection_round(user)
    select_next(participation)
    response = client_of(user).get(f"{url_of(participation)}?saved={key}")
    assert (response.status_code, response.get("X-Saved")) == (200, None)
