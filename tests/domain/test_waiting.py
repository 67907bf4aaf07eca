"""What a worker does on its own: e-mail when a pause ends, imports that wait, a sign of life."""

import socket
from datetime import timedelta
from functools import partial

import pytest
from django.core.files.base import ContentFile

from annotation.domain.jobs.worker import SILENCE, beat_heart, worker_is_alive
from annotation.domain.messages.reminders import invite_the_seated, remind_the_rested
from annotation.domain.participation.lifecycle import begin_session, leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.overview import join_round
from annotation.models import Heartbeat, Item, ItemImport, Participation, Project
from tests.factories import NOON, add_pairs, answer_session, at_once, make_project, make_user, validation_round
from tests.jobs import LOST, SECOND, work_off

pytestmark = pytest.mark.postgres

END = NOON + timedelta(hours=72)
PAIRS = "id,sentence1,sentence2\np1,One.,Two.\np2,Three.,Four.\n"


def resting(name: str = "ann") -> Participation:
    return answer_session(validation_round(make_user(name), key=name))


def waiting_import(text: str = PAIRS, **values: object) -> ItemImport:
    project = Project.objects.first() or make_project()
    return ItemImport.objects.create(
        project=project, file=ContentFile(text.encode(), "pairs.csv"), name="pairs.csv", **values
    )


def outcome(job: ItemImport) -> tuple:
    job.refresh_from_db()
    return job.state, job.imported, job.problem, job.problems


def test_the_end_of_a_pause_is_told_once(db, mailoutbox, settings):
    settings.PUBLIC_URL = "https://semblance.example.org"
    participation = resting()

    told = [remind_the_rested(now) for now in (END - SECOND, END, END + SECOND)]

    assert told == [0, 1, 0]
    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("ann: you can start the next session", ["ann@example.org"])
    assert f"https://semblance.example.org/my-work/{participation.pk}/\n" in mail.body
    assert Participation.objects.get().reminded_at == END


def test_a_title_with_signs_is_written_as_it_is(db, mailoutbox):
    resting()
    Project.objects.update(title="Cats & dogs <1>")

    remind_the_rested(END)

    assert mailoutbox[0].subject.startswith("Cats & dogs <1>:")
    assert "“Cats & dogs <1>”" in mailoutbox[0].body


def going_on(participation: Participation) -> None:
    begin_session(participation_id=participation.pk, now=END)


def leaving(participation: Participation) -> None:
    leave(participation_id=participation.pk, reason="", now=NOON)


def without_address(participation: Participation) -> None:
    type(participation.annotator.user).objects.update(email="")


def without_account(participation: Participation) -> None:
    type(participation.annotator).objects.update(user=None, external_id="W1")


def closed(participation: Participation) -> None:
    Project.objects.update(closed_at=END)


@pytest.mark.parametrize("change", [going_on, leaving, without_address, without_account, closed])
def test_nobody_is_written_to_in_vain(db, mailoutbox, change):
    change(resting())

    assert (remind_the_rested(END), mailoutbox) == (0, [])


def test_a_project_that_closes_later_still_writes(db, mailoutbox):
    resting()
    Project.objects.update(closed_at=END + SECOND)

    assert (remind_the_rested(END), len(mailoutbox)) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_write_once(mailoutbox):
    for number in range(3):
        resting(f"ann{number}")

    told = at_once(*[partial(remind_the_rested, END)] * 4)

    assert sum(told) == 3
    assert sorted(mail.to for mail in mailoutbox) == [[f"ann{number}@example.org"] for number in range(3)]


def test_a_mail_server_that_fails_is_asked_again_later(db, mailoutbox, settings):
    resting()
    with socket.socket() as closed_port:
        closed_port.bind(("127.0.0.1", 0))
        settings.EMAIL_HOST, settings.EMAIL_PORT = closed_port.getsockname()
    in_memory, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "django.core.mail.backends.smtp.EmailBackend"
    assert remind_the_rested(END) == 0
    assert Participation.objects.get().reminded_at is None

    settings.EMAIL_BACKEND = in_memory

    assert (remind_the_rested(END + SECOND), len(mailoutbox)) == (1, 1)


