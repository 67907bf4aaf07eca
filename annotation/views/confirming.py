"""The question before an act that is not easily taken back: what it does, and whether it can be undone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.domain.errors import Refusal
from annotation.models import Project

Address = tuple[str, dict[str, Any]]
"""The name of a page, and its arguments."""


@dataclass(frozen=True)
class Confirmation:
    """What is asked before an act.

    says: what it does, and whether and how it can be undone. done: the message after it. back: the page to return to,
    also afterwards if there is no `after`. undo: the action that takes it back; its button is shown with the message.
    fields: what is sent with the answer.
    """

    title: str
    says: str
    button: str
    done: str
    back: Address
    after: Address | None = None
    undo: Address | None = None
    danger: bool = False
    tab: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def back_url(self) -> str:
        return reverse(self.back[0], kwargs=self.back[1])


def confirm(request: HttpRequest, project: Project | None, asked: Confirmation, act: Callable[[], Any]) -> HttpResponse:
    """Show the question, or after a POST act and go on; a refusal is shown with the question.

    Parameters: project, None for an act outside of projects.
    """
    refusal = ""
    if request.method == "POST":
        try:
            act()
        except Refusal as error:
            refusal = str(error)
        else:
            succeeded(request, asked.done, asked.undo)
            page, arguments = asked.after or asked.back
            return redirect(page, **arguments)
    values = {"project": project, "asked": asked, "refusal": refusal, "tab": asked.tab}
    values["frame"] = "projects/base.html" if project else "page.html"
    return render(request, "projects/confirm.html", values, status=422 if refusal else 200)


def succeeded(request: HttpRequest, done: str, undo: Address | None = None) -> None:
    """Say on the next page what was done, with a button that takes it back if there is an action for it."""
    tags = reverse(undo[0], kwargs=undo[1]) if undo else ""
    messages.success(request, done, extra_tags=tags)
