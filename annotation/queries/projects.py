"""Projects, their plans and practice tasks."""

from django.db.models import QuerySet

from annotation.models import Project, RoundPlan
from annotation.models.practice import PracticePart, PracticeTask


def open_projects() -> QuerySet[Project]:
    """Return the projects that are neither drafts nor closed, without the copies that rehearsals make."""
    return Project.objects.filter(draft=False, closed_at__isnull=True, rehearsal_of__isnull=True)


def done_plans(project: Project) -> QuerySet[RoundPlan]:
    """Return the plans that made places; others wait, run, or failed."""
    return project.plans.filter(state=RoundPlan.State.DONE)


def to_answer(tasks: QuerySet[PracticeTask]) -> QuerySet[PracticeTask]:
    """Return the tasks of a practice set that people answer: all but the examples."""
    return tasks.exclude(part=PracticePart.EXAMPLE)
