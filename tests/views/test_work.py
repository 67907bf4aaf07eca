"""Rating screens: shown, answered, refused, plainly and by htmx."""

from datetime import timedelta

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from annotation.domain.participation.lifecycle import exclude
from annotation.models import Assignment, Judgment, Participation, Project
from tests.factories import (
    NOON,
    answer_all,
    answer_session,
    join,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    validation_round,
)
from tests.views.sending import HTMX, client_of, rating, stored_values, url_of


def test_a_screen_shows_both_texts_in_their_language_and_direction(user):
    participation = rating_round(user)
    participation.project.items.update(language="ar", sentence1="نص أول", sentence2="نص ثان")

    page = client_of(user).get(url_of(participation))

    assert (page.status_code, page.context["language"], page.context["direction"]) == (200, "ar", "rtl")
    for text in ("نص أول", "نص ثان"):
        assert text in page.text
    assert page.text.count('lang="ar" dir="rtl"') == 2


def test_a_text_without_language_has_that_of_the_project(user):
    participation = rating_round(user)
    Project.objects.update(language="te")

    page = client_of(user).get(url_of(participation))

    assert (page.context["language"], page.context["direction"]) == ("te", "ltr")


def test_the_first_showing_is_noted_once(user):
    participation = rating_round(user)
    client = client_of(user)
    client.get(url_of(participation))
    first = present_screen(participation).shown_at

    client.get(url_of(participation))

    assert first is not None
    assert present_screen(participation).shown_at == first
    assert participation.assignments.filter(shown_at__isnull=False).count() == 1


def test_nothing_is_chosen_before_the_person_acts(user):
    participation = validation_round(user)

    page = client_of(user).get(url_of(participation))

    assert page.context["chosen"] == ""
    assert "checked" not in page.text.replace("data-single-keys checked", "")


@pytest.mark.parametrize(("round_key", "session", "shown"), [("R3", 1, False), ("R3", 2, True)])
def test_context_is_shown_in_the_dependent_session_only(user, round_key, session, shown):
    participation = validation_round(user, round_key, intra=0)
    participation.project.items.update(context1="Before. <sent>Key one.</sent> After.", context2="<sent>Key</sent>")
    participation.assignments.filter(session__lt=session).update(answered_at=NOON)

    page = client_of(user).get(url_of(participation))

    assert page.context["in_context"] is shown
    assert ("Before." in page.text) is shown


def test_a_plain_answer_is_stored_and_leads_to_the_next_screen(user):
    participation = rating_round(user)
    client, fields = client_of(user), rating(present_screen(participation), "2.5")

    response = client.post(url_of(participation), fields)

    assert (response.status_code, response["Location"], response["X-Saved"]) == (
        302,
        url_of(participation),
        fields["key"],
    )
    assert stored_values(participation) == [2.5]
    assert client.get(url_of(participation)).context["assignment"].position == 2


def test_an_answer_by_htmx_brings_the_next_screen_with_it(user):
    participation = rating_round(user)
    fields = rating(present_screen(participation))

    response = client_of(user).post(url_of(participation), fields, headers=HTMX)

    assert (response.status_code, response["X-Saved"]) == (200, fields["key"])
    assert "<html" not in response.text
    assert response.context["assignment"].position == 2
    assert present_screen(participation).shown_at is not None


def test_times_measured_by_the_browser_are_stored(user):
    participation = rating_round(user)
    times = {"touched_ms": 700, "answered_ms": 4200, "active_ms": 3900, "adjustments": 1}

    client_of(user).post(url_of(participation), rating(present_screen(participation), **times))

    assert Judgment.objects.values(*times).get() == times


