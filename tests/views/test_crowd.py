"""The addresses that crowd platforms send people to."""

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.recruiting.crowd.prolific_checks import estimated_minutes
from annotation.domain.recruiting.guests import resume_code, withdraw_resume_links
from annotation.models import Annotator, CrowdStudy, CrowdSubmission, Guest, Participation, Project
from annotation.views import browsers
from tests.crowds import SECOND, STUDY, make_study, pid, sid, two_sessions, worker
from tests.factories import NOON, answer_all, answer_session, rate_next
from tests.platforms import Prolific, running
from tests.views.sending import HTMX, client_of, url_of

HIT = "3HITHITHITHIT"
SANDBOX = "https://workersandbox.mturk.com"


def prolific(study_id: str = STUDY, number: int = 1, session: int | None = None, key: str = "project") -> str:
    ids = f"PROLIFIC_PID={pid(number)}&STUDY_ID={study_id}&SESSION_ID={sid(session or number)}"
    round_key = CrowdStudy.objects.values_list("round", flat=True).first() or "main"
    return f"/crowd/prolific/{key}/{round_key}/?{ids}"


def mturk(assignment: str = "3ASSIGNMENT1", number: int = 1, site: str = SANDBOX, **more: str) -> str:
    ids = f"assignmentId={assignment}&hitId={HIT}&workerId={worker(number)}&turkSubmitTo={site}"
    return f"/crowd/mturk/project/main/?{ids}" + "".join(f"&{name}={value}" for name, value in more.items())


def come(url: str, client: Client | None = None, agree: str = "yes"):
    """Follows the platform's address and presses the button on the page it leads to."""
    client = client or Client()
    ticket = client.get(url)["Location"]
    return client, client.post(ticket, {"agree": agree})


def test_somebody_from_prolific_agrees_and_works(db):
    make_study()
    page = Client().get(prolific(), follow=True)
    client, response = come(prolific())

    place = Participation.objects.get(annotator__isnull=False)
    assert "Agree and start" in page.text
    assert pid() not in page.redirect_chain[-1][0]
    assert response["Location"] == url_of(place)
    assert "1 of 2" in client.get(url_of(place)).text


def test_newcomers_see_the_task_and_its_time_before_they_agree(db):
    study = make_study()

    page = Client().get(prolific(), follow=True)

    assert f"<dt>Task</dt>\n  <dd><bdi>{study.project.protocol.rounds[0].title}</bdi></dd>" in page.text
    minutes = estimated_minutes(study)
    assert f"<dt>Time</dt><dd>about {minutes} minute{'' if minutes == 1 else 's'}</dd>" in page.text


def test_opening_the_address_stores_nothing(db):
    make_study()

    Client().get(prolific(), follow=True)

    assert not Annotator.objects.exists()
    assert not CrowdSubmission.objects.exists()


def test_ids_alone_do_not_open_an_account_on_which_more_hangs(db):
    make_study()
    come(prolific())
    account = Annotator.objects.get().user
    account.memberships.create(project=Project.objects.get(), role="manager")

    stranger, response = come(prolific())

    assert response["Location"].startswith("/account/login/?next=/crowd/")
    assert "_auth_user_id" not in stranger.session


def test_who_does_not_agree_is_led_back_with_the_code_for_it(db):
    make_study()

    client, response = come(prolific(), agree="no")

    assert "submissions/complete?cc=NO1" in response.text
    assert not Annotator.objects.exists()
    assert "_auth_user_id" not in client.session


def test_who_knows_only_the_id_gets_neither_the_place_nor_the_data(db):
    make_study()
    come(prolific())
    place = Participation.objects.get(annotator__isnull=False)

    stranger, page = come(prolific(session=5))

    assert "You started in another browser" in page.text
    assert "_auth_user_id" not in stranger.session
    assert stranger.get(url_of(place)).status_code == 302
    wrong = stranger.post(stranger.get(prolific())["Location"], {"code": "abcd-efgh-ijkl"})
    assert (wrong.status_code, "This code is not correct." in wrong.text) == (422, True)


def test_who_knows_an_id_of_an_earlier_round_does_not_get_its_account(user):
    _place, first, _second = two_sessions(user)
    other = CrowdStudy.objects.create(
        project=first.project, round="R2", platform="prolific", study_id="7" * 24, completion_code="R2"
    )

    stranger, page = come(f"/crowd/prolific/project/R2/?{prolific(other.study_id).partition('?')[2]}")

    assert "You started in another browser" in page.text
    assert "_auth_user_id" not in stranger.session
    assert not CrowdSubmission.objects.filter(study=other).exists()


