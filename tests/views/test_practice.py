"""The pages of the practice and of the check, and the practice set as managers see it."""

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import Membership, Participation, PracticeAnswer, PracticeTask, Project
from tests.factories import annotator_for, join, make_project, make_user, reread, take_seat
from tests.importing.files import json_lines
from tests.importing.test_practice import PAIRS, changed
from tests.practice_sets import (
    RIGHT,
    WRONG,
    add_tasks,
    answer_task,
    dialogue_project,
    do_check,
    do_practice,
    go_on,
    pairs_project,
    practising_person,
    present_try,
    stage,
)
from tests.views.sending import client_of, url_of

pytestmark = pytest.mark.django_db
EVIL = "**bold** <script>alert(1)</script> <img src=x onerror=alert(1)> [link](javascript:alert(1))"


def fields(participation: Participation, choice: tuple[int, int] = RIGHT, **changes: object) -> dict[str, object]:
    present = present_try(participation)
    return {"task": present.task.pk, "attempt": present.attempt, "best": choice[0], "worst": choice[1]} | changes


def main_of(response) -> str:
    return response.text.partition("<main")[2]


def told(response) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def test_a_task_is_shown_and_nothing_of_its_solution(user):
    participation = practising_person(user, practice=2)

    page = client_of(user).get(url_of(participation))

    text = main_of(page)
    assert "Practice 1 of 2" in text
    assert [f"practice 1, item {number}, one." in text for number in range(1, 5)] == [True] * 4
    for leak in ("Because", "practice 2, item", "data-mark=", "your choice", "checked"):
        assert leak not in text.replace('data-mark="best"><input', "").replace('data-mark="worst"><input', "")


def test_the_order_of_the_check_leaves_nothing_of_its_solution_either(user):
    participation = practising_person(user, check=2)
    client = client_of(user)

    pages = [client.get(url_of(participation)), client.get(url_of(participation, "check/"))]
    answer_task(participation)
    pages.append(client.get(url_of(participation)))

    assert "check 1, item" not in pages[0].text
    for page in pages:
        assert "Because" not in page.text
        assert not any(key in page.context for key in ("solved", "why"))


def test_an_answer_leads_to_its_solution_and_on(user):
    participation = practising_person(user, practice=2)
    client = client_of(user)
    url = url_of(participation)

    response = client.post(f"{url}practice/", fields(participation, WRONG))
    solution = client.get(url)
    reloaded = client.get(url)
    on = client.post(f"{url}practice/on/", {"task": stage(participation).answer.task_id})

    assert (response.status_code, response["Location"]) == (302, url)
    text = main_of(solution)
    for words in ("you chose pair 2; the right answer is pair 1", "right (pair 3)", "<strong>practice 1</strong>"):
        assert words in text
    assert reloaded.context["stage"] == solution.context["stage"]
    assert (on.status_code, on["Location"]) == (302, url)
    assert "Practice 2 of 2" in client.get(url).text


def test_a_double_click_and_a_second_tab_are_harmless(user):
    participation = practising_person(user, practice=2)
    client = client_of(user)
    url = url_of(participation, "practice/")
    sent = fields(participation)

    first, second = client.post(url, sent), client.post(url, sent)
    other = client.post(url, sent | {"best": 2})

    assert (told(first), told(second)) == ([], [])
    assert told(other) == [
        "You have already answered this, and your earlier answer is kept. This is your current screen."
    ]
    assert PracticeAnswer.objects.get().right


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"best": "", "worst": ""}, "Choose the most related first."),
        ({"worst": ""}, "Also choose the least related."),
        ({"worst": 1}, "The most related and the least related must be different."),
    ],
)
@pytest.mark.parametrize("tasks", [{"practice": 1}, {"check": 1}])
def test_half_a_choice_is_told_and_kept(user, sent, problem, tasks):
    participation = practising_person(user, **tasks)

    page = client_of(user).post(url_of(participation, "practice/"), fields(participation, **sent))

    assert (page.status_code, problem in page.text) == (422, True)
    assert page.text.count(" checked") == sum(str(one) != "" for one in ({"best": 1, "worst": 3} | sent).values())
    assert not PracticeAnswer.objects.exists()


@pytest.mark.parametrize("sent", [{}, {"task": "x"}, {"task": "9" * 30}, {"task": "1", "best": "x"}])
def test_nonsense_changes_nothing(user, sent):
    participation = practising_person(user, practice=1)

    for page in ("practice/", "practice/on/"):
        response = client_of(user).post(url_of(participation, page), sent)
        assert (response.status_code, response["Location"]) == (302, url_of(participation))

    assert not PracticeAnswer.objects.exists()


