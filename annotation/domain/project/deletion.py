"""Deletion of a project with everything but its log, which keeps that there was one."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from django.core.files.storage import Storage
from django.db import transaction
from django.db.models import FileField, ProtectedError, RestrictedError
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.models import Assignment, Judgment, Project, User
from annotation.models.audit_actions import Action


@transaction.atomic
def delete_project(*, project: Project, typed: str, reason: str, actor: User, now: datetime) -> None:
    """Delete a project for good.

    Parameters: typed, the key of the project, as the person typed it.

    Raises:
        Refusal: no reason, another key, or something that has to stay: a release that others may cite, or a paid bonus.
    """
    require_reason(reason)
    project = Project.objects.select_for_update().get(pk=project.pk)
    if typed.strip() != project.key:
        raise Refusal(_("Type the key of the project, %(key)s, to delete it.") % {"key": project.key})
    write_down(Action.PROJECT_DELETED, project, reason=reason, actor=actor, now=now, title=project.title)
    try:
        with transaction.atomic():
            remove(project)
    except (ProtectedError, RestrictedError) as error:
        raise Refusal(
            _(
                "This project can't be deleted because it has releases, which others may cite, or paid "
                "bonuses. Close it instead."
            )
        ) from error


def remove(project: Project) -> None:
    """Delete answers, people and texts in this order, as they protect each other from being deleted one by one.

    The files of imports, uploads and runs are deleted once the rows are gone for good.
    """
    for storage, name in list(_files_of(project)):
        transaction.on_commit(partial(storage.delete, name))
    Judgment.objects.filter(assignment__participation__project=project).delete()
    Assignment.objects.filter(participation__project=project).delete()
    project.participations.update(validates=None, replaces=None)
    project.participations.all().delete()
    project.annotators.all().delete()
    project.tuples.all().delete()
    project.pooled_items.all().delete()
    project.items.all().delete()
    project.delete()


def _files_of(project: Project) -> Iterator[tuple[Storage, str]]:
    """Yield the files that rows of the project name, of whichever app, with the storage that has them."""
    for relation in Project._meta.related_objects:
        rows = relation.related_model._base_manager.filter(**{relation.field.name: project})
        for field in relation.related_model._meta.concrete_fields:
            if isinstance(field, FileField):
                yield from ((field.storage, name) for name in rows.values_list(field.name, flat=True) if name)
