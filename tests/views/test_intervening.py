"""The pages on which managers step in, the log, members and a person's own data."""

import csv
import json
from io import StringIO
from urllib.parse import quote

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.domain.account.installation import setup_code, setup_link
from annotation.domain.account.tokens import make_token
from annotation.domain.messages.messages import mail_messages, send_message
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.project.pause import pause_project
from annotation.domain.recruiting.overview import annotator_for
from annotation.models import AuditEntry, MemberInvitation, Membership, Message, Participation, Project, User
from scoring.domain.exclusion.preview import Loss, Takeover, changes_by_exclusion, loss_by_exclusion
from tests.crowds import arrive, make_study, pid
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import (
    NOON,
    PASSWORD,
    add_pairs,
    answer_all,
    join,
    make_project,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
    select_next,
    selection_round,
)
from tests.views.sending import client_of, rating, url_of

Role = Membership.Role


@pytest.fixture
def place(user) -> Participation:
    return rating_round(user)


def client_with(role: str, project: Project) -> Client:
    account = make_user(role)
    add_member(project=project, user=account, role=Role(role))
    return client_of(account)


def step_in(client: Client, place: Participation, action: str, **fields: str):
    return client.post(f"/projects/project/people/{place.pk}/do/{action}/", fields)


# one person


def test_a_message_is_written_and_read(place, user):
    client = client_with("manager", place.project)

    response = step_in(client, place, "message", text="Please read 3.2.")

    assert response["Location"] == f"/projects/project/people/{place.pk}/"
    assert (mail_messages(NOON), mail.outbox[0].to) == (1, ["ann@example.org"])
    person = client_of(user)
    assert "Please read 3.2." in person.get(url_of(place)).text
    person.post(url_of(place, f"messages/{Message.objects.get().pk}/read/"))
    assert "Please read 3.2." not in person.get(url_of(place)).text


def test_a_message_stays_while_the_person_answers(place, user):
    send_message(participation_id=place.pk, text="Please read 3.2.", actor=user, now=NOON)

    page = client_of(user).post(url_of(place), rating(present_screen(place)), headers={"HX-Request": "true"})

    assert "Please read 3.2." in page.text


def test_a_place_is_given_on_and_the_person_taken_back_in(place):
    client = client_with("manager", place.project)

    step_in(client, place, "give-on", reason="Idle.")
    assert reread(place).state == "left"
    step_in(client, place, "restore", reason="They are back.")

    assert reread(place).state == "active"
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "actor__username")) == [
        ("given on", "manager"),
        ("restored", "manager"),
    ]


def test_a_deadline_is_set_in_the_managers_zone_and_shown(place, user):
    client = client_with("manager", place.project)
    client.cookies["time_zone"] = "Asia/Kathmandu"

    step_in(client, place, "deadline", due_at="2100-01-01T12:00", closes="on", reason="The end.")

    assert reread(place).due_at.isoformat() == "2100-01-01T06:15:00+00:00"
    page = client_of(user).get(url_of(place))
    assert "2100-01-01T06:15:00+00:00" in page.text and "no new screens are shown" in page.text


@pytest.mark.parametrize(
    ("action", "fields", "fault"),
    [
        ("give-on", {"reason": ""}, "This field is required."),
        ("message", {"text": " "}, "This field is required."),
        ("restore", {"reason": "x"}, "Only annotators who left"),
        ("shorten", {"reason": "x", "until": "2100-01-01T12:00"}, "Only a pause in progress"),
        ("deadline", {"reason": "x", "due_at": "2000-01-01T12:00"}, "in the past"),
    ],
)
def test_what_is_refused_says_why_and_does_nothing(place, action, fields, fault):
    client = client_with("manager", place.project)

    page = step_in(client, place, action, **fields)

    assert (page.status_code, fault in page.text) == (422, True)
    assert not AuditEntry.objects.exists()


def test_there_is_no_other_intervention(place):
    client = client_with("manager", place.project)

    assert client.get(f"/projects/project/people/{place.pk}/do/nothing/").status_code == 404
    assert client.get("/projects/project/control/nothing/").status_code == 404