def test_a_code_is_tried_only_so_often(db, monkeypatch):
    make_study()
    come(prolific())
    monkeypatch.setattr(browsers, "CODES_AN_HOUR", 2)
    cache.clear()
    code = resume_code(Guest.objects.get())

    pages = [code_typed(typed)[1] for typed in ("x", "y", code)]

    assert [page.status_code for page in pages] == [422] * 3
    assert "Try again in an hour" in pages[-1].text


def code_typed(code: str) -> tuple:
    client = Client()
    return client, client.post(client.get(prolific())["Location"], {"code": code}, follow=True)


def test_in_the_browser_of_the_beginning_one_goes_on_also_after_the_session(db):
    make_study()
    client, _response = come(prolific())
    place = Participation.objects.get(annotator__isnull=False)
    rate_next(place)
    client.post("/account/logout/")

    page = client.get(prolific(session=5), follow=True)
    _, response = come(prolific(session=5), client)

    assert "Welcome back" in page.text
    assert response["Location"] == url_of(place)
    assert "2 of 2" in client.get(url_of(place)).text


def test_in_another_browser_the_code_or_the_link_leads_on(db):
    make_study()
    first, _response = come(prolific())
    place = Participation.objects.get(annotator__isnull=False)
    home = first.get("/").text
    code = home.split('<strong class="code">')[1].split("<")[0]
    link = home.split('id="own-link" type="text" readonly value="http://testserver')[1].split('"')[0]

    by_code, page = code_typed(code.upper().replace("-", " "))
    assert "Welcome back" in page.text
    response = by_code.post(page.redirect_chain[-1][0], {"agree": "yes"})
    by_link = Client()
    by_link.post(link)

    assert response["Location"] == url_of(place)
    for client in (by_code, by_link):
        assert client.get(url_of(place)).status_code == 200
        client.post("/account/logout/")
        assert come(prolific(session=6), client)[1]["Location"] == url_of(place)


def test_codes_are_guessed_only_so_often(db):
    cache.clear()
    make_study()
    come(prolific())
    right = resume_code(Guest.objects.get())
    ticket = Client().get(prolific())["Location"]
    pages = [Client().post(ticket, {"code": f"aaaa-bbbb-{number:04}"}) for number in range(browsers.CODES_AN_HOUR)]

    assert {page.status_code for page in pages} == {422}
    assert "Too many attempts" in Client().post(ticket, {"code": right}).text
    cache.clear()


def test_links_made_void_end_codes_and_browsers(db):
    make_study()
    client, _response = come(prolific())
    guest = Guest.objects.get()
    code = resume_code(guest)
    withdraw_resume_links(guest=guest, actor=None, now=NOON)

    assert "You started in another browser" in come(prolific(), client)[1].text
    assert code_typed(code)[1].status_code == 422


def test_data_are_downloaded_and_erased_only_with_the_code(db):
    make_study()
    client, _response = come(prolific())

    assert client.get("/account/data/file/")["Location"] == "/account/data/"
    assert "enter your code first" in client.get("/account/data/").text
    client.post("/account/data/", {"proof": "ERASE"})
    assert Guest.objects.exists()
    assert client.post("/account/data/", {"code": "x"}).status_code == 422
    client.post("/account/data/", {"code": resume_code(Guest.objects.get())})
    assert pid() in client.get("/account/data/file/").getvalue().decode()
    client.post("/account/data/", {"proof": "ERASE"})
    assert not Guest.objects.exists()


# signed addresses


def test_a_study_with_signed_addresses_takes_nobody_else(db, settings):
    settings.PUBLIC_URL = "https://semblance.example.org"
    make_study(signed=True)
    cache.clear()
    platform = Prolific()
    with running(platform):
        settings.PROLIFIC_API_URL = platform.url
        unsigned, forged = Client().get(prolific()), Client().get(prolific() + "&prolific_token=x.y.z")
        others = Client().get(prolific(number=2) + f"&prolific_token={platform.sign(pid(), sid())}")
        _first, response = come(prolific() + f"&prolific_token={platform.sign(pid(), sid())}")
        elsewhere, again = come(prolific() + f"&prolific_token={platform.sign(pid(), sid())}")

    assert [page.status_code for page in (unsigned, forged, others)] == [400] * 3
    assert "The address of this page has" in unsigned.text
    assert response["Location"] == again["Location"] == url_of(Participation.objects.get(annotator__isnull=False))
    assert elsewhere.get("/account/data/file/").status_code == 302


