"""Changes of a project on its pages: settings, launch, closing and reopening."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.project.creation import change_protocol, log_changes
from annotation.models import Project, RoundPlan, User
from annotation.models.audit_actions import Action
from annotation.protocols.terms import Material
from annotation.queries.projects import done_plans

NOT_ENDED = (RoundPlan.State.WAITING, RoundPlan.State.RUNNING)


@transaction.atomic
def change_project(*, project: Project, values: Mapping[str, Any], actor: User, now: datetime) -> list[str]:
    """Change fields of a project, such as its guidelines, and return the names of those that differ now.

    Raises:
        Refusal: an invalid value, or another seed although there are plans, which were drawn by it.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    changed = [name for name, value in values.items() if getattr(project, name) != value]
    if "seed" in changed and done_plans(project).exists():
        raise Refusal(_("The random seed can't be changed any more because rounds have been planned with it."))
    for name in changed:
        setattr(project, name, values[name])
    try:
        project.clean_fields()
    except ValidationError as error:
        raise Refusal(" ".join(error.messages)) from error
    project.save(update_fields=changed)
    log_changes(project=project, fields=changed, actor=actor, now=now)
    return changed


@transaction.atomic
def change_numbers(
    *, project: Project, changes: Mapping[str, str], texts: Mapping[str, str], actor: User, now: datetime
) -> Project:
    """Change a protocol before its launch, and log who did. Raise Refusal as `change_protocol` does."""
    changed = change_protocol(project=project, changes=changes, texts=texts)
    if changed.protocol != project.protocol:
        write_down(Action.PROTOCOL_CHANGED, changed, actor=actor, now=now, numbers=dict(changes))
    return changed


def has_texts(project: Project) -> bool:
    """Return whether there is something to judge, or to select from."""
    incidents = project.protocol.material == Material.INCIDENTS
    return project.incidents.exists() if incidents else project.items.exists()


@transaction.atomic
def launch(*, project: Project, actor: User, now: datetime) -> Project:
    """Open a project to people; from now on its protocol cannot be changed.

    Raises:
        Refusal: it is launched already, has no texts, or its first round is not planned.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.launched_at is not None:
        raise Refusal(_("This project has already been launched."))
    if not has_texts(project):
        raise Refusal(_("There are no items yet. Import items first."))
    if project.plans.filter(state__in=NOT_ENDED).exists():
        raise Refusal(_("A plan is still being made. Launch the project when it is done."))
    if not done_plans(project).filter(round=project.protocol.rounds[0].key).exists():
        raise Refusal(_("There are no places yet. Plan the first round first."))
    project.launched_at, project.draft = now, False
    project.save(update_fields=["launched_at", "draft"])
    write_down(Action.PROJECT_LAUNCHED, project, actor=actor, now=now, protocol=project.protocol_json)
    return project


def may_take_back_launch(project: Project) -> bool:
    """Return whether the project is launched and nobody has a place yet."""
    return bool(project.launched_at) and not project.participations.filter(annotator__isnull=False).exists()


@transaction.atomic
def take_back_launch(*, project: Project, actor: User, now: datetime) -> Project:
    """Make a launched project a draft again, as long as nobody has a place.

    Raises:
        Refusal: it is not launched, or somebody has a place or has answered.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.launched_at is None:
        raise Refusal(_("This project has not been launched."))
    if not may_take_back_launch(project):
        raise Refusal(
            _(
                "The launch can't be undone because an annotator already has a place. Pause or close the "
                "project instead."
            )
        )
    project.launched_at, project.draft = None, True
    project.save(update_fields=["launched_at", "draft"])
    write_down(Action.LAUNCH_TAKEN_BACK, project, actor=actor, now=now)
    return project


@transaction.atomic
def close_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Stop accepting answers and people until it is reopened. Raise Refusal if it is closed or a draft."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is not None:
        raise Refusal(_("This project is already closed."))
    if project.draft:
        raise Refusal(_("This project has not been launched yet."))
    project.closed_at = now
    project.save(update_fields=["closed_at"])
    write_down(Action.PROJECT_CLOSED, project, reason=reason, actor=actor, now=now)
    return project


@transaction.atomic
def reopen_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Accept answers and people again. Raise Refusal if the project is not closed."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is None:
        raise Refusal(_("This project is already open."))
    project.closed_at = None
    project.save(update_fields=["closed_at"])
    write_down(Action.PROJECT_REOPENED, project, reason=reason, actor=actor, now=now)
    return project