# erasing


def test_an_owner_finds_and_erases_a_person_of_a_crowd(db):
    place = arrive(make_study())
    path = f"/projects/project/people/{place.pk}/"
    owner = client_with("owner", place.project)
    assert f"{path}erase/" in owner.get(path).text
    assert f"{path}erase/" not in client_with("manager", place.project).get(path).text

    refused = owner.post(f"{path}erase/", {"reason": "They asked for it."})
    done = owner.post(f"{path}erase/", {"reason": "They asked for it.", "sure": "on"}, follow=True)

    assert (refused.status_code, done.redirect_chain) == (422, [(path, 302)])
    assert pid() not in done.text and reread(place).annotator.pseudonym in done.text
    assert f"{path}exclude/" in done.text and f"{path}do/message/" not in done.text
    assert AuditEntry.objects.get(action="person erased").actor.username == "owner"


# excluding


def test_an_exclusion_shows_first_what_it_does(place, user):
    other = join(place.project, "main", make_user("other"))
    answer_all(place)
    while present_screen(other).position < 4:
        rate_next(other, "4")
    rate_next(other, "1")
    client = client_with("manager", place.project)

    page = client.get(f"/projects/project/people/{place.pk}/exclude/")
    whole = client.get(f"/projects/project/people/{place.pk}/exclude/effect/")
    part = client.get(f"/projects/project/people/{place.pk}/exclude/effect/", headers={"HX-Request": "true"})

    (change,) = whole.context["changes"]
    assert page.context["loss"] == Loss(judgments=4, short=4, pairs=0)
    assert "/exclude/effect/" in page.text and "changes" not in page.context
    # Means of 2 and 4 are 3, of 2 and 1 1.5: they become 4 and 1.
    assert (change.changed, change.lost, change.mean, change.largest, change.after) == (4, 0, 0.875, 1.0, None)
    assert "<html" in whole.text and "0.875" in whole.text and 'name="reason"' in whole.text
    assert "<html" not in part.text and "0.875" in part.text and "/exclude/effect/" not in part.text
    assert reread(place).state == "finished"
    client.post(f"/projects/project/people/{place.pk}/exclude/", {"reason": "Careless."})
    assert reread(place).state == "excluded"
    again = client.post(f"/projects/project/people/{place.pk}/exclude/", {"reason": "Careless."})
    assert (again.status_code, "already excluded from the round" in again.text) == (422, True)
    assert again.context["loss"] == Loss(judgments=0, short=0, pairs=0)


def takeover_shown(client: Client, place: Participation) -> tuple[Takeover | None, str]:
    page = client.get(f"/projects/project/people/{place.pk}/exclude/")
    return page.context["takeover"], " ".join(page.text.split())


def test_an_exclusion_shows_first_who_takes_over(place):
    client = client_with("manager", place.project)
    for _ in range(3):
        rate_next(place)
    assert takeover_shown(client, place)[0] == Takeover(screens=4, place=None, taken=False)

    leave(participation_id=place.pk, reason="", now=NOON)
    takeover, page = takeover_shown(client, place)
    made = reread(place).refill
    assert takeover == Takeover(screens=3, place=made.seat, taken=False)
    assert f"Place {made.seat}, opened when this annotator left. It is still free." in page

    Participation.objects.filter(pk=made.pk).update(annotator=annotator_for(place.project, external_id="new"))
    takeover, page = takeover_shown(client, place)
    assert takeover == Takeover(screens=3, place=made.seat, taken=True)
    assert f"A new free place. Place {made.seat}, opened when this annotator left, is already taken. It stays" in page

    exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)
    assert takeover_shown(client, place)[0] is None


def test_the_only_judgments_of_an_item_leave_it_without_a_score(place):
    answer_all(place)

    (change,) = changes_by_exclusion(reread(place))

    assert (change.changed, change.lost, change.mean) == (0, 4, None)


