"""The pause of a whole project."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.models import Project, User
from annotation.models.audit_actions import Action


@transaction.atomic
def pause_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Show no new screens; accept answers to shown ones. Raise Refusal without a reason, or if paused or closed."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    require_reason(reason)
    if project.paused_at is not None:
        raise Refusal(_("The project is already paused."))
    if project.closed_at is not None:
        raise Refusal(_("The project is closed, so it can't be paused."))
    project.paused_at = now
    project.save(update_fields=["paused_at"])
    write_down(Action.PROJECT_PAUSED, project, reason=reason, actor=actor, now=now)
    return project


@transaction.atomic
def resume_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Let everybody continue where they were. Raise Refusal without a reason, or if the project is not paused."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    require_reason(reason)
    if project.paused_at is None:
        raise Refusal(_("The project is not paused."))
    since, project.paused_at = project.paused_at, None
    project.save(update_fields=["paused_at"])
    write_down(Action.PROJECT_RESUMED, project, reason=reason, actor=actor, now=now, since=since)
    return project
