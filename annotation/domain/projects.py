"""Projects made from a preset."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import Membership, Project, User
from annotation.models.project import KEY_PATTERN
from annotation.protocols.errors import ProtocolError
from annotation.protocols.presets import preset
from annotation.protocols.settings import setting_names, with_settings
from annotation.protocols.spec import Protocol
from annotation.protocols.storing import to_json
from annotation.protocols.wording import with_texts
from annotation.queries import judgments_of

RESERVED = {"new"}  # what stands in the place of a project's key in other addresses
GUIDELINES = Path(__file__).resolve().parents[1] / "guidelines"


def create_project(
    *, key: str, preset_key: str, changes: Mapping[str, str] | None = None, title: str = "", **values: object
) -> Project:
    """A project with its own copy of a preset, some of its numbers changed, and guidelines to begin with.

    Raises:
        Refusal: a key that is taken or of the wrong form, an unknown preset or number, numbers that contradict.
    """
    protocol = _protocol(preset_key, changes or {})
    return store_project(key=key, protocol=protocol, title=title, **texts_to_begin_with(preset_key) | values)


def store_project(*, key: str, protocol: Protocol, title: str = "", **values: object) -> Project:
    """A project with a protocol of its own.

    Raises:
        Refusal: a key that is taken or of the wrong form, or another value that cannot be.
    """
    if not re.fullmatch(KEY_PATTERN, key):
        raise Refusal(
            _("“%(key)s” cannot be a project's key: small letters, digits and hyphens, at most 50.") % {"key": key}
        )
    if key in RESERVED:
        raise Refusal(_("“%(key)s” is a word of Semblance's own addresses; please choose another key.") % {"key": key})
    names = {"key": key, "title": title or key.replace("-", " "), "protocol_json": to_json(protocol)}
    project = Project(**names | values)
    if project.seed < 0:
        raise Refusal(_("A seed is a whole number from 0 on."))
    try:
        project.clean_fields()
        with transaction.atomic():
            project.save(force_insert=True)
    except ValidationError as error:
        raise Refusal(" ".join(f"{name}: {' '.join(faults)}" for name, faults in error.message_dict.items())) from error
    except IntegrityError as error:
        raise Refusal(_("There is a project “%(key)s” already.") % {"key": key}) from error
    return project


def _protocol(preset_key: str, changes: Mapping[str, str]) -> Protocol:
    try:
        return with_settings(preset(preset_key), changes)
    except ProtocolError as error:
        raise Refusal(str(error)) from error


def texts_to_begin_with(preset_key: str) -> dict[str, str]:
    """The guidelines that a preset comes with, and the consent."""
    return {"guidelines": _text(preset_key), "consent": _text("consent")}


def _text(name: str) -> str:
    return (GUIDELINES / f"{name}.md").read_text(encoding="utf-8")


def add_member(*, project: Project, user: User, role: Membership.Role) -> Membership:
    """Gives an account a role in a project; its owners and managers may enter the administration pages."""
    membership, _ = Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})
    if role != Membership.Role.RESEARCHER and not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
    return membership


def log_changes(*, project: Project, fields: Sequence[str], actor: User, now: datetime) -> None:
    """Notes which fields of a project somebody changed."""
    if fields:
        write_down("project changed", project, actor=actor, now=now, fields=list(fields))


@transaction.atomic
def change_protocol(*, project: Project, changes: Mapping[str, str], texts: Mapping[str, str] | None = None) -> Project:
    """Changes numbers and words of a project's protocol, before its launch and as long as nobody has a place.

    Places and tuples that were planned with the old numbers, and that nobody has taken, are removed, and so are plans
    that wait for a worker. Words alone leave them as they are.

    Raises:
        Refusal: launched; there are judgments, or people with a place; or unknown numbers, or such as contradict.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if reason := why_frozen(project):
        raise Refusal(reason)
    try:
        protocol = with_settings(project.protocol, changes)
        project.protocol_json = to_json(with_texts(protocol, texts or {}))
    except ProtocolError as error:
        raise Refusal(str(error)) from error
    project.save(update_fields=["protocol_json"])
    if setting_names(protocol) != setting_names(project.protocol):
        _remove_plans(project)
    del project.protocol  # the one of before, which the instance keeps
    return project


def why_frozen(project: Project) -> str:
    """Why the protocol no longer changes; nothing if it may."""
    if judgments_of(project).exists():
        return "The first judgment is in: the protocol of this project no longer changes."
    if project.participations.filter(annotator__isnull=False).exists():
        return "Somebody has a place already, planned with the present numbers. Make a new project instead."
    if project.launched_at is not None:
        return _(
            "The project is launched: its protocol no longer changes. A copy of the project can have other numbers."
        )
    return ""


def _remove_plans(project: Project) -> None:
    project.participations.all().delete()
    project.tuples.all().delete()
    project.plans.all().delete()
