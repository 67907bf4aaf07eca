"""Events in words, and the pages that they lead to."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.jobs.kinds import kind_named
from annotation.models import Decision, Project
from scoring.models import Event

PAGES = {
    Event.LAUNCHED: "project-recruiting",
    Event.ROUND_FINISHED: "project-watch",
    Event.RUN_FINISHED: "project-runs",
    Event.RELEASE_MADE: "project-releases",
    Event.JOB_FAILED: "project-jobs",
    Event.FLAGGED: "project-people",
    Event.BUDGET_REACHED: "project-watch",
    Event.TARGET_REACHED: "project-watch",
}


def page(project: Project, event: Event, payload: Mapping[str, Any]) -> str:
    """Return the URL of the page where a manager sees what happened."""
    query = f"?only=flagged&round={payload['round']}" if event == Event.FLAGGED else ""
    return settings.PUBLIC_URL + reverse(PAGES.get(event, "project"), args=[project.key]) + query


def sentence(project: Project, event: Event, payload: Mapping[str, Any]) -> str:
    """Return an event as one sentence in the present language."""
    values = {**payload, "round": _round_title(project, payload.get("round", ""))}
    match event:
        case Event.LAUNCHED:
            return _("The project has been launched.")
        case Event.ROUND_FINISHED:
            return _("The round “%(round)s” is complete.") % values
        case Event.RUN_FINISHED:
            done = payload["state"] == "done"
            return (_("Scoring run %(run)s is done.") if done else _("Scoring run %(run)s failed. %(error)s")) % values
        case Event.RELEASE_MADE:
            return _("Release %(release)s is ready to download.") % values
        case Event.JOB_FAILED:
            return _("A background job failed (%(job)s). %(error)s") % {**values, "job": _job_title(payload["job"])}
        case Event.FLAGGED:
            return _flagged(payload["people"]) % {**values, "number": payload["people"]}
        case Event.BUDGET_REACHED:
            return _("The cost has reached the budget: %(cost)s of %(budget)s %(currency)s.") % values
        case Event.TARGET_REACHED:
            return _("The round “%(round)s” has ended after wave %(wave)s. Reason: %(why)s.") % {
                **values,
                "why": Decision(payload["decision"]).label,
            }
    return _("This is a test message.")


def _flagged(people: int) -> str:
    return ngettext(
        "The round “%(round)s” has %(number)s annotator whose answers need review.",
        "The round “%(round)s” has %(number)s annotators whose answers need review.",
        people,
    )


def _round_title(project: Project, key: str) -> str:
    return next((round_.title for round_ in project.protocol.rounds if round_.key == key), key)


def _job_title(key: str) -> str:
    kind = kind_named(key)
    return str(kind.title) if kind else key
