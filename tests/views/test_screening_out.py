"""From Prolific and back for people for whom it ends early, with a stand-in that does what the platform says."""

import json
from collections.abc import Iterator
from html import unescape
from urllib.request import urlopen

import pytest
from django.test import Client
from django.utils import timezone

from annotation.domain.participation.flow import Screen, where_now
from annotation.domain.participation.leasing import next_place
from annotation.domain.planning.rounds import plan_round
from annotation.domain.practice.stages import stage_of
from annotation.domain.recruiting.crowd.completion import way_back
from annotation.domain.recruiting.crowd.declining import REASON
from annotation.models import Annotator, CrowdRefusal, CrowdStudy, Participation
from tests.crowds import SECOND, STUDY, arrive, browser_of, make_study, pid, sid, two_sessions
from tests.domain.best_worst import choose_first
from tests.factories import NOON, answer_all, answer_session, make_project, reread
from tests.platforms import Prolific, running
from tests.practice_sets import RIGHT, WRONG, add_tasks, pairs_project
from tests.views.sending import url_of

OUT = "submissions/complete?cc=OUT1"
IDS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"


@pytest.fixture
def prolific(settings) -> Iterator[Prolific]:
    server = Prolific()
    server.places, server.address = 2, f"/crowd/prolific/project/main/?{IDS}"
    server.codes = {"DONE1": "AWAITING REVIEW", "OUT1": "SCREENED OUT", "NO1": "RETURNED"}
    settings.PROLIFIC_URL = server.url
    with running(server):
        yield server


@pytest.fixture(params=[True, False], ids=["open", "fixed"])
def checked(db, request) -> CrowdStudy:
    """A study for a round with a check of two tasks and two places."""
    project = pairs_project(open_=request.param)
    add_tasks(project, check=2)
    plan_round(project=project, round_key="main", people=2)
    return make_study(project)


def come(prolific: Prolific, number: int, submission: int | None = None, agree: str = "yes") -> tuple[Client, object]:
    """Somebody takes the study at the platform, follows its address and presses a button."""
    client = browser_of(number)
    address = prolific.take(pid(number), sid(submission or number), STUDY)
    return client, client.post(client.get(address)["Location"], {"agree": agree}, follow=True)


def do_check(client: Client, place: Participation, choice: tuple[int, int]) -> object:
    """Answers both tasks of the check on their pages, twice if need be. Returns the page after the last one."""
    page = None
    while reread(place).practising:
        stage = stage_of(reread(place))
        present = getattr(stage, "first", stage)
        answer = dict(zip(("best", "worst"), choice, strict=True))
        answer |= {"task": present.task.pk, "attempt": present.attempt}
        page = client.post(url_of(place, "practice/"), answer, follow=True)
    return page


def go_back(page) -> str:
    """Presses the button that leads back to the platform. Returns what the platform makes of it."""
    url = unescape(page.text.split('class="button first" href="')[1].split('"')[0])
    with urlopen(url, timeout=5) as response:
        return json.load(response)["status"]


def free_places(study: CrowdStudy) -> int:
    return study.project.participations.filter(annotator=None, state="invited").count()


def place_of(number: int) -> Participation:
    return Participation.objects.get(annotator__external_id=f"prolific:{pid(number)}")


def test_who_fails_the_check_goes_back_with_the_code_and_somebody_else_has_the_place(checked, prolific):
    come(prolific, 1)
    prolific.submissions[sid(1)] = "AWAITING REVIEW"  # at work in another window
    client, _page = come(prolific, 2)
    assert (free_places(checked), prolific.free) == (0, 0)

    failed = do_check(client, place_of(2), WRONG)

    assert (OUT in failed.text, go_back(failed)) == (True, "SCREENED OUT")
    assert (free_places(checked), prolific.free) == (1, 1)
    newcomer, _page = come(prolific, 3)
    passed = do_check(newcomer, place_of(3), RIGHT)
    while isinstance(next_place(place_of(3), now := timezone.now()), Screen):
        choose_first(place_of(3), now=now)
    assert "You passed the check" in passed.text
    assert go_back(newcomer.get(url_of(place_of(3)))) == "AWAITING REVIEW"


@pytest.mark.parametrize("again", [2, 7], ids=["same visit", "taken once more"])
def test_who_failed_and_returns_is_refused_kindly_with_the_code(checked, prolific, again):
    client, _page = come(prolific, 2)
    do_check(client, place_of(2), WRONG)
    before = Participation.objects.count()
    prolific.submissions.clear()

    device = browser_of(2)
    entrance = device.get(device.get(prolific.take(pid(2), sid(again), STUDY))["Location"])
    pressed = device.post(entrance.request["PATH_INFO"], {"agree": "yes"})

    assert (entrance.status_code, pressed.status_code) == (410, 410)
    for text in ("This study has ended for you", "You need 2 of 2 answers right", "says nothing about you", OUT):
        assert text in pressed.text
    assert "Welcome back" not in entrance.text
    assert "<button" not in pressed.text.split("<main")[1].split('id="way-code"')[0]
    assert "_auth_user_id" not in device.session
    assert Participation.objects.count() == before
    assert go_back(pressed) == "SCREENED OUT"