def test_a_login_that_ran_out_comes_back_to_the_task(user):
    participation = practising_person(user, practice=1)
    url = url_of(participation, "practice/")

    response = Client().post(url, fields(participation))
    back = client_of(user).get(url)

    assert response["Location"] == f"/account/login/?next={url}"
    assert (back.status_code, back["Location"]) == (302, url_of(participation))


def test_no_work_before_the_practice_is_over(user):
    participation = practising_person(user, open_=False, practice=1)
    screen = participation.assignments.first()

    response = client_of(user).post(
        url_of(participation), {"assignment": screen.pk, "key": "0" * 32, "best": 1, "worst": 2}
    )

    assert (response.status_code, screen.judgments.count()) == (409, 0)
    assert "Practice 1 of 1" in response.text


def test_the_check_from_its_announcement_to_the_work(user):
    participation = do_practice(practising_person(user, practice=1, check=5))
    client = client_of(user)
    url = url_of(participation)

    ahead = client.get(url)
    first = client.get(f"{url}check/")
    client.post(f"{url}practice/", fields(participation))
    second = client.get(url)
    back = client.get(f"{url}check/")
    do_check(participation, *[RIGHT] * 3)
    last = client.post(f"{url}practice/", fields(participation))

    for words in ("A short check", "<strong>4 of 5</strong>", "<strong>two attempts</strong>"):
        assert words in ahead.text
    assert "Check 1 of 5" in first.text
    assert "Check 2 of 5" in second.text
    assert back["Location"] == url
    assert told(last) == ["You passed the check. You can start the actual task now."]
    assert not reread(participation).practising


def test_the_check_is_not_begun_out_of_turn(user):
    participation = practising_person(user, practice=1, check=1)
    client = client_of(user)

    early = client.get(url_of(participation, "check/"))
    do_check(do_practice(participation), RIGHT)
    late = client.get(url_of(participation, "check/"))

    assert [page["Location"] for page in (early, late)] == [url_of(participation)] * 2


def test_failing_once_and_twice_is_told_kindly(user):
    participation = do_practice(practising_person(user, practice=1, check=2))
    client = client_of(user)

    do_check(participation, RIGHT, WRONG)
    once = client.get(url_of(participation))
    again = client.get(url_of(participation, "practice/again/"))
    do_check(participation, WRONG, WRONG)
    twice = client.get(url_of(participation))

    assert "You got 1 of 2 right; you need 2." in once.text
    assert url_of(participation, "practice/again/") in once.text
    assert "<strong>practice 1</strong>" in again.text
    assert "Thank you for trying. You got 0 of 2 right in the check; you need 2 to pass." in (
        " ".join(twice.text.split())
    )
    assert "managers can tell you why" not in twice.text


def test_looking_at_the_practice_again_shows_only_what_was_answered(user):
    participation = practising_person(user, practice=2)
    client = client_of(user)

    before = client.get(url_of(participation, "practice/again/"))
    answer_task(participation)
    after = client.get(url_of(participation, "practice/again/"))

    assert "You have not done any practice tasks yet." in before.text
    assert "practice 1, item 1" in after.text
    assert "practice 2" not in after.text


def test_who_practises_when_the_set_is_removed_is_let_on(user):
    participation = practising_person(user, practice=1)
    PracticeTask.objects.all().delete()
    client = client_of(user)

    page = client.get(url_of(participation))
    client.post(url_of(participation, "practice/on/"))

    assert "Practice complete" in page.text
    assert client.get(url_of(participation)).context["assignment"].position == 1


def test_examples_stand_with_their_solutions_wherever_the_guidelines_do(user):
    project = pairs_project()
    add_tasks(project, examples=2, practice=1)
    plan_round(project=project, round_key="main")
    place = take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user))
    client = client_of(user)

    consent = client.get(url_of(place))
    join(project, "main", user)
    practice, guidelines = client.get(url_of(place)), client.get(url_of(place, "guidelines/"))
    do_practice(place)
    work = client.get(url_of(place))

    for page in (consent, practice, guidelines, work):
        assert "example 2, item 4, two." in page.text
        assert "<strong>example 2</strong>" in page.text
    assert "You start with 1 practice task and see its solution." in consent.text


def test_practice_in_a_dialogue_shows_the_dialogue(user):
    project = dialogue_project()
    add_tasks(project, practice=1, language="ar")
    plan_round(project=project, round_key="main", people=1)
    participation = join(project, "main", user)
    client = client_of(user)

    task = client.get(url_of(participation))
    answer_task(participation)
    solution = client.get(url_of(participation))

    for page in (task, solution):
        assert "Yes, let us go now." in page.text
        assert '<p lang="ar" dir="rtl">practice 1, item 2.</p>' in page.text
    assert "right (utterance 1)" in solution.text