def test_a_ticket_from_before_does_not_get_round_the_signature(db):
    study = make_study()
    client = Client()
    ticket = client.get(prolific())["Location"]
    CrowdStudy.objects.filter(pk=study.pk).update(signed=True)

    assert client.post(ticket, {"agree": "yes"}).status_code == 400


def test_a_session_of_one_person_does_not_open_the_place_of_another(db):
    make_study()
    first, one = come(prolific())
    second, other = come(prolific(number=2))

    assert first.get(other["Location"]).status_code == second.get(one["Location"]).status_code == 404


def test_the_finished_page_leads_back_with_the_code(db):
    make_study()
    client, response = come(prolific())
    answer_all(Participation.objects.get(annotator__isnull=False))

    page = client.get(response["Location"]).text

    assert "https://app.prolific.com/submissions/complete?cc=DONE1" in page
    assert "Your completion code" not in page


def test_a_refusal_after_consent_changes_nothing(db):
    make_study()
    client, _response = come(prolific())

    _, again = come(prolific(), client, agree="no")

    assert again.status_code == 302
    assert CrowdSubmission.objects.count() == 1


def test_an_exclusion_gives_no_code(db):
    make_study()
    client, response = come(prolific())
    place = Participation.objects.get(annotator__isnull=False)
    exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)

    page = client.get(response["Location"]).text

    assert "return the study" in page
    assert "cc=" not in page


def test_the_second_study_leads_the_same_person_on(user):
    place, *_ = two_sessions(user)
    answer_session(place)
    Participation.objects.filter(pk=place.pk).update(rest_until=NOON.replace(year=2999))

    client, _response = code_typed(resume_code(Guest.objects.get()))
    early = client.get(prolific(SECOND, session=2), follow=True)
    _, response = come(prolific(SECOND, session=2), client)
    resting = client.get(response["Location"]).text
    Participation.objects.filter(pk=place.pk).update(rest_until=NOON)
    _, over = come(prolific(SECOND, session=2), client)

    assert "The next session is not open yet" in early.text
    assert "The next session is not open yet" in resting
    assert "The pause is over" in client.get(over["Location"]).text
    assert Client().get(prolific(SECOND, number=8), follow=True).status_code == 409


@pytest.mark.parametrize("query", ["", "PROLIFIC_PID={{%PROLIFIC_PID%}}", f"PROLIFIC_PID={pid()}&STUDY_ID={STUDY}"])
@pytest.mark.parametrize("key", ["project", "nothing"])
def test_missing_ids_are_told_whether_or_not_there_is_a_project(db, query, key):
    make_study()

    response = Client().get(f"/crowd/prolific/{key}/main/?{query}")

    assert (response.status_code, "is missing or wrong" in response.text) == (400, True)


def test_strangers_cannot_tell_a_project_that_takes_nobody_from_none(db):
    make_study()
    paths = {"unknown": prolific(key="nothing"), "other study": prolific(SECOND)}
    pages = {name: Client().get(path) for name, path in paths.items()}
    CrowdStudy.objects.update(open=False)
    pages["closed"] = Client().get(prolific(), follow=True)
    Project.objects.update(draft=True)
    pages["draft"] = Client().get(prolific())

    bodies = {page.text.split("<main")[1].split("</main>")[0] for page in pages.values()}
    assert {page.status_code for page in pages.values()} == {404}
    assert len(bodies) == 1


def test_a_ticket_that_was_changed_is_refused(db):
    assert Client().get("/crowd/enter/x/").status_code == 400


def test_a_full_round_is_told(db):
    make_study()
    for number in (1, 2, 3):
        come(prolific(number=number))

    client, response = come(prolific(number=4))

    assert (response.status_code, "All places" in response.text) == (400, True)
    assert "_auth_user_id" not in client.session


# Mechanical Turk


def turk_study(**values: object) -> CrowdStudy:
    return make_study(platform="mturk", study_id="", completion_code="", **values)