def test_the_effect_on_choices_is_that_on_their_scores(db):
    project = best_worst_project(places=2, main__people="2")
    one, two = at_work(project, "one", "two")
    for _ in range(6):
        choose_first(one)
        choose_first(two)

    (change,) = changes_by_exclusion(reread(one))

    assert loss_by_exclusion(reread(one)) == Loss(judgments=6, short=6, pairs=0)
    assert (change.choices, change.context) == (True, "")
    assert change.before is not None


def test_the_effect_on_a_selection_is_its_pairs(user):
    participation = selection_round(user)
    select_next(participation)

    loss, changes = (found(reread(participation)) for found in (loss_by_exclusion, changes_by_exclusion))

    assert (loss, changes) == (Loss(judgments=1, short=1, pairs=3), ())


# the project


def test_a_project_is_paused_and_goes_on(place, user):
    client = client_with("manager", place.project)

    client.post("/projects/project/control/pause/", {"reason": "A fault."})
    assert "paused until further notice" in client_of(user).get(url_of(place)).text
    assert "/control/resume/" in client.get("/projects/project/control/").text
    client.post("/projects/project/control/resume/", {"reason": "Mended."})

    assert "paused until further notice" not in client_of(user).get(url_of(place)).text


def test_an_answer_sent_over_a_pause_is_told_that_it_is_saved(place, user):
    client = client_of(user)
    client.get(url_of(place))
    screen = present_screen(place)
    pause_project(project=place.project, reason="A fault.", actor=user, now=screen.shown_at)

    response = client.post(url_of(place), rating(screen), headers={"HX-Request": "true"})

    assert response.status_code == 200 and "X-Saved" in response.headers
    assert "paused until further notice" in response.text


def test_items_are_asked_for_again_and_withdrawn(place):
    client = client_with("manager", place.project)

    fields = {"round": "main/raters", "keys": "p1, p2\np1", "further": "2", "reason": "Disputed."}
    client.post("/projects/project/control/more/", fields)
    client.post("/projects/project/control/withdraw/", {"keys": "p3", "reason": "Broken."})

    assert place.project.participations.count() == 4
    assert "p3" in client.get("/projects/project/control/").text
    page = client.post("/projects/project/control/withdraw/", {"keys": "p99", "reason": "Broken."})
    assert (page.status_code, "no item “p99”" in page.text) == (422, True)


def test_of_several_pools_the_one_that_is_named_gets_the_further_places(db):
    project = make_project("dscs")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main")
    before = project.participations.filter(pool="crowd").count()
    client = client_with("manager", project)

    page = client.get("/projects/project/control/more/?keys=p1").text
    fields = {"round": "main/crowd", "keys": "p1", "further": "2", "reason": "Disputed."}
    client.post("/projects/project/control/more/", fields)

    assert 'value="main/students"' in page and ">\np1</textarea>" in page
    assert project.participations.filter(pool="crowd").count() == before + 2


def test_a_round_gets_a_deadline(place):
    client = client_with("manager", place.project)

    fields = {"round": "main", "due_at": "2100-01-01T12:00", "reason": "The end."}
    client.post("/projects/project/control/deadline/", fields)

    assert set(Participation.objects.values_list("due_at__year", flat=True)) == {2100}


# the log


def logged(project: Project, number: int, **values: object) -> None:
    for index in range(number):
        AuditEntry.objects.create(project=project, action="something", reason=f"=no {index}", at=NOON, **values)


def test_the_log_is_filtered_by_what_whom_who_and_when(place, user):
    logged(place.project, 1, actor=user)
    step_in(client := client_with("manager", place.project), place, "give-on", reason="Idle.")

    def shown(query: str) -> list[str]:
        return [entry.action for entry in client.get(f"/projects/project/log/?{query}").context["entries"]]

    assert shown("") == ["given on", "something"]
    assert shown("action=something") == ["something"]
    assert shown(f"person={place.annotator.pseudonym}") == shown("person=ANN@example.org") == ["given on"]
    assert shown(f"actor=account-{user.pk}") == ["something"]
    assert shown("actor=system") == []
    assert shown("since=2026-03-03") == ["given on"]
    assert shown("until=2026-03-02") == ["something"]
    assert shown("action=nothing&since=never&page=99") == ["given on", "something"]


