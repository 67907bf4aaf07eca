"""Best-worst screens: shown, answered, refused, plainly and by htmx; an open round that is enough, or is empty."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Group, Item, Judgment, Participation
from tests.best_worst import choice, dialogue_round, items_shown, tuple_round
from tests.factories import join, make_user, present_screen, reread
from tests.views.sending import HTMX, client_of, url_of

pytestmark = pytest.mark.django_db


def shown(page) -> list[int]:
    return [card["value"] for card in page.context["cards"]]


def stored(participation: Participation) -> list[tuple[int, int, bool]]:
    rows = Judgment.objects.filter(assignment__participation=participation).order_by("pk")
    return list(rows.values_list("best", "worst", "hard_to_say"))


@pytest.mark.parametrize("open_", ["true", "false"])
def test_items_are_shown_in_the_order_drawn_for_the_person(user, open_):
    participation = tuple_round(user, open=open_)
    client = client_of(user)
    client.get(url_of(participation))

    for order in ("1234", "4321", "2413"):
        participation.assignments.filter(answered_at=None).update(order=order)
        page = client.get(url_of(participation))
        places = dict(present_screen(participation).tuple.places.values_list("position", "item"))
        assert shown(page) == [places[int(digit)] for digit in order]
        positions = [page.text.index(f'name="best" value="{pk}"') for pk in shown(page)]
        assert positions == sorted(positions)
        assert [card["index"] for card in page.context["cards"]] == [1, 2, 3, 4]


def test_every_text_has_its_own_language_and_direction(user):
    participation = tuple_round(user, pairs=4, factor="0.25")
    for item, language in zip(Item.objects.order_by("pk"), ("ar", "am", "", "hi"), strict=True):
        Item.objects.filter(pk=item.pk).update(language=language)
    participation.project.language = "ur"
    participation.project.save()

    page = client_of(user).get(url_of(participation))

    assert {(card["language"], card["direction"]) for card in page.context["cards"]} == {
        ("ar", "rtl"),
        ("am", "ltr"),
        ("ur", "rtl"),
        ("hi", "ltr"),
    }
    for attributes in ('lang="ar" dir="rtl"', 'lang="am" dir="ltr"', 'lang="ur" dir="rtl"', 'lang="hi" dir="ltr"'):
        assert page.text.count(attributes) == 2


def test_a_dialogue_stands_above_once_and_each_card_has_its_utterance_only(user):
    participation = dialogue_round(user)

    page = client_of(user).get(url_of(participation))

    assert [card["texts"] for card in page.context["cards"]] == [
        [Item.objects.get(pk=pk).sentence2] for pk in shown(page)
    ]
    for text in ("Where were you?", "At the dentist."):
        assert page.text.count(text) == 1
    assert page.text.count("last turn</p>") == 1


def test_utterances_have_the_language_of_their_dialogue(user):
    participation = dialogue_round(user)
    Group.objects.update(language="ar")

    page = client_of(user).get(url_of(participation))

    assert page.text.count('lang="ar" dir="rtl"') == 2 + 3


def test_nothing_is_chosen_before_the_person_acts(user):
    page = client_of(user).get(url_of(tuple_round(user, hard_to_say="true")))

    assert page.context["chosen"] == {}
    assert " checked" not in page.text


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_choice_is_stored_once_and_leads_to_the_next_screen(user, headers):
    participation = tuple_round(user)
    client = client_of(user)
    client.get(url_of(participation))
    fields = choice(present_screen(participation), touched_ms=500, answered_ms=3000, active_ms=2800, adjustments=1)

    for _ in range(2):
        response = client.post(url_of(participation), fields, headers=headers)
        assert (response.status_code, response["X-Saved"]) == (200 if headers else 302, fields["key"])

    assert stored(participation) == [(fields["best"], fields["worst"], False)]
    judgment = Judgment.objects.get()
    assert (judgment.touched_ms, judgment.answered_ms, judgment.active_ms, judgment.adjustments) == (500, 3000, 2800, 1)
    assert client.get(url_of(participation)).context["assignment"].position == 2


def test_a_choice_by_htmx_brings_the_next_screen_with_it(user):
    participation = tuple_round(user)
    client = client_of(user)
    client.get(url_of(participation))

    response = client.post(url_of(participation), choice(present_screen(participation)), headers=HTMX)

    assert (response.context["assignment"].position, "<html" in response.text) == (2, False)
    assert present_screen(participation).lent_until is not None


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("best", "worst", "problem"),
    [
        (None, 1, "Choose the most related first."),
        (0, None, "Also choose the least related."),
        (2, 2, "The most related and the least related must be different."),
    ],
)
def test_an_incomplete_choice_is_told_and_kept_for_mending(user, best, worst, problem, headers):
    participation = tuple_round(user, hard_to_say="true")
    client = client_of(user)
    items = shown(client.get(url_of(participation)))
    chosen = {name: items[index] for name, index in (("best", best), ("worst", worst)) if index is not None}
    fields = {"assignment": present_screen(participation).pk, "key": str(uuid4()), "hard_to_say": "1", **chosen}

    response = client.post(url_of(participation), fields, headers=headers)

    assert (response.status_code, response.context["problem"]) == (422, problem)
    assert response.context["chosen"] == {"best": None, "worst": None, "hard_to_say": True} | chosen
    assert shown(response) == items
    for name, pk in chosen.items():
        assert f'name="{name}" value="{pk}" required checked' in response.text
    assert stored(participation) == []


@pytest.mark.parametrize("best", ["", "x", "-1", "9" * 40, "0", "<script>"])
def test_an_item_of_no_such_tuple_is_refused(user, best):
    participation = tuple_round(user)
    client = client_of(user)
    client.get(url_of(participation))

    response = client.post(url_of(participation), choice(present_screen(participation)) | {"best": best})

    assert (response.status_code, stored(participation)) == (422, [])


@pytest.mark.parametrize("asked", ["true", "false"])
def test_hard_to_say_is_asked_and_stored_where_the_project_wants_it(user, asked):
    participation = tuple_round(user, hard_to_say=asked)
    client = client_of(user)
    page = client.get(url_of(participation))

    client.post(url_of(participation), choice(present_screen(participation), hard_to_say="1"))

    assert ('name="hard_to_say"' in page.text, stored(participation)[0][2]) == (asked == "true",) * 2


@pytest.mark.parametrize("open_", ["true", "false"])
def test_back_shows_the_choice_and_takes_another(user, open_):
    participation = tuple_round(user, open=open_, hard_to_say="true")
    client = client_of(user)
    client.get(url_of(participation))
    screen = present_screen(participation)
    first = choice(screen, hard_to_say="1")
    client.post(url_of(participation), first)
    assert client.get(url_of(participation)).context["may_go_back"]

    page = client.get(url_of(participation, "back/"))
    second = choice(screen, again="1") | {"best": first["worst"], "worst": first["best"]}
    response = client.post(url_of(participation), second, headers=HTMX)

    assert (page.context["assignment"], page.context["again"]) == (screen, True)
    assert page.context["chosen"] == {"best": first["best"], "worst": first["worst"], "hard_to_say": True}
    assert response.context["assignment"].position == 2
    assert stored(participation) == [
        (first["best"], first["worst"], True),
        (second["best"], second["worst"], False),
    ]


def test_back_shows_no_tuple_that_went_to_somebody_else(user):
    participation = tuple_round(user)
    client = client_of(user)
    client.get(url_of(participation))
    client.post(url_of(participation), choice(present_screen(participation)))
    client.get(url_of(participation))
    participation.assignments.filter(answered_at=None).update(lapsed_at=timezone.now())
    assert client.get(url_of(participation)).context["assignment"].position == 3

    assert client.get(url_of(participation, "back/"))["Location"] == url_of(participation)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_choice_from_a_second_tab_shows_where_the_person_is(user, headers):
    participation = tuple_round(user)
    client = client_of(user)
    client.get(url_of(participation))
    screen = present_screen(participation)
    first = choice(screen)
    client.post(url_of(participation), first)

    response = client.post(url_of(participation), choice(screen), headers=headers)

    assert (response.status_code, response.context["assignment"].position) == (409, 2)
    assert "X-Saved" not in response
    assert stored(participation) == [(first["best"], first["worst"], False)]


def test_progress_in_an_open_round_without_limit_counts_answers_only(user):
    participation = tuple_round(user)
    client = client_of(user)
    for _ in range(2):
        client.get(url_of(participation))
        client.post(url_of(participation), choice(present_screen(participation), answered_ms=9000))

    page = client.get(url_of(participation))

    assert "Comparison 3" in page.text and "2 answered so far" in page.text
    assert "<progress" not in page.text
    assert "2 answered so far" in client.get("/").text


def test_progress_up_to_a_limit_tells_the_time_left(user):
    participation = tuple_round(user, tuples_a_person="5")
    client = client_of(user)
    client.get(url_of(participation))
    client.post(url_of(participation), choice(present_screen(participation), answered_ms=60_000))

    page = client.get(url_of(participation))

    assert "2 of 5" in page.text and "about 4 minutes left" in page.text
    assert not page.context["may_stop"]
    assert "1 of up to 5 answered" in client.get("/").text


def test_enough_is_offered_after_an_answer_and_asks_once_more(user):
    participation = tuple_round(user)
    client = client_of(user)
    assert not client.get(url_of(participation)).context["may_stop"]
    assert client.get(url_of(participation, "stop/"))["Location"] == url_of(participation)
    client.post(url_of(participation), choice(present_screen(participation)))

    page = client.get(url_of(participation))
    confirmation = client.get(url_of(participation, "stop/"))
    still = reread(participation).state
    response = client.post(url_of(participation, "stop/"), follow=True)

    assert url_of(participation, "stop/") in page.text
    assert (confirmation.status_code, confirmation.context["answers"], still) == (200, 1, "active")
    assert (reread(participation).state, response.context["answers"]) == ("finished", 1)
    assert response.context["code"] in response.text
    assert not Assignment.objects.filter(answered_at=None, lapsed_at=None).exists()


@pytest.mark.parametrize("changes", [{"tuples_a_person": "5"}, {"open": "false"}])
def test_who_was_asked_for_a_number_cannot_stop_before(user, changes):
    participation = tuple_round(user, **changes)
    client = client_of(user)
    client.get(url_of(participation))
    client.post(url_of(participation), choice(present_screen(participation)))

    page = client.get(url_of(participation, "stop/"))
    response = client.post(url_of(participation, "stop/"), follow=True)

    assert page["Location"] == url_of(participation)
    assert "You can’t finish this round early, but you can leave it." in response.text
    assert reread(participation).state == "active"


@pytest.mark.parametrize("answered", [False, True])
def test_where_all_that_is_left_is_with_others_the_page_says_so(user, answered):
    mine = tuple_round(user, pairs=8, factor="0.5", people="1", places=2)
    theirs = join(mine.project, "main", make_user("other"))
    client, other = client_of(user), client_of(theirs.annotator.user)
    if answered:
        client.get(url_of(mine))
        client.post(url_of(mine), choice(present_screen(mine)))
    while other.get(url_of(theirs)).context["here"].__class__.__name__ == "Screen":
        last = present_screen(theirs)
        other.post(url_of(theirs), choice(last))
    Judgment.objects.filter(assignment=last).delete()
    Assignment.objects.filter(pk=last.pk).update(answered_at=None, lent_until=timezone.now() + timedelta(hours=1))
    Participation.objects.filter(pk=theirs.pk).update(state="active", finished_at=None)

    page = client.get(url_of(mine))
    part = client.get(url_of(mine), headers=HTMX)

    assert (page.status_code, page.context["may_stop"], page.context["answers"]) == (200, answered, int(answered))
    assert "No tasks right now" in page.text
    assert ("Finish</button>" in page.text) is answered
    assert "<html" not in part.text
    if answered:
        finished = client.post(url_of(mine, "stop/"), follow=True)
        assert finished.context["code"] in finished.text


def test_consent_tells_how_many_comparisons_there_are(user):
    for number, (changes, words) in enumerate(
        [
            ({"tuples_a_person": "0"}, "as many comparisons as you like"),
            ({"tuples_a_person": "5"}, "up to 5 screens"),
            ({"open": "false", "tuples_a_person": "6"}, "6 screens"),
        ]
    ):
        participation = tuple_round(user, key=f"p{number}", **changes)
        Participation.objects.filter(pk=participation.pk).update(consented_at=None, state="invited")
        assert words in client_of(user).get(url_of(participation)).text


def test_key_source_gold_and_domain_are_on_no_page(user):
    participation = dialogue_round(user)
    Group.objects.update(domain="SECRET-DOMAIN", key=Concat(Value("SECRET-"), "key"), extra={"author": "SECRET"})
    Item.objects.update(
        source="SECRET-SOURCE", gold=True, extra={"author": "SECRET"}, key=Concat(Value("SECRET-"), "key")
    )
    Participation.objects.update(consented_at=None, state="invited")
    client = client_of(user)
    pages = [client.get(url_of(participation)), client.post(url_of(participation, "consent/"), follow=True)]
    while participation.assignments.filter(answered_at=None).exists():
        pages += [client.get(url_of(participation, page)) for page in ("", "back/", "guidelines/", "leave/", "stop/")]
        pages.append(client.post(url_of(participation), choice(present_screen(participation)), headers=HTMX))
    pages += [client.get("/"), client.get(url_of(participation))]

    assert reread(participation).state == "finished"
    for page in pages:
        assert page.status_code in (200, 302)
        for secret in ("SECRET", "gold", "dissimilar"):
            assert secret not in page.text


def test_what_others_chose_is_on_no_page(user):
    mine = tuple_round(user, pairs=8, factor="0.5", open="false", people="2")
    theirs = join(mine.project, "main", make_user("other"))
    other = client_of(theirs.annotator.user)
    while reread(theirs).state == "active":
        other.post(url_of(theirs), choice(present_screen(theirs)))

    page = client_of(user).get(url_of(mine))

    assert Judgment.objects.filter(assignment__tuple=page.context["assignment"].tuple).count() == 1
    assert page.context["chosen"] == {}
    assert " checked" not in page.text


def test_a_person_who_comes_back_sees_the_same_tuple_in_the_same_order(user):
    participation = tuple_round(user)
    client = client_of(user)

    pages = [client.get(url_of(participation)) for _ in range(3)]

    assert [shown(page) for page in pages] == [items_shown(present_screen(participation))] * 3
    assert participation.assignments.count() == 1


def test_items_that_come_later_appear_in_later_screens(user):
    participation = tuple_round(user, pairs=8, factor="0.5")
    project = participation.project
    Item.objects.create(project=project, key="late", position=99, sentence1="Late one.", sentence2="Late two.")
    plan_round(project=project, round_key="main")
    client, texts = client_of(user), ""
    while "cards" in (page := client.get(url_of(participation))).context:
        texts += page.text
        client.post(url_of(participation), choice(present_screen(participation)))

    assert "Late one." in texts
