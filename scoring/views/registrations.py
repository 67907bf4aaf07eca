"""Plans to register: written, registered after a question, shown and downloaded."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.models import Project
from annotation.permissions import managed_project, owned_project, researched_project
from annotation.texts import page_from_markdown
from annotation.views.confirming import Confirmation, confirm
from scoring.domain.registrations.plans import answers_of, plan_of
from scoring.domain.registrations.registering import register_plan, save_draft
from scoring.exports.registration import as_page, as_text
from scoring.forms.registrations import RegistrationForm
from scoring.models import Registration

A_PAGE = 25
MEDIA_TYPES = {"json": "application/json", "md": "text/markdown", "html": "text/html"}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def registrations(request: HttpRequest, key: str) -> HttpResponse:
    """List the registrations, and let owners write the next one; “register” asks before it registers."""
    find = owned_project if request.method == "POST" else managed_project
    project = find(request.user, key)
    answers = answers_of(project)
    form = RegistrationForm(request.POST or None, project=project, answers=answers)
    if request.method == "POST" and form.is_valid():
        save_draft(project=project, answers=form.answers(), now=timezone.now())
        if "register" in request.POST:
            return redirect("project-register", key=key)
        messages.success(request, _("Draft saved."))
        return redirect("project-registrations", key=key)
    listed = project.registrations.select_related("registered_by").defer("plan").order_by("-number")
    page = Paginator(listed, A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "registration", "form": form, "page": page}
    values |= {"owns": project.role == "owner", "shown": _html(plan_of(project, answers))}
    return render(request, "projects/registrations.html", values, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, key: str) -> HttpResponse:
    """Ask, and register the saved draft."""
    project = owned_project(request.user, key)
    asked = Confirmation(
        title=_("Register the plan?"),
        says=_(
            "The plan is stored with its hash and the time, and nobody can change or delete it. If the plan changes "
            "later, register it again: all versions are kept, and a run is compared with the last one from before the "
            "first judgment."
        ),
        button=_("Register the plan"),
        done=_("The plan is registered."),
        back=("project-registrations", {"key": key}),
        tab="registration",
    )

    def act() -> None:
        register_plan(project=project, answers=answers_of(project), actor=request.user, now=timezone.now())

    return confirm(request, project, asked, act)


@login_required
@require_safe
def registration(request: HttpRequest, key: str, number: int) -> HttpResponse:
    project = researched_project(request.user, key)
    found = _found(project, number)
    values = {"project": project, "tab": "registration", "registration": found, "shown": _html(found.document)}
    return render(request, "projects/registration.html", values)


@login_required
@require_safe
def registration_file(request: HttpRequest, key: str, number: int, form: str) -> HttpResponse:
    """Return the registered plan as a file: the JSON is exactly what the hash is of."""
    project = researched_project(request.user, key)
    found = _found(project, number)
    if form not in MEDIA_TYPES:
        raise Http404
    content = found.plan if form == "json" else as_text(found.document)
    if form == "html":
        content = as_page(project.title, page_from_markdown(content))
    response = HttpResponse(content, content_type=f"{MEDIA_TYPES[form]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.key}-registration-{number}.{form}"'
    return response


def _found(project: Project, number: int) -> Registration:
    found: Registration = get_object_or_404(project.registrations.select_related("registered_by"), number=number)
    return found


def _html(plan: dict[str, Any]) -> str:
    """Return a plan as HTML without its heading, which the page has itself."""
    return page_from_markdown(as_text(plan).partition("\n")[2])