def test_without_a_code_for_it_one_is_asked_to_return_the_study(checked, prolific):
    CrowdStudy.objects.update(screen_out_code="")
    client, _page = come(prolific, 2)

    failed = do_check(client, place_of(2), WRONG)

    assert "Please return the study on the platform" in failed.text
    assert "cc=" not in failed.text


def test_who_says_no_goes_back_with_the_code_and_takes_no_place(checked, prolific):
    client, page = come(prolific, 1, agree="no")

    assert go_back(page) == "RETURNED"
    assert (free_places(checked), prolific.free) == (2, 2)
    assert not Annotator.objects.exists()
    assert "_auth_user_id" not in client.session
    visit = CrowdRefusal.objects.get().visit
    assert (len(visit), sid(1) in visit, pid(1) in visit) == (64, False, False)


def test_who_said_no_is_refused_kindly_on_the_same_visit_and_welcome_on_another(checked, prolific):
    come(prolific, 1, agree="no")
    prolific.submissions.clear()

    client, again = come(prolific, 1)
    answer = go_back(again)
    _client, anew = come(prolific, 1, submission=5)

    assert (again.status_code, answer) == (410, "RETURNED")
    assert "You chose not to take part" in again.text
    assert "_auth_user_id" not in client.session
    assert place_of(1).consented_at is not None
    assert anew.status_code == 200
    prolific.submissions.clear()
    _client, old = come(prolific, 1)
    assert old.redirect_chain[-1][0] == url_of(place_of(1))


def test_a_place_that_an_earlier_round_gave_is_free_again_after_a_no(user, prolific):
    place, _first, _second = two_sessions(user)
    Participation.objects.filter(pk=place.pk).update(consented_at=None, state="invited")
    prolific.address = prolific.address.replace("main", "R3")

    _client, page = come(prolific, 1, agree="no")
    declined = reread(place)

    assert "submissions/complete?cc=NO1" in page.text
    assert (declined.state, declined.reason, declined.refill.annotator) == ("left", REASON, None)


def test_who_left_and_returns_is_told_so(db, prolific):
    study = make_study()
    place = arrive(study)
    Participation.objects.filter(pk=place.pk).update(state="left", reason="Ill.")

    _client, page = come(prolific, 1)

    assert (page.status_code, "You have left this round" in page.text, "cc=" in page.text) == (410, True, False)
    assert "Please return the study on the platform" in page.text


def test_who_has_done_the_work_and_was_excluded_has_the_code_when_they_return(db, prolific):
    place = answer_all(arrive(make_study()))
    Participation.objects.filter(pk=place.pk).update(state="excluded", reason="Careless.")

    _client, page = come(prolific, 1)

    assert (page.status_code, go_back(page)) == (410, "AWAITING REVIEW")
    assert way_back(reread(place), where_now(reread(place), NOON)).code == "DONE1"


def test_two_studies_are_completed_by_one_person_each_with_its_own_code(user, prolific):
    place, _first, _second = two_sessions(user)
    Participation.objects.filter(pk=place.pk).update(state="active")
    prolific.address = prolific.address.replace("main", "R3")
    prolific.codes["DONE2"] = "APPROVED"
    client, _page = come(prolific, 1)
    answer_session(place)
    first = go_back(client.get(url_of(place)))
    Participation.objects.filter(pk=place.pk).update(rest_until=NOON)  # long ago

    device = browser_of(1)
    entrance = device.get(prolific.take(pid(1), sid(2), SECOND))["Location"]
    device.post(device.post(entrance, {"agree": "yes"})["Location"] + "begin/")
    answer_session(place, now=timezone.now())
    second = go_back(device.get(url_of(place)))

    assert (first, second) == ("AWAITING REVIEW", "APPROVED")
    assert list(prolific.submissions.values()) == ["AWAITING REVIEW", "APPROVED"]


def test_a_worker_of_mechanical_turk_who_said_no_is_told_in_the_frame(db):
    make_study(make_turk_project(), platform="mturk", study_id="", completion_code="")
    ids = "assignmentId=3ASSIGNMENT1&hitId=3HITHITHITHIT&workerId=AWORKER0000001&turkSubmitTo="
    url = f"/crowd/mturk/project/main/?{ids}"
    enter = Client().get(url).text.split('href="/crowd/enter/')[1].split('"')[0]

    said = Client().post(f"/crowd/enter/{enter}", {"agree": "no"})

    assert "press “Return”" in said.text
    assert "Please return it" in Client().get(url).text
    assert "Open the task" not in Client().get(url).text


def make_turk_project():
    project = make_project()
    project.items.create(key="p1", position=1, sentence1="One.", sentence2="Two.")
    plan_round(project=project, round_key="main", people=1)
    return project