def test_times_that_cannot_be_do_not_cost_the_answer(user):
    participation = rating_round(user)
    times = {"touched_ms": -5, "answered_ms": 10**30, "active_ms": "soon", "adjustments": ""}

    client_of(user).post(url_of(participation), rating(present_screen(participation), **times))

    assert Judgment.objects.values(*times).get() == dict.fromkeys(times)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_same_answer_again_is_acknowledged_and_stored_once(user, headers):
    participation = rating_round(user)
    client, fields = client_of(user), rating(present_screen(participation))

    saved = [client.post(url_of(participation), fields, headers=headers)["X-Saved"] for _ in range(3)]

    assert saved == [fields["key"]] * 3
    assert stored_values(participation) == [2.0]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_answer_from_a_second_tab_shows_where_the_person_is(user, headers):
    participation = rating_round(user)
    screen = present_screen(participation)
    client = client_of(user)
    client.post(url_of(participation), rating(screen, "1"))

    response = client.post(url_of(participation), rating(screen, "3"), headers=headers)

    assert (response.status_code, response.context["assignment"].position) == (409, 2)
    assert "your earlier answer is kept" in response.context["problem"]
    assert "X-Saved" not in response
    assert stored_values(participation) == [1.0]


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("value", ["", "9", "2.05", "nan", "inf", "1e400", "two", "<script>", "9" * 5000])
def test_a_value_off_the_scale_is_told_and_kept_for_mending(user, value, headers):
    participation = rating_round(user)

    response = client_of(user).post(
        url_of(participation), rating(present_screen(participation), value), headers=headers
    )

    assert (response.status_code, response.context["chosen"]) == (422, value)
    assert response.context["problem"]
    assert response.context["assignment"].position == 1
    assert "<script>" not in response.text.partition("<main")[2]
    assert stored_values(participation) == []


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"assignment": ""},
        {"assignment": "x"},
        {"assignment": "9" * 40},
        {"key": ""},
        {"key": "no-uuid"},
    ],
)
def test_an_incomplete_answer_is_asked_for_once_more(user, fields):
    participation = rating_round(user)
    sent = rating(present_screen(participation)) | fields if fields else {"value": "2"}

    response = client_of(user).post(url_of(participation), sent)

    assert (response.status_code, response.context["problem"]) == (
        422,
        "Your answer was incomplete. Please answer again.",
    )
    assert stored_values(participation) == []


@pytest.mark.parametrize("assignment", ["0", "999999"])
def test_an_answer_to_an_unknown_screen_changes_nothing(user, assignment):
    participation = rating_round(user)
    fields = rating(present_screen(participation)) | {"assignment": assignment}

    response = client_of(user).post(url_of(participation), fields)

    assert (response.status_code, stored_values(participation)) == (409, [])


def test_an_answer_to_another_persons_screen_changes_nothing(user):
    mine = rating_round(user)
    theirs = rating_round(make_user("other"), key="other")
    fields = rating(present_screen(theirs))
    client = client_of(user)

    statuses = [client.post(url_of(one), fields).status_code for one in (mine, theirs)]

    assert statuses == [409, 404]
    assert (stored_values(mine), stored_values(theirs)) == ([], [])


def test_back_shows_the_answer_given_and_takes_a_new_one(user):
    participation = rating_round(user)
    client = client_of(user)
    screen = present_screen(participation)
    client.post(url_of(participation), rating(screen, "1.5"))

    page = client.get(url_of(participation, "back/"))
    response = client.post(url_of(participation), rating(screen, "3", again="1"))

    context = page.context
    assert (context["assignment"], context["chosen"], context["again"]) == (screen, "1.5", True)
    assert not context["may_go_back"]
    assert response.status_code == 302
    assert stored_values(participation) == [1.5, 3.0]
    assert client.get(url_of(participation)).context["assignment"].position == 2


def test_a_change_that_is_off_the_scale_stays_on_the_screen_before(user):
    participation = rating_round(user)
    client = client_of(user)
    screen = present_screen(participation)
    rate_next(participation)

    response = client.post(url_of(participation), rating(screen, "9", again="1"))

    context = response.context
    assert (response.status_code, context["assignment"], context["again"], context["chosen"]) == (
        422,
        screen,
        True,
        "9",
    )


@pytest.mark.parametrize("answered", [0, 1])
def test_back_leads_to_the_present_screen_where_there_is_nothing_before(user, answered):
    """At the first screen, and at the first one of the main block."""
    participation = validation_round(user)
    for _ in range(answered):
        rate_next(participation)

    response = client_of(user).get(url_of(participation, "back/"))

    assert (response.status_code, response["Location"]) == (302, url_of(participation))


def test_back_by_htmx_brings_the_part_only(user):
    participation = rating_round(user)
    rate_next(participation)

    response = client_of(user).get(url_of(participation, "back/"), headers=HTMX)

    assert (response.status_code, response.context["assignment"].position) == (200, 1)
    assert "<html" not in response.text


@pytest.mark.parametrize(("answered", "offered"), [(0, False), (1, True)])
def test_the_way_back_is_offered_where_there_is_one(user, answered, offered):
    participation = rating_round(user)
    for _ in range(answered):
        rate_next(participation)

    page = client_of(user).get(url_of(participation))

    assert page.context["may_go_back"] is offered
    assert (url_of(participation, "back/") in page.text) is offered


def test_an_answer_during_the_pause_shows_the_pause(user):
    participation = answer_session(validation_round(user), now=timezone.now())
    fields = rating(participation.assignments.get(session=2, position=1))

    response = client_of(user).post(url_of(participation), fields)

    assert (response.status_code, response.context["problem"]) == (
        409,
        "The pause is not over yet, so your answer was not saved.",
    )
    assert response.context["here"].until == participation.rest_until
    assert len(stored_values(participation)) == 5