def test_the_log_has_pages_of_a_constant_number_of_queries(place):
    client, numbers = client_with("manager", place.project), []
    for rows in (3, 120):
        logged(place.project, rows, participation=place, details={"member": place.annotator.user_id})
        with CaptureQueriesContext(connection) as queries:
            page = client.get("/projects/project/log/")
        numbers.append(len(queries))

    assert numbers[0] == numbers[1]
    assert len(page.context["entries"]) == 50 and "Page 1 of 3" in page.text


def test_the_log_comes_as_files(place, user):
    logged(place.project, 2, actor=user, participation=place, details={"place": 3})
    client = client_with("manager", place.project)

    table = list(csv.DictReader(StringIO(client.get("/projects/project/log.csv").getvalue().decode())))
    lines = [json.loads(line) for line in client.get("/projects/project/log.jsonl").getvalue().splitlines()]

    assert [row["reason"] for row in table] == ["'=no 1", "'=no 0"]
    assert [row["reason"] for row in lines] == ["=no 1", "=no 0"]
    assert lines[0] == {
        "at": "2026-03-02T12:00:00Z",
        "action": "something",
        "place": "main place 1",
        "person": place.annotator.pseudonym,
        "by": "member",
        "actor": "ann@example.org",
        "reason": "=no 1",
        "details": {"place": 3},
    }
    assert client.get("/projects/project/log.exe").status_code == 404


# members


def test_an_owner_invites_changes_and_removes_members(user):
    project = make_project()
    client = client_with("owner", project)

    page = client.post("/projects/project/members/", {"email": "ann@example.org", "role": "manager"}, follow=True)
    assert "The invitation has been sent." in page.text
    link = page.text.split('value="http://localhost:8000/members/')[1].split('"')[0]
    client_of(user).post(f"/members/{link}")
    member = project.memberships.get(user=user)
    client.post(f"/projects/project/members/{member.pk}/", {"role": "researcher"})
    assert project.memberships.get(user=user).role == "researcher"
    client.post(f"/projects/project/members/{member.pk}/remove/")
    assert not project.memberships.filter(user=user).exists()
    owner = project.memberships.get()
    page = client.post(f"/projects/project/members/{owner.pk}/remove/", follow=True)
    assert "A project needs an owner" in page.text


