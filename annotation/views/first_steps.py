"""The five steps of a first project: before there is one, and then as its checklist, checked off from its state."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.project.lifecycle import has_texts
from annotation.models import Project
from annotation.queries.projects import done_plans

GUIDELINES_READ = "guidelines read"
"""The key of the session that lists the projects whose guidelines a manager has opened."""


@dataclass(frozen=True)
class FirstStep:
    title: str | Promise
    says: str | Promise
    url: str = ""
    done: bool = False


TEXTS = (
    (_("Choose a preset"), _("It says what annotators do: rate pairs, compare items or select sentences.")),
    (_("Import items, or load the sample"), _("A file with your texts. Without one, try the sample of the preset.")),
    (_("Read the guidelines"), _("They explain the task to annotators. Adapt them to your question.")),
    (_("Plan, and try it as an annotator"), _("A plan assigns items to annotators. The preview shows every screen.")),
    (_("Launch and invite"), _("Then send annotators the invitation link.")),
)


def first_steps() -> list[FirstStep]:
    """Return the steps as somebody without a project sees them."""
    return [FirstStep(title, says) for title, says in TEXTS]


def first_steps_of(request: HttpRequest, project: Project, *, joined: bool) -> list[FirstStep]:
    """Return the steps of a project; empty once annotators have joined.

    Parameters: joined, whether any annotator has started.
    """
    if joined or project.closed_at:
        return []
    planned = done_plans(project).filter(round=project.protocol.rounds[0].key).exists()
    read = not project.draft or project.pk in request.session.get(GUIDELINES_READ, [])
    done = (True, has_texts(project), read, planned, False)
    urls = _urls(project, planned=planned)
    return [FirstStep(*texts, *state) for texts, *state in zip(TEXTS, urls, done, strict=True)]


def _urls(project: Project, *, planned: bool) -> Iterator[str]:
    """Yield where each step is done; the fourth leads to the preview once there is a plan."""
    key = [project.key]
    yield reverse("project-numbers", args=key)
    yield reverse("project-import", args=key)
    yield reverse("project-page", args=[*key, "guidelines"])
    yield reverse("project-preview" if planned else "project-plans", args=key)
    yield reverse("project-launch" if project.draft else "project-recruiting", args=key)


def note_guidelines_read(request: HttpRequest, project: Project) -> None:
    """Remember in the session that somebody has opened the guidelines of a project."""
    read = request.session.get(GUIDELINES_READ, [])
    if project.draft and project.pk not in read:
        request.session[GUIDELINES_READ] = [*read, project.pk]
