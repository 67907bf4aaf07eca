"""What a project has besides items, people and answers: links, a waiting list, studies, messages, jobs and logs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.files.base import ContentFile
from django.db.models import Model
from django.utils import timezone

from annotation.models import (
    Annotator,
    AuditEntry,
    Bonus,
    Broadcast,
    CrowdStudy,
    CrowdSubmission,
    Guest,
    InvitationLink,
    InvitedAddress,
    ItemImport,
    LinkUse,
    Mailing,
    Membership,
    Message,
    Participation,
    Project,
    ProlificStudy,
    Quota,
    User,
    WaitingPerson,
)
from annotation.models.audit_actions import Action
from annotation.models.security import SecurityEvent, SecurityKind
from scoring.models import Delivery, Event, Machine, Rehearsal, Webhook

BATCH = 5_000
SEVERAL = 50
"""At most so many of what people make by hand, such as links of their own, quotas and members."""


def surround(project: Project, rows: int) -> None:
    """Add rows of everything, or as many as there are people, or a few of what is made by hand."""
    people = list(project.participations.order_by("seat"))
    recruit(project, people, rows)
    add_studies(project, people)
    write_to(project, people, rows)
    add_jobs(project, rows)
    add_members(project, min(rows, SEVERAL))
    add_logs(project, people, rows)


def recruit(project: Project, people: list[Participation], rows: int) -> None:
    """Add links with their uses, invited addresses, a waiting list, quotas, and annotators without an account."""
    now, own, few = timezone.now(), {"project": project, "round": "main"}, min(rows, SEVERAL)
    links = store(InvitationLink, few, lambda at: {**own, "token": f"{project.key}-{at}", "note": f"Link {at}"})
    many(LinkUse, [{"link": links[at % few], "participation": one, "at": now} for at, one in enumerate(people)])
    personal = {**own, "kind": InvitationLink.Kind.PERSONAL}
    letters = store(InvitationLink, rows, lambda at: {**personal, "token": f"{project.key}-personal-{at}"})
    mailing = Mailing.objects.create(**own, state="done")
    sent = {**own, "mailing": mailing, "state": "sent", "sent_at": now}
    store(InvitedAddress, rows, lambda at: {**sent, "link": letters[at], "address": f"{at}@example.org"})
    store(WaitingPerson, rows, lambda at: {**own, "address": f"w{at}@example.org", "came_at": now})
    store(Quota, few, lambda at: {**own, "language": f"x-{at}", "most": 10})
    accounts = store(User, len(people), lambda at: {"username": f"guest-{project.key}-{at}"})
    guests = zip(people, accounts, strict=True)
    store(Guest, len(people), lambda at: {"project": project, "user": accounts[at], "nonce": f"{at}"})
    annotators = {one.annotator_id: user for one, user in guests}
    known = list(Annotator.objects.filter(pk__in=annotators))
    for annotator in known:
        annotator.user = annotators[annotator.pk]
    Annotator.objects.bulk_update(known, ["user"], batch_size=BATCH)


def add_studies(project: Project, people: list[Participation]) -> None:
    """Add a Prolific study in which everybody took part, with a bonus for each."""
    study = CrowdStudy.objects.create(
        project=project, round="main", platform="prolific", study_id=f"study-{project.key}", completion_code="C0DE"
    )
    ProlificStudy.objects.create(
        study=study, name="A study", description="Rate.", places=len(people), reward=900, minutes=45, status="ACTIVE"
    )
    now, of = timezone.now(), {"study": study}
    many(
        CrowdSubmission,
        [{**of, "participation": one, "submission_id": f"s{one.pk}", "came_at": now} for one in people],
    )
    paid = {**of, "amount": 1, "currency": "GBP", "reason": "Thanks", "key": "thanks"}
    many(Bonus, [{**paid, "participation": one} for one in people])


def write_to(project: Project, people: list[Participation], rows: int) -> None:
    """Add messages, each to everybody."""
    now, few, recipients = timezone.now(), min(rows, SEVERAL), [one.pk for one in people]
    texts = {"project": project, "text": "Thank you.", "recipients": recipients, "state": "done"}
    broadcasts = store(Broadcast, few, lambda at: {**texts, "key": UUID(int=at)})
    sent = {"text": "Thank you.", "sent_at": now, "mailed_at": now}
    many(Message, [{**sent, "broadcast": each, "participation": one} for each in broadcasts for one in people])


def add_jobs(project: Project, rows: int) -> None:
    """Add imports, webhooks with their deliveries, rehearsals and models."""
    few = min(rows, SEVERAL)
    file = ContentFile(b"id,sentence1,sentence2\n", f"{project.key}.csv")
    first = ItemImport.objects.create(project=project, file=file, name="items.csv", state="done", imported=1)
    store(
        ItemImport, few, lambda at: {"project": project, "file": first.file.name, "name": f"{at}.csv", "state": "done"}
    )
    hook = Webhook.objects.create(project=project, url=f"https://example.org/{project.key}", secret="secret")
    delivered = {"webhook": hook, "event": Event.FLAGGED, "payload": {}, "state": "done", "status": 200}
    store(Delivery, rows, lambda at: {**delivered, "key": f"{at}"})
    store(Rehearsal, few, lambda at: {"project": project, "state": "done", "results": {}})
    model = {"project": project, "round": "main", "url": "https://example.org/v1", "model": "m", "seed": 1}
    now = timezone.now()
    store(Machine, few, lambda at: {**model, "name": f"Model {at}", "created_at": now})


def add_members(project: Project, number: int) -> None:
    accounts = store(User, number, lambda at: {"username": f"{project.key}-{at}", "email": f"{at}@{project.key}.org"})
    store(Membership, number, lambda at: {"project": project, "user": accounts[at], "role": "researcher"})


def add_logs(project: Project, people: list[Participation], rows: int) -> None:
    """Add entries of the audit log and of the security log, a minute apart."""
    now = timezone.now()
    entry = {
        "project": project,
        "project_key": project.key,
        "action": Action.EXCLUDED,
        "by": "member",
        "reason": "Why.",
    }
    store(
        AuditEntry,
        rows,
        lambda at: {**entry, "participation": people[at % len(people)], "at": now - timedelta(minutes=at)},
    )
    event = {"kind": SecurityKind.SIGNED_IN, "project_key": project.key}
    store(SecurityEvent, rows, lambda at: {**event, "at": now - timedelta(minutes=at)})


def store(model: type[Model], number: int, values: Callable[[int], dict[str, Any]]) -> list[Any]:
    """Store rows whose values depend on their place, counted from 0."""
    return many(model, [values(at) for at in range(number)])


def many(model: type[Model], rows: list[dict[str, Any]]) -> list[Any]:
    return model._default_manager.bulk_create([model(**row) for row in rows], batch_size=BATCH)
