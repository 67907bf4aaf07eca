"""New projects: their row, protocol, questions and owner."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.project.protocol_numbers import in_words
from annotation.models import Membership, Project, Question, User
from annotation.models.audit_actions import Action
from annotation.models.project import KEY_PATTERN
from annotation.presets.registration import Preset
from annotation.presets.registry import consent, preset
from annotation.protocols.errors import ProtocolError
from annotation.protocols.settings import setting_names, with_settings
from annotation.protocols.spec import Protocol
from annotation.protocols.storing import to_json
from annotation.protocols.wording import require_labels, with_changes, with_texts
from annotation.queries.judgments import judgments_of

RESERVED = {"new"}  # what stands in the place of a project's key in other addresses


@transaction.atomic
def create_project(
    *,
    key: str,
    protocol: Protocol,
    now: datetime,
    owner: User | None = None,
    title: str = "",
    questions: Sequence[Question] = (),
    **values: Any,
) -> Project:
    """Store a project with its own copy of a protocol, and log who created it.

    A project with an owner is a draft, which admits nobody before its launch; without an owner it is open at once. A
    copy for a rehearsal is not logged: it is deleted again, and its project's log has the rehearsal.

    Parameters: questions, new ones in order; values, further fields such as `language` and `guidelines`.

    Raises:
        Refusal: as `store_project`.
    """
    project = store_project(key=key, title=title, protocol=protocol, **{"draft": owner is not None} | values)
    for position, question in enumerate(questions, start=1):
        question.pk, question._state.adding = None, True
        question.project, question.position = project, position
    Question.objects.bulk_create(questions)
    if owner is not None:
        add_member(project=project, user=owner, role=Membership.Role.OWNER)
    if project.rehearsal_of_id is None:
        write_down(Action.PROJECT_CREATED, project, actor=owner, now=now, protocol=protocol.key)
    return project


def store_project(*, key: str, protocol: Protocol, title: str = "", **values: object) -> Project:
    """Store only the row of a project. Raise Refusal if its key is taken or malformed, or another value is invalid."""
    if not re.fullmatch(KEY_PATTERN, key):
        raise Refusal(
            _("“%(key)s” is not a valid project key. Use up to 50 lowercase letters, digits and hyphens.")
            % {"key": key}
        )
    if key in RESERVED:
        raise Refusal(_("The key “%(key)s” is reserved for Semblance's own URLs. Choose another key.") % {"key": key})
    names = {"key": key, "title": title or key.replace("-", " "), "protocol_json": to_json(protocol)}
    project = Project(**names | values)
    if project.seed < 0:
        raise Refusal(_("The random seed must be a whole number, 0 or greater."))
    try:
        project.clean_fields()
        with transaction.atomic():
            project.save(force_insert=True)
    except ValidationError as error:
        raise Refusal(" ".join(f"{name}: {' '.join(faults)}" for name, faults in error.message_dict.items())) from error
    except IntegrityError as error:
        raise Refusal(_("The key “%(key)s” is already taken. Choose another key.") % {"key": key}) from error
    return project


def preset_values(preset_key: str, changes: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a preset's values for `create_project`: its texts, and its protocol with some numbers and words changed.

    Raises:
        Refusal: an unknown preset or name, or numbers that contradict.
    """
    try:
        chosen = preset(preset_key)
        protocol = with_changes(chosen.protocol, changes or {})
    except ProtocolError as error:
        raise Refusal(in_words(error)) from error
    return {"protocol": protocol, **texts_to_begin_with(chosen)}


def texts_to_begin_with(preset: Preset) -> dict[str, str]:
    """Return the initial guidelines and consent of a preset's projects."""
    return {"guidelines": preset.guidelines(), "consent": consent()}


def add_member(*, project: Project, user: User, role: Membership.Role) -> Membership:
    """Give an account a role in a project."""
    return Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})[0]


def log_changes(*, project: Project, fields: Sequence[str], actor: User, now: datetime) -> None:
    """Log which fields of a project somebody changed."""
    if fields:
        write_down(Action.PROJECT_CHANGED, project, actor=actor, now=now, fields=list(fields))


@transaction.atomic
def change_protocol(*, project: Project, changes: Mapping[str, str], texts: Mapping[str, str] | None = None) -> Project:
    """Change numbers and words of a protocol, before the launch and as long as nobody has a place.

    After a change of numbers, all plans are removed, with their places and tuples, and so are waiting plans. A change
    of words alone leaves them as they are.

    Raises:
        Refusal: the project is launched, has judgments or people with a place; unknown or contradicting numbers; or an
            end of the scale moves and `texts` has no label for it.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if reason := why_frozen(project):
        raise Refusal(reason)
    try:
        protocol = with_settings(project.protocol, changes)
        require_labels(project.protocol, protocol, texts or {})
        project.protocol_json = to_json(with_texts(protocol, texts or {}))
    except ProtocolError as error:
        raise Refusal(in_words(error)) from error
    project.save(update_fields=["protocol_json"])
    if setting_names(protocol) != setting_names(project.protocol):
        remove_plans(project)
    del project.protocol  # the one of before, which the instance keeps
    return project


def why_frozen(project: Project) -> str:
    """Return why the protocol can no longer be changed; empty if it can."""
    if judgments_of(project).exists():
        return _("The protocol can't be changed any more because the project already has judgments.")
    if project.participations.filter(annotator__isnull=False).exists():
        return _(
            "The protocol can't be changed any more because an annotator already has a place. Create a "
            "new project instead."
        )
    if project.launched_at is not None:
        return _("The protocol can't be changed after launch. Copy the project to use other numbers.")
    return ""


def remove_plans(project: Project) -> None:
    """Delete all plans, with the places and tuples that they made; nobody may have one of the places."""
    project.participations.all().delete()
    project.tuples.all().delete()
    project.pooled_items.all().delete()
    project.plans.all().delete()
