"""Registering a plan: a draft, then a row that never changes, and a file that carries its own hash."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import Project, User
from scoring.domain.registrations.plans import Answers, plan_of
from scoring.models import Registration, RegistrationDraft
from scoring.models.audit_actions import ScoringAction
from scoring.summaries.registered.canonical import canonical, digest
from scoring.summaries.registered.questions import REQUIRED


def save_draft(*, project: Project, answers: Answers, now: datetime) -> None:
    """Store what is written for the next registration."""
    values = {"answers": answers.as_json(), "saved_at": now}
    RegistrationDraft.objects.update_or_create(project=project, defaults=values)


@transaction.atomic
def register_plan(*, project: Project, answers: Answers, actor: User | None, now: datetime) -> Registration:
    """Store and return the plan of a project with its number, its time and its hash, and log the hash.

    Raises:
        Refusal: the hypotheses or the planned analyses are missing, or nothing changed since the last registration.
    """
    if any(not answers.texts.get(name, "").strip() for name in REQUIRED):
        raise Refusal(
            _("Describe the hypotheses and the planned models and tests first. If there are none, write “None”.")
        )
    project = Project.objects.select_for_update().get(pk=project.pk)
    plan = plan_of(project, answers)
    last = project.registrations.order_by("-number").first()
    if last and _content(last.document) == json.loads(canonical(plan)):
        raise Refusal(_("Nothing has changed since registration %(number)s.") % {"number": last.number})
    number = last.number + 1 if last else 1
    text = canonical(plan | {"number": number, "registered_at": _utc(now)})
    values = {"number": number, "plan": text, "sha256": digest(text), "registered_at": now, "registered_by": actor}
    registration = Registration.objects.create(project=project, **values)
    details = {"registration": number, "registered_sha256": registration.sha256}
    write_down(ScoringAction.PLAN_REGISTERED, project, actor=actor, now=now, **details)
    return registration


def _content(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in ("number", "registered_at")}


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Verdict:
    """What is known here of an exported plan.

    registration: the one with its hash; None if there is none. contradicted: whether a registration of this project and
    number has another hash.
    """

    sha256: str
    registration: Registration | None
    contradicted: bool


def check_plan(document: Mapping[str, Any]) -> Verdict:
    """Return whether an exported plan is registered here."""
    sha256 = digest(canonical(document))
    known = Registration.objects.filter(project__key=str(document.get("project"))).select_related("project")
    found = known.filter(sha256=sha256).first()
    number = document.get("number")
    same = known.filter(number=number) if isinstance(number, int) else known.none()
    return Verdict(sha256, found, found is None and same.exists())


def is_intact(registration: Registration) -> bool:
    """Return whether a stored plan still has the hash that was registered, which the audit log has too."""
    entries = registration.project.audit_entries.filter(action=ScoringAction.PLAN_REGISTERED)
    logged = {entry["registration"]: entry["registered_sha256"] for entry in entries.values_list("details", flat=True)}
    return digest(registration.plan) == registration.sha256 == logged.get(registration.number)
