"""The start of a run, which then waits for a worker."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.models import Project, User
from scoring.models import Run
from scoring.models.audit_actions import ScoringAction
from scoring.summaries.parts import Parameters

GREATEST_SEED = 2**63 - 1


def start_run(
    *, project: Project, actor: User | None, seed: int | None = None, parameters: Mapping[str, Any] | None = None
) -> Run:
    """Store and return a queued run.

    Parameters: seed, by default the project's; parameters, see `scoring.summaries.parts.Parameters`.

    Raises: Refusal if the seed is out of range, a parameter is unknown or invalid, or too many jobs wait already.
    """
    if seed is not None and not 0 <= seed <= GREATEST_SEED:
        raise Refusal(
            _("The random seed must be a whole number from 0 to %(greatest_seed)s.") % {"greatest_seed": GREATEST_SEED}
        )
    try:
        wanted = Parameters.read(parameters or {})
    except ValueError as error:
        raise Refusal(str(error)) from error
    with transaction.atomic():
        project = Project.objects.select_for_update().get(pk=project.pk)
        guard_queue(project, actor)
        last = project.runs.aggregate(last=Max("number"))["last"] or 0
        run = Run.objects.create(
            project=project,
            number=last + 1,
            seed=project.seed if seed is None else seed,
            parameters=wanted.as_json(),
            code_version=settings.CODE_VERSION,
            created_by=actor,
        )
        write_down(ScoringAction.RUN_STARTED, project, actor=actor, now=run.created_at, run=run.number, seed=run.seed)
        return run
