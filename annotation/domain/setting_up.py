"""A project set up on its pages: begun as a draft, changed, launched, closed and opened again."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.domain.projects import add_member, change_protocol, log_changes, store_project
from annotation.models import Membership, Project, Question, RoundPlan, User
from annotation.protocols.spec import Material, Protocol
from annotation.queries import done_plans

REHEARSED = "project rehearsed"  # what the log calls it
NOT_ENDED = (RoundPlan.State.WAITING, RoundPlan.State.RUNNING)


@transaction.atomic
def begin_project(
    *,
    owner: User,
    key: str,
    title: str,
    protocol: Protocol,
    now: datetime,
    questions: Sequence[Question] = (),
    **values: Any,
) -> Project:
    """A draft that belongs to whoever makes it; it admits nobody before its launch.

    Parameters: questions, not stored yet, in order; values, of further fields such as `language` and `guidelines`.

    Raises:
        Refusal: as `store_project`.
    """
    project = store_project(key=key, title=title, protocol=protocol, **{"draft": True} | values)
    for position, question in enumerate(questions, start=1):
        question.pk, question._state.adding = None, True
        question.project, question.position = project, position
    Question.objects.bulk_create(questions)
    add_member(project=project, user=owner, role=Membership.Role.OWNER)
    write_down("project created", project, actor=owner, now=now, protocol=protocol.key)
    return project


@transaction.atomic
def change_project(*, project: Project, values: Mapping[str, Any], actor: User, now: datetime) -> list[str]:
    """Changes fields of a project, such as its guidelines. Returns the names of those that are different now.

    Raises:
        Refusal: a value that cannot be; or another seed, which plans were drawn by.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    changed = [name for name, value in values.items() if getattr(project, name) != value]
    if "seed" in changed and done_plans(project).exists():
        raise Refusal(_("Rounds were planned with the present seed already; it no longer changes."))
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
    """Changes a protocol before its launch, and notes who did.

    Raises:
        Refusal: as `change_protocol`.
    """
    changed = change_protocol(project=project, changes=changes, texts=texts)
    if changed.protocol != project.protocol:
        write_down("protocol changed", changed, actor=actor, now=now, numbers=dict(changes))
    return changed


def has_texts(project: Project) -> bool:
    """Whether there is something to judge, or to select from."""
    incidents = project.protocol.material == Material.INCIDENTS
    return project.incidents.exists() if incidents else project.items.exists()


@transaction.atomic
def launch(*, project: Project, actor: User, now: datetime) -> Project:
    """Opens a project to people; from now on its protocol does not change.

    Raises:
        Refusal: launched before, without texts, or its first round is not planned.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.launched_at is not None:
        raise Refusal(_("This project is launched already."))
    if not has_texts(project):
        raise Refusal(_("There are no texts yet. Please bring them in first."))
    if project.plans.filter(state__in=NOT_ENDED).exists():
        raise Refusal(_("A plan is being made at this moment. Please launch when it is done."))
    if not done_plans(project).filter(round=project.protocol.rounds[0].key).exists():
        raise Refusal(_("There are no places yet: please plan the first round."))
    project.launched_at, project.draft = now, False
    project.save(update_fields=["launched_at", "draft"])
    write_down("project launched", project, actor=actor, now=now, protocol=project.protocol_json)
    return project


@transaction.atomic
def close_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Takes no more answers and no more people, until it is opened again.

    Raises:
        Refusal: closed already, or not open yet.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is not None:
        raise Refusal(_("This project is closed already."))
    if project.draft:
        raise Refusal(_("This project is not open yet."))
    project.closed_at = now
    project.save(update_fields=["closed_at"])
    write_down("project closed", project, reason=reason, actor=actor, now=now)
    return project


@transaction.atomic
def reopen_project(*, project: Project, reason: str, actor: User, now: datetime) -> Project:
    """Takes answers and people again.

    Raises:
        Refusal: it is open.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is None:
        raise Refusal(_("This project is open."))
    project.closed_at = None
    project.save(update_fields=["closed_at"])
    write_down("project opened again", project, reason=reason, actor=actor, now=now)
    return project
