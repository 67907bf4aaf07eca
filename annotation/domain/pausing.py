"""The whole project stands still for a while."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import require_reason, write_down
from annotation.models import Project, User


@transaction.atomic
def pause_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Nobody is shown a new screen any more. An answer to a screen that somebody has before them is still taken.

    Raises:
        Refusal: no reason given, or paused or closed already.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    require_reason(reason)
    if project.paused_at is not None:
        raise Refusal(_("The project is paused already."))
    if project.closed_at is not None:
        raise Refusal(_("The project is closed; there is nothing to pause."))
    project.paused_at = now
    project.save(update_fields=["paused_at"])
    write_down("project paused", project, reason=reason, actor=actor, now=now)
    return project


@transaction.atomic
def resume_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Everybody goes on where they were.

    Raises:
        Refusal: no reason given, or not paused.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    require_reason(reason)
    if project.paused_at is None:
        raise Refusal(_("The project is not paused."))
    since, project.paused_at = project.paused_at, None
    project.save(update_fields=["paused_at"])
    write_down("project resumed", project, reason=reason, actor=actor, now=now, since=since)
    return project
