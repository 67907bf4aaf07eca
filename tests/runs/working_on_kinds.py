"""A job of every kind, small, for a worker that will be killed in the middle of it."""

from datetime import UTC, datetime
from uuid import uuid4

from django.core.files.base import ContentFile

from annotation.domain.jobs.engine import complete
from annotation.domain.jobs.kinds import kind_of
from annotation.domain.material.jobs import request_import
from annotation.domain.messages.broadcasts import recipients_of, request_broadcast
from annotation.domain.planning.jobs import request_plan
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.crowd.bonuses import plan_bonuses, planned_total
from annotation.domain.recruiting.crowd.payment import order_payment
from annotation.domain.recruiting.links import places_of
from annotation.domain.recruiting.mailings import invite_addresses
from annotation.models import Project, User
from scoring.domain.monitoring.statistics import request_statistics
from scoring.domain.notifications.events import emit
from scoring.domain.rehearsals.jobs import request_rehearsal
from scoring.domain.runs.starting import start_run
from scoring.domain.webhooks.addresses import add_webhook
from scoring.models import Event
from tests.crowds import arrive, fill_wallet, make_study, pid
from tests.factories import NOON, add_pairs, make_project, make_user

NOT_YET = datetime(2099, 1, 1, tzinfo=UTC)
ITEMS, PEOPLE = 4000, 300


def queue_each(listener: str) -> None:
    """Print the kind, the table and the id of each job; none begins before somebody lets it."""
    boss = make_user("boss", is_superuser=True)
    answered = Project.objects.get(key="project")
    jobs = [
        an_import(boss),
        a_plan(boss),
        statistics(answered),
        request_rehearsal(project=answered, people=None, seed=1, actor=boss),
        complete(start_run(project=answered, actor=boss, parameters={"splits": 20, "replicates": 20})).rendering,
        a_broadcast(boss),
        a_mailing(boss),
        a_payment(boss),
        a_delivery(answered, listener),
    ]
    for job in jobs:
        type(job).objects.filter(pk=job.pk).update(not_before=NOT_YET)
        print(kind_of(job).key, type(job)._meta.db_table, job.pk)


def an_import(boss: User):
    rows = "".join(f"p{number},One {number}.,Two {number}.\n" for number in range(ITEMS))
    file = ContentFile(f"id,sentence1,sentence2\n{rows}".encode(), "pairs.csv")
    return request_import(project=make_project(key="import"), file=file, actor=boss)


def a_plan(boss: User):
    project = make_project("semrel", "plan")
    add_pairs(project, 200)
    return request_plan(project=project, round_key="main", people=None, calibration=[], actor=boss)


def statistics(project: Project):
    request_statistics(project, NOON)
    return project.statistics


def a_broadcast(boss: User):
    project = make_project(key="broadcast")
    places = [
        project.participations.create(
            round="main", seat=seat, state="active", annotator=project.annotators.create(pseudonym=f"P{seat:03}")
        )
        for seat in range(1, PEOPLE + 1)
    ]
    recipients = recipients_of(project, audience="chosen", chosen=[place.pk for place in places])
    return request_broadcast(project=project, key=uuid4(), text="Hello.", recipients=recipients, actor=boss, now=NOON)


def a_mailing(boss: User):
    project = make_project(key="mailing")
    (round_key, pool) = next(iter(places_of(project)))
    rows = [Row(f"person{number}@example.org") for number in range(PEOPLE)]
    return invite_addresses(project=project, round_key=round_key, pool=pool, rows=rows, actor=boss, now=NOON)


def a_payment(boss: User):
    project = make_project(key="payment")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=3)
    study = make_study(project)
    fill_wallet(project)
    arrive(study, 1)
    plan_bonuses(study=study, lines=f"{pid(1)},1.50", currency="GBP", reason="Well done", actor=boss, now=NOON)
    return order_payment(study=study, total=planned_total(study), actor=boss, now=NOON)


def a_delivery(project: Project, listener: str):
    hook = add_webhook(project=project, url=listener, events=[Event.RUN_FINISHED], actor=None, now=NOON)
    emit(project=project, event=Event.RUN_FINISHED, key="1", payload={}, now=NOON)
    return hook.deliveries.get()
