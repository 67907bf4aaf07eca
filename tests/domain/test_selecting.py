"""Selections: three sentences of the reports for each sentence of the summary, and a rating of each."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.saving import select
from annotation.domain.judgment.selected_pairs import Pick, surroundings
from annotation.domain.participation.flow import Finished, where_now
from annotation.models import Document, Incident, Item, Judgment, Participation, SelectedPair, Sentence
from tests.factories import (
    NOON,
    answer_to,
    make_project,
    make_user,
    present_screen,
    rating_round,
    report_sentences,
    reread,
    select_next,
    selection_round,
)

LATER = NOON + timedelta(minutes=1)


def give(participation: Participation, answer: Answer, picks: Mapping[str, Pick], now=NOON) -> Judgment:
    return select(participation_id=participation.pk, answer=answer, picks=picks, now=now)


def three(sentences: list[int], *values: str) -> dict[str, Pick]:
    return dict(zip("ABC", map(Pick, sentences, values or ("6", "3", "0")), strict=False))


def refused(participation: Participation, picks: Mapping[str, Pick]) -> str:
    screen = present_screen(participation)
    with pytest.raises(Refusal) as refusal:
        give(participation, answer_to(screen), picks)
    assert (Judgment.objects.count(), SelectedPair.objects.count(), Item.objects.count()) == (0, 0, 0)
    assert present_screen(participation) == screen
    return str(refusal.value)


def pairs_of(judgment: Judgment) -> list[tuple]:
    return list(judgment.pairs.order_by("role").values_list("role", "item__report_sentence", "value"))


def test_select_stores_three_pairs_with_their_contexts(user):
    participation = selection_round(user, incidents=1)
    screen = participation.assignments.get(position=2)
    sentences = report_sentences(screen)

    judgment = give(participation, answer_to(screen), three(sentences[1:]), LATER)

    rows = judgment.pairs.order_by("role").values_list(
        "role", "value", "item__key", "item__sentence1", "item__sentence2", "item__context2", "item__language"
    )
    report = [f"Sentence {number} of report1, event 1." for number in range(4)]
    assert (judgment.value, judgment.saved_at) == (None, LATER)
    assert list(rows) == [
        (
            role,
            value,
            f"i1:2:1.{index + 1}",
            "Sentence 1 of summary0, event 1.",
            report[index],
            " ".join(f"<sent>{text}</sent>" if text == report[index] else text for text in report[first:last]),
            "en",
        )
        for role, value, index, first, last in [("A", 6.0, 1, 0, 4), ("B", 3.0, 2, 0, 4), ("C", 0.0, 3, 1, 4)]
    ]
    assert set(Item.objects.values_list("context1", "summary_sentence", "project")) == {
        (
            "Sentence 0 of summary0, event 1. <sent>Sentence 1 of summary0, event 1.</sent> "
            "Sentence 2 of summary0, event 1.",
            screen.sentence_id,
            participation.project_id,
        )
    }


@pytest.mark.parametrize(
    ("position", "window", "text"),
    [
        (0, 0, "<sent>a</sent>"),
        (0, 2, "<sent>a</sent> b c"),
        (2, 1, "b <sent>c</sent> d"),
        (4, 9, "a b c d <sent>e</sent>"),
    ],
)
def test_surroundings_stay_inside_the_document(db, position, window, text):
    incident = Incident.objects.create(project=make_project(), key="i1")
    document = Document.objects.create(incident=incident, kind="report", key="r1", position=1)
    other = Document.objects.create(incident=incident, kind="report", key="r2", position=2)
    sentences = Sentence.objects.bulk_create(
        Sentence(document=one, position=place, text=letter)
        for one, letters in ((document, "abcde"), (other, "vwxyz"))
        for place, letter in enumerate(letters)
    )

    assert surroundings(sentences[position], sentences, window) == text


def test_an_incident_without_language_has_that_of_the_project(user):
    participation = selection_round(user)
    Incident.objects.update(language="")
    type(participation.project).objects.update(language="cs")

    select_next(participation)

    assert set(Item.objects.values_list("language", flat=True)) == {"cs"}


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        ("", "Choose a sentence for: most similar, in between, least similar."),
        ("A", "Choose a sentence for: in between, least similar."),
        ("AC", "Choose a sentence for: in between."),
    ],
)
def test_a_role_left_open_is_refused(user, roles, reason):
    participation = selection_round(user)
    picks = three(report_sentences(present_screen(participation)))

    assert refused(participation, {role: picks[role] for role in roles}) == reason


def test_the_same_sentence_twice_is_refused(user):
    participation = selection_round(user)
    first, second, *_ = report_sentences(present_screen(participation))

    assert refused(participation, three([first, second, first])) == "Choose a different sentence each time."


@pytest.mark.parametrize("source", ["another incident", "the summary", "nowhere"])
def test_a_sentence_from_elsewhere_is_refused(user, source):
    participation = selection_round(user)
    screen = present_screen(participation)
    sentences = report_sentences(screen)
    foreign = {
        "another incident": report_sentences(participation.assignments.last())[0],
        "the summary": screen.sentence_id,
        "nowhere": 10**30,
    }

    reason = refused(participation, three([*sentences[:2], foreign[source]]))

    assert reason == "A chosen sentence is not from the reports of this incident."


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "Choose a rating first."),
        ("7", "7 is outside the scale from 0 to 6."),
        ("2.5", "2.5 is between two points of the scale, which has steps of 1."),
    ],
)
def test_a_value_off_the_scale_is_refused(user, value, reason):
    participation = selection_round(user)

    assert refused(participation, three(report_sentences(present_screen(participation)), "6", value, "0")) == reason


def test_the_same_key_is_the_same_selection(user):
    participation = selection_round(user)
    screen = present_screen(participation)
    sentences, answer = report_sentences(screen), answer_to(screen)
    first = give(participation, answer, three(sentences))

    again = give(participation, answer, three(sentences[1:]), LATER)

    assert again == first
    assert pairs_of(first) == [("A", sentences[0], 6.0), ("B", sentences[1], 3.0), ("C", sentences[2], 0.0)]


def test_a_selection_given_again_keeps_the_items(user):
    participation = selection_round(user)
    screen = present_screen(participation)
    sentences = report_sentences(screen)
    first = give(participation, answer_to(screen), three(sentences))
    items = set(Item.objects.values_list("pk", "report_sentence"))

    second = give(participation, answer_to(screen, again=True), three(sentences[1:], "5", "4", "1"), LATER)

    first.refresh_from_db()
    assert (first.superseded_at, second.superseded_at) == (LATER, None)
    assert pairs_of(first) == [("A", sentences[0], 6.0), ("B", sentences[1], 3.0), ("C", sentences[2], 0.0)]
    assert pairs_of(second) == [("A", sentences[1], 5.0), ("B", sentences[2], 4.0), ("C", sentences[3], 1.0)]
    assert set(Item.objects.values_list("pk", "report_sentence")) - items == {
        (second.pairs.get(role="C").item_id, sentences[3])
    }


def test_sentences_of_an_incident_are_answered_in_any_order(user):
    participation = selection_round(user)
    first, second, third = participation.assignments.filter(position__lte=3).order_by("position")
    sentences = report_sentences(first)

    places = []
    for screen in (third, first, second):
        give(participation, answer_to(screen), three(sentences))
        places.append(present_screen(participation).position)

    assert places == [1, 2, 4]


def test_the_next_incident_waits_for_the_present_one(user):
    participation = selection_round(user)
    fourth = participation.assignments.get(position=4)

    with pytest.raises(WrongScreen, match="That was not your current screen"):
        give(participation, answer_to(fourth), three(report_sentences(fourth)))


def test_an_incident_that_is_done_stays_as_it_is(user):
    participation = selection_round(user)
    for _ in range(3):
        select_next(participation)
    first = participation.assignments.get(position=1)

    with pytest.raises(WrongScreen, match="You have already answered this"):
        give(participation, answer_to(first, again=True), three(report_sentences(first)))


def test_the_last_selection_finishes_the_round(user):
    participation = selection_round(user, incidents=1, summary=1)

    select_next(participation, now=LATER)

    assert where_now(reread(participation), LATER) == Finished(LATER)


def test_a_screen_of_another_person_is_refused(user):
    theirs = selection_round(make_user("other"))
    screen = present_screen(theirs)
    mine = rating_round(user, key="mine")

    with pytest.raises(WrongScreen, match="That screen is not yours"):
        give(mine, answer_to(screen), three(report_sentences(screen)))


def test_a_selection_is_no_answer_to_a_rating(user):
    participation = rating_round(user)

    with pytest.raises(WrongScreen, match=r"^This screen needs a rating, not a selection.$"):
        give(participation, answer_to(present_screen(participation)), {})
