"""Projects made from a preset."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotation.domain.errors import Refusal
from annotation.models import AuditEntry, Membership, Project, User
from annotation.models.project import KEY_PATTERN
from annotation.protocols.errors import ProtocolError
from annotation.protocols.presets import preset
from annotation.protocols.settings import with_settings
from annotation.protocols.spec import Protocol
from annotation.protocols.storing import to_json
from annotation.queries import judgments_of

GUIDELINES = Path(__file__).resolve().parents[1] / "guidelines"


def create_project(
    *, key: str, preset_key: str, changes: Mapping[str, str] | None = None, title: str = "", **values: object
) -> Project:
    """A project with its own copy of a preset, some of its numbers changed, and guidelines to begin with.

    Raises:
        Refusal: a key that is taken or of the wrong form, an unknown preset or number, numbers that contradict.
    """
    if not re.fullmatch(KEY_PATTERN, key):
        raise Refusal(f"“{key}” cannot be a project's key: small letters, digits and hyphens, at most 50.")
    protocol = _protocol(preset_key, changes or {})
    texts = {"guidelines": _text(preset_key), "consent": _text("consent")}
    names = {"key": key, "title": title or key.replace("-", " "), "protocol_json": to_json(protocol)}
    project = Project(**texts | names | values)
    if project.seed < 0:
        raise Refusal("A seed is a whole number from 0 on.")
    try:
        project.clean_fields()
        with transaction.atomic():
            project.save(force_insert=True)
    except ValidationError as error:
        raise Refusal(" ".join(f"{name}: {' '.join(faults)}" for name, faults in error.message_dict.items())) from error
    except IntegrityError as error:
        raise Refusal(f"There is a project “{key}” already.") from error
    return project


def _protocol(preset_key: str, changes: Mapping[str, str]) -> Protocol:
    try:
        return with_settings(preset(preset_key), changes)
    except ProtocolError as error:
        raise Refusal(str(error)) from error


def _text(name: str) -> str:
    return (GUIDELINES / f"{name}.md").read_text(encoding="utf-8")


def add_member(*, project: Project, user: User, role: Membership.Role) -> Membership:
    """Gives an account a role in a project; managers may enter the administration pages."""
    membership, _ = Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})
    if role == Membership.Role.MANAGER and not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
    return membership


def log_changes(*, project: Project, fields: Sequence[str], actor: User, now: datetime) -> None:
    """Notes which fields of a project somebody changed."""
    if fields:
        AuditEntry.objects.create(
            project=project, actor=actor, action="project changed", details={"fields": list(fields)}, at=now
        )


@transaction.atomic
def change_protocol(*, project: Project, changes: Mapping[str, str]) -> Project:
    """Changes numbers of a project's protocol, as long as nobody has a place in a round.

    Places that were planned with the old numbers, and that nobody has taken, are removed.

    Raises:
        Refusal: there are judgments, or people with a place; or unknown numbers, or such as contradict.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if judgments_of(project).exists():
        raise Refusal("The first judgment is in: the protocol of this project no longer changes.")
    if project.participations.filter(annotator__isnull=False).exists():
        raise Refusal("Somebody has a place already, planned with the present numbers. Make a new project instead.")
    try:
        project.protocol_json = to_json(with_settings(project.protocol, changes))
    except ProtocolError as error:
        raise Refusal(str(error)) from error
    project.save(update_fields=["protocol_json"])
    project.participations.all().delete()
    project.plans.all().delete()
    del project.protocol  # the one of before, which the instance keeps
    return project
