"""Creation of a project from a preset or from the protocol file of another project."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.project.creation import create_project, texts_to_begin_with
from annotation.domain.project.protocol_files import read_protocol
from annotation.forms.protocol import NewProjectForm, ProtocolForm
from annotation.forms.refusals import refusals
from annotation.forms.setting_up import FileForm
from annotation.models import Project
from annotation.permissions import may_open_projects
from annotation.planning.costs import round_costs
from annotation.presets.registry import presets

FIELDS = ("title", "language", "seed")


def _guard(request: HttpRequest) -> None:
    if not may_open_projects(request.user):
        raise Http404


@login_required
@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Show the presets and the upload of a protocol file."""
    _guard(request)
    return render(request, "projects/new.html", {"presets": presets().values(), "form": FileForm()})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def from_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """Create a project by the guided form; “check” (sent by htmx too) only shows the costs and stores nothing."""
    _guard(request)
    if preset not in presets():
        raise Http404
    chosen = presets()[preset]
    protocol = chosen.protocol
    if request.htmx:
        return render(request, "projects/new_form.html#costs", costs_of(ProtocolForm(request.POST, protocol=protocol)))
    form = NewProjectForm(request.POST or None, protocol=protocol)
    if request.method == "POST" and form.is_valid() and "check" not in request.POST:
        with refusals(form):
            return _begun(request, _begin(request, form, texts_to_begin_with(chosen)))
    values = {"form": form, "preset": chosen, **_costs_shown(form, protocol)}
    return render(request, "projects/new_form.html", values, status=422 if form.errors else 200)


def costs_of(form: ProtocolForm) -> dict[str, Any]:
    """Return what the numbers of a bound form cost, or what is wrong with them."""
    wrong = {name for name in form.fields if name not in form.texts} | {NON_FIELD_ERRORS}
    if not set(form.errors) & wrong:
        return {"costs": round_costs(form.changed_protocol(), form.amount())}
    return {"faults": [fault for name, faults in form.errors.items() if name in wrong for fault in faults]}


def _costs_shown(form: NewProjectForm, protocol: Any) -> dict[str, Any]:
    """Return the costs of the form's numbers; before anything is filled in, those of the preset."""
    if form.is_bound:
        return costs_of(ProtocolForm(form.data, protocol=protocol))
    return {"costs": round_costs(protocol, form.amount_to_begin_with())}


def _begin(request: HttpRequest, form: NewProjectForm, texts: dict[str, str]) -> Project:
    values = {name: form.cleaned_data[name] for name in FIELDS} | texts
    values |= {"key": form.cleaned_data["project_key"], "protocol": form.changed_protocol()}
    return create_project(owner=request.user, now=timezone.now(), **values)


def _begun(request: HttpRequest, project: Project) -> HttpResponse:
    messages.success(
        request, _("“%(title)s” has been created. Annotators can't see it before launch.") % {"title": project}
    )
    return redirect("project-setup", key=project.key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def from_file(request: HttpRequest) -> HttpResponse:
    """Create a project with the protocol, guidelines, consent and questions of a file."""
    _guard(request)
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refusals(form, "file"):
            outline = read_protocol(values["file"])
            names = {"key": values["project_key"], "title": values["title"]}
            project = create_project(owner=request.user, now=timezone.now(), **names, **outline.values())
            return _begun(request, project)
    return render(request, "projects/new_file.html", {"form": form}, status=422 if form.errors else 200)