def test_where_no_email_is_sent_the_owner_passes_the_link_on(db, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    client = client_with("owner", make_project())

    page = client.post("/projects/project/members/", {"email": "ann@example.org", "role": "manager"}, follow=True)

    assert "pass it on yourself" in page.text


def test_an_invitation_works_after_signing_up(db):
    project = make_project()
    make_user("somebody")
    owner = client_with("owner", project)

    owner.post("/projects/project/members/", {"email": "new@example.org", "role": "researcher"})
    (letter,) = mail.outbox
    link = next(line for line in letter.body.splitlines() if "/members/" in line).removeprefix("http://localhost:8000")
    newcomer = Client()
    assert newcomer.get(link)["Location"] == f"/account/login/?next={quote(link)}"
    newcomer.post("/account/signup/", {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD})
    newcomer.post("/account/login/", {"login": "new@example.org", "password": PASSWORD})
    assert "researcher" in newcomer.get(link).text.lower()
    newcomer.post(link)

    assert project.memberships.get(role="researcher").user.email == "new@example.org"
    assert newcomer.get("/projects/project/runs/").status_code == 200
    assert newcomer.get(link).status_code == 404


def test_an_invitation_is_withdrawn(db):
    project = make_project()
    owner = client_with("owner", project)
    owner.post("/projects/project/members/", {"email": "new@example.org", "role": "manager"})

    owner.post(f"/projects/project/members/invited/{MemberInvitation.objects.get().pk}/withdraw/")

    assert not MemberInvitation.objects.exists()


def test_an_owner_who_steps_down_is_led_home(user):
    project = make_project()
    client = client_with("owner", project)
    add_member(project=project, user=user, role=Role.OWNER)
    own = project.memberships.exclude(user=user).get()

    response = client.post(f"/projects/project/members/{own.pk}/", {"role": "researcher"})

    assert response["Location"] == "/"


def test_a_second_factor_is_asked_for_on_pages_and_over_the_api(db):
    project = make_project()
    owner, manager = client_with("owner", project), client_with("manager", project)
    _, key = make_token(user=User.objects.get(username="manager"))
    page = owner.post("/projects/project/members/second-factor/", {"required": "on"}, follow=True)
    assert "your own account first" in page.text

    Authenticator.objects.create(
        user=User.objects.get(username="owner"), type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    owner.post("/projects/project/members/second-factor/", {"required": "on"})

    assert owner.get("/projects/project/").status_code == 200
    assert manager.get("/projects/project/")["Location"] == "/account/2fa/totp/activate/"
    refused = Client().get("/api/v1/projects/project/items/", headers={"Authorization": f"Token {key}"})
    assert (refused.status_code, refused.headers["Content-Type"]) == (403, "application/problem+json")
    assert "two-factor authentication" in refused.json()["detail"]
    Authenticator.objects.create(
        user=User.objects.get(username="manager"), type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    assert manager.get("/projects/project/").status_code == 200


def test_a_project_is_deleted_by_its_owner(db):
    client = client_with("owner", make_project())

    page = client.post("/projects/project/delete/", {"typed": "x", "reason": "A trial."})
    assert (page.status_code, Project.objects.count()) == (422, 1)
    client.post("/projects/project/delete/", {"typed": "project", "reason": "A trial."})
    assert not Project.objects.exists()


# the account


def test_own_data_are_taken_along_and_erased(place, user):
    client = client_of(user)

    file = client.get("/account/data/file/")
    wrong = client.post("/account/data/", {"proof": "wrong"})
    done = client.post("/account/data/", {"proof": PASSWORD}, follow=True)

    assert json.loads(file.getvalue())["account"]["email"] == "ann@example.org"
    assert (wrong.status_code, "Nothing was erased" in wrong.text) == (422, True)
    assert "Your account has been erased" in done.text
    assert not User.objects.filter(username="ann").exists()


def test_without_a_password_the_word_is_typed(place, user):
    user.set_unusable_password()
    user.save()
    client = client_of(user)

    client.post("/account/data/", {"proof": "ERASE"})

    assert not User.objects.filter(username="ann").exists()


def test_the_only_owner_is_told_what_to_do_first(user):
    add_member(project=make_project(), user=user, role=Role.OWNER)
    client = client_of(user)

    page = client.post("/account/data/", {"proof": PASSWORD})

    assert (page.status_code, "only owner" in page.text, User.objects.count()) == (422, True, 1)


FIRST = {"email": "first@example.org", "password1": PASSWORD, "password2": PASSWORD}


FORWARDED = {"Host": "127.0.0.1", "X-Forwarded-For": "203.0.113.9"}


@pytest.mark.parametrize("headers", [FORWARDED, {"Host": "127.0.0.1"}, {"Host": "localhost:8000"}])
def test_a_stranger_who_signs_up_first_administers_nothing(db, headers):
    Client().post("/account/signup/", FIRST, headers=headers)

    assert not User.objects.get().is_superuser


def test_the_link_of_the_server_makes_the_administrator_once(db):
    path = setup_link("http://localhost:8000").removeprefix("http://localhost:8000")
    client = Client()
    page = client.get(path).text
    assert "becomes the administrator of this installation" in page
    assert f'value="{setup_code()}"' in page
    assert "becomes the administrator" not in Client().get("/account/signup/").text

    wrong = Client().post("/account/signup/", FIRST | {"setup_code": "x"})
    assert (wrong.status_code, User.objects.count()) == (200, 0)
    client.post("/account/signup/", FIRST | {"setup_code": setup_code()})

    assert User.objects.get().is_superuser
    assert client.get("/admin/").status_code == 200
    assert "Setup code" not in Client().get(path).text
    assert setup_link("http://localhost:8000") == ""