def test_the_preview_shows_a_sample_and_no_form(db):
    turk_study()

    page = Client().get(mturk("ASSIGNMENT_ID_NOT_AVAILABLE"))

    assert page.status_code == 200
    assert "First text of pair 1." in page.text
    assert "<form" not in page.text
    assert not Annotator.objects.exists()


def test_only_the_page_for_frames_can_be_framed_and_only_by_the_platform(db):
    turk_study()
    client = Client()
    framed, ordinary = client.get(mturk()), client.get("/")

    policy = framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com" in policy
    assert "'none'" not in policy.split("frame-ancestors")[1].split(";")[0]
    assert "form-action 'self' https://www.mturk.com" in policy
    assert (ordinary["X-Frame-Options"], "frame-ancestors 'none'" in ordinary["Content-Security-Policy"]) == (
        "DENY",
        True,
    )
    assert not framed.cookies


def test_the_frame_submits_when_everything_is_counted(db):
    turk_study()
    frame = Client()  # browsers give pages in foreign frames no cookies
    before = frame.get(mturk())
    enter = before.text.split('href="/crowd/enter/')[1].split('"')[0]
    tab = Client()
    response = tab.post(f"/crowd/enter/{enter}", {"agree": "yes"})
    place = Participation.objects.get(annotator__isnull=False)
    going = frame.get(mturk(), headers=HTMX)
    answer_all(place)
    done = frame.get(mturk(), headers=HTMX)

    assert "Open the task" in before.text
    assert "Continue the task" in going.text
    assert "<html" not in done.text
    assert f'action="{SANDBOX}/mturk/externalSubmit"' in done.text
    assert 'name="assignmentId" value="3ASSIGNMENT1"' in done.text
    code = done.text.split('name="code" value="')[1].split('"')[0]
    assert (len(code), code in tab.get(response["Location"]).text) == (8, True)


@pytest.mark.parametrize(
    "site",
    ["", "https://evil.example.org", "javascript:alert(1)", "https://www.mturk.com.evil.org", "http://www.mturk.com"],
)
def test_nothing_is_submitted_to_another_site(db, site):
    turk_study()
    frame = Client()
    enter = frame.get(mturk()).text.split('href="/crowd/enter/')[1].split('"')[0]
    Client().post(f"/crowd/enter/{enter}", {"agree": "yes"})
    answer_all(Participation.objects.get(annotator__isnull=False))

    page = frame.get(mturk(site=site)).text

    assert "<form" not in page
    assert "you can’t submit it here" in page


def test_the_frame_of_a_project_that_takes_nobody_is_that_of_none(db):
    turk_study(open=False)

    pages = [Client().get(url) for url in (mturk(), mturk().replace("project", "nothing"), mturk(session="x"))]

    assert {page.status_code for page in pages} == {404}
    assert len({page.text for page in pages}) == 1
    assert Client().get("/crowd/mturk/project/main/").status_code == 400


def test_who_knows_only_the_worker_learns_nothing_in_the_frame_and_gets_no_place(db):
    turk_study()
    enter = Client().get(mturk()).text.split('href="/crowd/enter/')[1].split('"')[0]
    Client().post(f"/crowd/enter/{enter}", {"agree": "yes"})
    answer_all(Participation.objects.get(annotator__isnull=False))

    frame = Client().get(mturk("3MADEUP0001"))
    enter = frame.text.split('href="/crowd/enter/')[1].split('"')[0]
    stranger = Client()
    page = stranger.post(f"/crowd/enter/{enter}", {"agree": "yes"})

    assert 'name="code"' not in frame.text
    assert "You started in another browser" in page.text
    assert "_auth_user_id" not in stranger.session


def test_a_task_is_bound_to_its_hit_where_that_is_named(db):
    turk_study()
    CrowdStudy.objects.update(study_id="3OTHEROTHER")
    assert Client().get(mturk()).status_code == 404

    CrowdStudy.objects.update(study_id=HIT)

    assert Client().get(mturk()).status_code == 200


def test_a_worker_who_left_is_told_to_return_the_task(db):
    turk_study()
    enter = Client().get(mturk()).text.split('href="/crowd/enter/')[1].split('"')[0]
    tab = Client()
    response = tab.post(f"/crowd/enter/{enter}", {"agree": "yes"})
    tab.post(response["Location"] + "leave/", {"reason": ""})

    assert "Please return it" in Client().get(mturk()).text
    assert client_of(Participation.objects.get(annotator__isnull=False).annotator.user).get("/").status_code == 200