def test_a_waiting_import_is_done_once(db):
    job = waiting_import()

    assert [work_off("import", NOON), work_off("import", NOON)] == [1, 0]
    assert outcome(job) == ("done", 2, "", [])
    assert (str(job), list(Item.objects.values_list("key", flat=True))) == ("pairs.csv", ["p1", "p2"])


@pytest.mark.parametrize(("age", "done"), [(LOST, 0), (LOST + SECOND, 1)])
def test_an_import_whose_worker_was_lost_is_done_again(db, age, done):
    waiting_import(state="running", attempts=1, heartbeat_at=NOON - age)

    assert (work_off("import", NOON), Item.objects.count()) == (done, 2 * done)


def test_a_refused_file_lists_its_problems_and_stops_no_other(db):
    bad = waiting_import("id,sentence1,sentence2\np1,One.,\n")
    good = waiting_import()

    assert work_off("import", NOON) == 2
    problem = {"line": 2, "column": "sentence2", "reason": "The value is missing."}
    assert outcome(bad) == ("failed", 0, "Nothing was imported: the file has 1 problem.", [problem])
    assert outcome(good) == ("done", 2, "", [])


def test_an_import_that_the_project_refuses_says_why(db):
    job = waiting_import("id,sentence1,sentence2\n")

    work_off("import", NOON)

    assert outcome(job) == ("failed", 0, "The file has no rows, so nothing was imported.", [])


def test_an_import_whose_file_is_gone_says_so_and_stops_no_other(db):
    lost, good = waiting_import(), waiting_import()
    lost.file.storage.delete(lost.file.name)

    assert work_off("import", NOON) == 2
    assert outcome(lost) == ("failed", 0, "The stored file can no longer be read. Upload it again.", [])
    assert outcome(good)[0] == "done"


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_import_once():
    jobs = [waiting_import(PAIRS.replace("p", f"p{number}-")) for number in range(3)]

    done = at_once(*[partial(work_off, "import", NOON)] * 4)

    assert sum(done) == 3
    assert [outcome(job) for job in jobs] == [("done", 2, "", [])] * 3
    assert Item.objects.count() == 6


@pytest.mark.parametrize(("age", "alive"), [(SECOND, True), (SILENCE, True), (SILENCE + SECOND, False)])
def test_a_worker_is_alive_as_long_as_its_heart_beats(db, age, alive):
    beat_heart(NOON - timedelta(days=1))
    beat_heart(NOON - age)

    assert worker_is_alive(NOON) is alive
    assert str(Heartbeat.objects.get()).startswith("worker 2026-03-02")


def test_without_a_heartbeat_no_worker_is_alive(db):
    assert not worker_is_alive(NOON)


def test_people_seated_because_of_an_earlier_round_are_invited_once(db, mailoutbox):
    participation = validation_round(make_user("ann"), key="news")
    Participation.objects.update(state="invited", invited_at=None, consented_at=None)

    told = [invite_the_seated(now) for now in (NOON, NOON + SECOND)]

    assert told == [1, 0]
    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("news: the next round is ready", ["ann@example.org"])
    assert f"/my-work/{participation.pk}/" in mail.body
    assert Participation.objects.get().invited_at == NOON


def test_whoever_came_by_the_link_is_not_invited(user, mailoutbox):
    project = make_project()
    add_pairs(project, 1)
    plan_round(project=project, round_key="main", people=2)
    join_round(project=project, round_key="main", user=user)

    assert (invite_the_seated(NOON), mailoutbox) == (0, [])


def test_an_import_that_breaks_says_so_and_is_not_tried_again(db, tmp_path):
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    job = waiting_import()
    ItemImport.objects.filter(pk=job.pk).update(file=str(folder))

    assert [work_off("import", NOON), work_off("import", NOON + LOST * 2)] == [1, 0]
    state, imported, problem, _problems = outcome(job)
    assert (state, imported) == ("failed", 0)
    assert problem.startswith("Something went wrong (")