def test_reasons_run_nothing(user):
    participation = practising_person(user, practice=1, examples=1)
    PracticeTask.objects.update(why=EVIL)
    answer_task(participation)

    text = main_of(client_of(user).get(url_of(participation)))

    assert "<strong>bold</strong>" in text
    for word in ("<script", "onerror", 'href="javascript:'):
        assert word not in text


@pytest.mark.parametrize("page", ["practice/", "practice/on/", "practice/again/", "check/"])
def test_the_practice_of_others_is_not_found(user, page):
    participation = practising_person(user, practice=1)
    stranger = client_of(make_user("stranger"))

    method = stranger.post if page in ("practice/", "practice/on/") else stranger.get
    assert method(url_of(participation, page), {"task": 1}).status_code == 404


def test_practice_pages_take_few_queries(user, django_assert_max_num_queries):
    participation = practising_person(user, practice=20, check=20)
    client = client_of(user)
    client.get(url_of(participation))

    with django_assert_max_num_queries(9):
        client.get(url_of(participation))
    sent = fields(participation)
    with django_assert_max_num_queries(16):
        client.post(url_of(participation, "practice/"), sent)


# The set, as managers see it


def manager_of(project: Project) -> Client:
    boss = make_user("boss")
    add_member(project=project, user=boss, role=Membership.Role.MANAGER)
    return client_of(boss)


def test_a_manager_brings_a_set_in_sees_it_and_removes_it():
    project = make_project("semrel")
    client = manager_of(project)
    url = f"/projects/{project.key}/practice/"
    file = SimpleUploadedFile("set.jsonl", json_lines(PAIRS, PAIRS | {"part": "check"}).encode())

    empty = client.get(url)
    sent = client.post(url, {"file": file})
    shown = client.get(url)
    removed = client.post(f"{url}remove/")

    assert "No practice set yet" in empty.text
    assert (sent.status_code, sent["Location"]) == (302, url)
    assert "The practice set has been imported: 0 × example, 1 × practice, 1 × check." in shown.text
    for words in ("Two 4.", "<strong>Because.</strong>", "Most related", "Remove practice set"):
        assert words in shown.text
    assert (removed["Location"], told(removed)) == (url, ["The practice set has been removed."])
    assert not PracticeTask.objects.exists()


def test_every_fault_of_a_set_is_shown_to_its_manager():
    project = make_project("semrel")

    page = manager_of(project).post(
        f"/projects/{project.key}/practice/", {"rows": json_lines(changed("best", 9), changed("part", "<b>"))}
    )

    assert page.status_code == 422
    assert "There is no item 9. Use a number from 1 to 4." in page.text
    assert "“&lt;b&gt;” is not a part of the practice set. Use one of: example, practice, check." in page.text
    assert not PracticeTask.objects.exists()


def test_a_set_that_was_answered_is_only_shown():
    participation = practising_person(practice=1)
    client = manager_of(participation.project)
    url = f"/projects/{participation.project.key}/practice/"
    answer_task(participation)

    page = client.get(url)
    sent = client.post(url, {"rows": json_lines(PAIRS)})
    removed = client.post(f"{url}remove/")

    assert "can no longer be changed" in page.text
    assert "Import practice set" not in page.text
    assert (sent.status_code, "already answered one of its tasks" in sent.text) == (422, True)
    assert (removed.status_code, "already answered one of its tasks" in removed.text) == (422, True)
    assert PracticeTask.objects.count() == 1


def test_a_project_that_rates_says_that_there_is_nothing_to_practise():
    project = make_project("stss131")

    page = manager_of(project).get(f"/projects/{project.key}/practice/")

    assert (page.status_code, "Practice is available only" in page.text) == (200, True)


@pytest.mark.parametrize("page", ["", "remove/"])
def test_the_set_of_others_is_not_found(user, page):
    project = make_project("semrel")
    add_tasks(project, practice=1)

    for method in (client_of(user).get, client_of(user).post):
        assert method(f"/projects/{project.key}/practice/{page}").status_code == 404
    assert PracticeTask.objects.exists()


def test_going_on_is_not_done_by_get(user):
    participation = practising_person(user, practice=1)
    answer_task(participation)

    client_of(user).get(url_of(participation, "practice/on/"))

    assert stage(participation).answer.seen_at is None
    go_on(participation)
    assert not reread(participation).practising
