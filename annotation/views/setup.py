"""A project in preparation: its checklist, and the pages that change it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.project.copying import copy_project
from annotation.domain.project.creation import why_frozen
from annotation.domain.project.lifecycle import (
    change_numbers,
    change_project,
    close_project,
    launch,
    may_take_back_launch,
    reopen_project,
    take_back_launch,
)
from annotation.domain.project.protocol_files import write_protocol
from annotation.forms.protocol import ProtocolForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.forms.setting_up import CloseForm, CopyForm, PageForm, SettingsForm
from annotation.models import Project
from annotation.permissions import managed_project, may_open_projects
from annotation.planning.costs import Material as Amount
from annotation.planning.costs import round_costs
from annotation.protocols.terms import Material
from annotation.texts import page_from_markdown
from annotation.views.checklist import steps_of
from annotation.views.confirming import Confirmation, confirm, succeeded
from annotation.views.first_steps import note_guidelines_read
from annotation.views.new_project import costs_of

PAGES = ("guidelines", "consent")
SETTINGS = ("title", "language", "seed", "authors", "contact", "url")
SETTINGS += ("pay", "contact_person", "contact_address", "ethics_approval")


@login_required
@require_safe
def checklist(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    steps = list(steps_of(project))
    values = {"steps": steps, "may_launch": not any(step.missing for step in steps), "close_form": CloseForm()}
    values |= {"may_copy": may_open_projects(request.user), "may_undo_launch": may_take_back_launch(project)}
    return _page(request, "setup", project, values)


def _page(request: HttpRequest, name: str, project: Project, values: dict[str, Any], **form: Any) -> HttpResponse:
    """Return a page of the tab, with status 422 if its form has faults."""
    refused = bool(values.get("form") and values["form"].errors)
    shared = {"project": project, "tab": "setup"}
    return render(request, f"projects/{name}.html", shared | values, status=422 if refused else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def basics(request: HttpRequest, key: str) -> HttpResponse:
    """Change title, language, seed, and the authors, contact and URL that releases name."""
    project = managed_project(request.user, key)
    present = {name: getattr(project, name) for name in SETTINGS}
    form = SettingsForm(request.POST or None, initial=present)
    del form.fields["title"].widget.attrs["data-suggests"]
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            change_project(project=project, values=form.cleaned_data, actor=request.user, now=timezone.now())
            return _saved(request, project)
    return _page(request, "setup_basics", project, {"form": form})


def _saved(request: HttpRequest, project: Project) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("project-setup", key=project.key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HttpRequest, key: str) -> HttpResponse:
    """Change numbers and words of the protocol; frozen ones are only shown. “check” shows what they cost."""
    project = managed_project(request.user, key)
    amount, frozen = amount_of(project), why_frozen(project)
    initial = vars(amount) if amount else None
    form = ProtocolForm(request.POST or None, protocol=project.protocol, initial=initial)
    if request.htmx:
        return render(request, "projects/setup_numbers.html#costs", costs_of(form))
    if request.method == "POST" and form.is_valid() and "check" not in request.POST:
        with refusals(form):
            changes = {"changes": form.changes(), "texts": form.words()}
            change_numbers(project=project, actor=request.user, now=timezone.now(), **changes)
            return _saved(request, project)
    if form.is_bound:
        costs = costs_of(ProtocolForm(form.data, protocol=project.protocol))
    else:
        costs = {"costs": round_costs(project.protocol, amount or form.amount_to_begin_with())}
    planned = project.plans.exists()
    return _page(request, "setup_numbers", project, {"form": form, "frozen": frozen, "planned": planned, **costs})


def amount_of(project: Project) -> Amount | None:
    """Return how much there is to judge; None before anything is imported."""
    if project.protocol.material == Material.INCIDENTS:
        incidents = project.incidents.count()
        return Amount(incidents=incidents) if incidents else None
    items = project.items.filter(calibration_order__isnull=True).count()
    return Amount(items=items) if items else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """Change guidelines or consent; “look” (sent by htmx too) shows them as people see them and stores nothing."""
    project = managed_project(request.user, key)
    if name not in PAGES:
        raise Http404
    label = _("Guidelines (Markdown)") if name == "guidelines" else _("Consent (Markdown)")
    form = PageForm(request.POST or None, label=label, initial={"text": getattr(project, name)})
    if name == "guidelines":
        note_guidelines_read(request, project)
    valid = request.method == "POST" and form.is_valid()
    if valid and "look" not in request.POST and not request.htmx:
        values = {name: form.cleaned_data["text"]}
        change_project(project=project, values=values, actor=request.user, now=timezone.now())
        return _saved(request, project)
    text = form.cleaned_data["text"] if valid else getattr(project, name)
    values = {"form": form, "name": name, "shown": page_from_markdown(text)}
    if name == "consent":
        values["versions"] = project.consent_texts.all()
    if request.htmx:
        return render(request, "projects/setup_page.html#shown", values)
    return _page(request, "setup_page", project, values)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def launch_project(request: HttpRequest, key: str) -> HttpResponse:
    """Ask, and launch a project; as long as nobody has a place, it can be taken back."""
    project = managed_project(request.user, key)
    asked = Confirmation(
        title=_("Launch the project"),
        says=_(
            "People can join with invitation links, and the numbers, the scale and the question can't be "
            "changed any more. You can undo the launch until somebody has taken a place."
        ),
        button=_("Launch the project"),
        done=_("The project has been launched. People can now join with its links."),
        back=("project-setup", {"key": key}),
        undo=("project-unlaunch", {"key": key}),
        tab="setup",
    )
    return confirm(request, project, asked, lambda: launch(project=project, actor=request.user, now=timezone.now()))


@login_required
@require_POST
def unlaunch(request: HttpRequest, key: str) -> HttpResponse:
    """Undo a launch."""
    project = managed_project(request.user, key)
    with refusal_messages(request, messages.WARNING):
        take_back_launch(project=project, actor=request.user, now=timezone.now())
        messages.success(request, _("The launch has been undone. The project is a draft again."))
    return redirect("project-setup", key=key)


@login_required
@require_POST
def open_or_close(request: HttpRequest, key: str, act: str) -> HttpResponse:
    """Close or reopen a project."""
    project = managed_project(request.user, key)
    form = CloseForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    with refusal_messages(request, messages.WARNING):
        change = close_project if act == "close" else reopen_project
        change(project=project, reason=reason, actor=request.user, now=timezone.now())
        if act == "close":
            succeeded(request, _("The project is closed."), ("project-open", {"key": key}))
        else:
            messages.success(request, _("The project has been reopened."))
    return redirect("project-setup", key=key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, key: str) -> HttpResponse:
    """Create a draft with the same protocol and pages, without people, and with the texts if requested."""
    project = managed_project(request.user, key)
    if not may_open_projects(request.user):
        raise Http404
    form = CopyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            return redirect("project-setup", key=_copied(request, project, form).key)
    return _page(request, "setup_copy", project, {"form": form})


def _copied(request: HttpRequest, project: Project, form: CopyForm) -> Project:
    values = form.cleaned_data
    names = {"key": values["project_key"], "title": values["title"], "texts": values["texts"]}
    made = copy_project(project=project, owner=request.user, now=timezone.now(), **names)
    messages.success(request, _("The project has been copied. Annotators can't see the copy before launch."))
    return made


@login_required
@require_safe
def protocol_file(request: HttpRequest, key: str) -> HttpResponse:
    """Return protocol, guidelines, consent and questions as a file for another project or installation."""
    project = managed_project(request.user, key)
    response = JsonResponse(write_protocol(project), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{project.key}-protocol.json"'
    return response