def test_the_last_answer_by_htmx_shows_the_code_and_the_number_of_answers(user):
    participation = rating_round(user, 2)
    rate_next(participation)

    response = client_of(user).post(url_of(participation), rating(present_screen(participation)), headers=HTMX)

    assert (response.status_code, response.context["answers"]) == (200, 2)
    assert response.context["code"] in response.text


def test_a_finished_round_stays_finished(user):
    participation = answer_all(rating_round(user, 2))

    page = client_of(user).get(url_of(participation))

    assert (page.status_code, page.context["here"].at, page.context["answers"]) == (200, NOON, 2)


def test_whoever_was_excluded_is_told_and_answers_no_more(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    client = client_of(user)
    exclude(participation_id=participation.pk, reason="Careless: a secret.", actor=None, now=NOON)

    page = client.get(url_of(participation))
    response = client.post(url_of(participation), rating(screen))

    assert (page.status_code, response.status_code, stored_values(participation)) == (200, 409, [])
    assert "Your participation in this round has ended" in page.text
    assert "a secret" not in page.text + response.text


def test_a_closed_project_says_so(user):
    participation = rating_round(user)
    Project.objects.update(closed_at=timezone.now() - timedelta(seconds=1))

    page = client_of(user).get(url_of(participation))

    assert "This project is closed" in page.text


def test_a_screen_is_never_taken_from_a_cache(user):
    participation = rating_round(user)

    assert "no-store" in client_of(user).get(url_of(participation))["Cache-Control"]


def test_an_answer_from_another_site_is_refused(user):
    participation = rating_round(user)
    client = client_of(user, enforce_csrf_checks=True)
    fields = rating(present_screen(participation))

    assert client.post(url_of(participation), fields).status_code == 403
    assert stored_values(participation) == []


def test_the_page_brings_what_the_answer_needs(user):
    participation = rating_round(user)
    client = client_of(user, enforce_csrf_checks=True)
    page = client.get(url_of(participation))
    token = str(page.context["csrf_token"])
    fields = {
        "assignment": page.context["assignment"].pk,
        "key": str(page.context["key"]),
        "value": "2",
        "csrfmiddlewaretoken": token,
    }

    assert client.post(url_of(participation), fields).status_code == 302
    assert stored_values(participation) == [2.0]
    for name in ("assignment", "key", "value", "touched_ms", "answered_ms", "active_ms", "adjustments"):
        assert f'name="{name}"' in page.text


def test_every_page_has_a_key_of_its_own(user):
    participation = rating_round(user)
    client = client_of(user)

    keys = {client.get(url_of(participation)).context["key"] for _ in range(3)}

    assert len(keys) == 3


def test_author_source_and_gold_label_are_on_no_page(user):
    participation = validation_round(user, main=2, intra=0)
    participation.project.items.update(
        source="SECRET-SOURCE", gold=True, extra={"author": "SECRET-AUTHOR"}, key=Concat(Value("SECRET-"), "key")
    )
    Participation.objects.update(consented_at=None, state="invited")
    client = client_of(user)
    pages = [client.get(url_of(participation))]
    pages.append(client.post(url_of(participation, "consent/"), follow=True))
    while present := participation.assignments.filter(answered_at=None).first():
        pages += [client.get(url_of(participation, page)) for page in ("", "back/", "guidelines/", "leave/")]
        pages.append(client.post(url_of(participation), rating(present), headers=HTMX))
        Participation.objects.filter(state="resting").update(rest_until=NOON)
        pages.append(client.get(url_of(participation)))
        client.post(url_of(participation, "begin/"))
    pages += [client.get("/"), client.get(url_of(participation))]

    for page in pages:
        assert page.status_code in (200, 302)
        for secret in ("SECRET", "gold", "dissimilar"):
            assert secret not in page.text
    assert Assignment.objects.filter(answered_at=None).count() == 0


def test_what_others_answered_is_on_no_page(user):
    mine = rating_round(user)
    theirs = join(mine.project, "main", make_user("other"))
    for _ in range(4):
        rate_next(theirs, "3.7")
    rate_next(mine, "1.5")

    page = client_of(user).get(url_of(mine, "back/"))

    assert (page.context["chosen"], "3.7" in page.text) == ("1.5", False)


def test_a_head_request_is_answered(user):
    participation = rating_round(user)

    response = client_of(user).head(url_of(participation))

    assert (response.status_code, response.content) == (200, b"")


def test_pages_run_nothing_from_elsewhere(user):
    response = client_of(user).get(url_of(rating_round(user)))

    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
