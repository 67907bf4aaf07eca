"""What a page says in place of an empty list: what will be there, what to do first, and the button that does it."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project

register = template.Library()


@dataclass(frozen=True)
class Empty:
    """An empty list; without a route, the form that fills it is on the same page."""

    title: str | Promise
    says: str | Promise
    button: str | Promise = ""
    route: str = ""


NOT_LAUNCHED = Empty(
    _("The project has not been launched yet"),
    _("Complete the steps under “Set up” and launch the project. Then annotators can join."),
    _("Continue setting up"),
    "project-setup",
)
EMPTY = {
    "items": Empty(
        _("No items yet"),
        _("Import the texts that annotators will judge. You can undo the import until somebody joins."),
        _("Import items"),
        "project-import",
    ),
    "answers": Empty(
        _("No answers yet"),
        _("Answers appear here as soon as annotators send them. Invite annotators with a link."),
        _("Recruit annotators"),
        "project-recruiting",
    ),
    "annotators": Empty(
        _("No annotators yet"),
        _("Everybody who joins is listed here with their progress. Invite annotators with a link."),
        _("Recruit annotators"),
        "project-recruiting",
    ),
    "rounds": Empty(
        _("No round has been planned yet"),
        _("A plan assigns the items to annotators. After that, this page shows the progress of the round."),
        _("Plan a round"),
        "project-plans",
    ),
    "runs": Empty(
        _("No runs yet"), _("Select “Compute now” below as soon as there are answers, also while a round is running.")
    ),
    "models": Empty(
        _("No models yet"),
        _("A language model can answer a round as one more annotator. Its answers are kept apart and never count."),
    ),
    "finished runs": Empty(
        _("No releases yet"),
        _("A release is created from a finished scoring run, and there is none yet."),
        _("Compute results"),
        "project-runs",
    ),
    "releases": Empty(_("No releases yet"), _("Choose a run and a licence below to create the first one.")),
    "webhooks": Empty(_("No webhooks yet"), _("Enter the URL of the program that should be notified, and add it.")),
    "deliveries": Empty(_("No deliveries yet"), _("Select “Send test” to check that the URL answers.")),
    "messages": Empty(
        _("No messages sent yet"),
        _("Choose the recipients, write the message and check the list before you send it."),
    ),
    "log": Empty(
        _("No log entries yet"),
        _("Every change to the project is recorded here, from the first one."),
        _("Continue setting up"),
        "project-setup",
    ),
    "links": Empty(
        _("No other links yet"),
        _("Create one to limit the number of people or the time, or to know where people come from."),
    ),
    "invitations": Empty(
        _("No invitations yet"), _("Upload or type a list of addresses. You can check it before anything is sent.")
    ),
    "guests": Empty(
        _("Nobody has joined without an account yet"),
        _("Turn on “Allow people to join without an email address” on the page “Links”."),
        _("Invitation links"),
        "project-recruiting",
    ),
    "studies": Empty(
        _("No studies yet"),
        _("Create a study at Prolific from here, or add an existing one of Prolific or Mechanical Turk below."),
        _("New Prolific study"),
        "project-prolific-new",
    ),
    "quotas": Empty(
        _("No quotas yet"), _("People can join as long as places are free. Set a quota below to limit a group.")
    ),
    "waiting": Empty(
        _("Nobody is waiting"),
        _("When a round is full, people can leave their email address at its link."),
        _("Invitation links"),
        "project-recruiting",
    ),
    "jobs": Empty(
        _("No background jobs yet"),
        _("Imports, plans, runs and releases are listed here while they are running and afterwards."),
        _("Import items"),
        "project-import",
    ),
}
BEFORE_LAUNCH = {"answers", "annotators"}


@register.inclusion_tag("_empty.html")
def empty_list(kind: str, project: Project) -> dict[str, Any]:
    """Return the text for an empty list of a project; the button only for members who may do what it does."""
    empty = NOT_LAUNCHED if kind in BEFORE_LAUNCH and project.draft else EMPTY[kind]
    shown = empty.route and project.role != Membership.Role.RESEARCHER
    return {"empty": empty, "address": reverse(empty.route, args=[project.key]) if shown else ""}


@register.inclusion_tag("_empty.html")
def no_matches(title: str, address: str) -> dict[str, Any]:
    """Return the text for filters that nothing matches; the button shows the whole list again."""
    return {"empty": Empty(title, _("Change the filters or clear them."), _("Clear filters")), "address": address}
