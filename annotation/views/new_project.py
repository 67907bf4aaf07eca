"""A new project: from a preset, or from the file of another project's protocol."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.preset_words import WORDS, preset_cards
from annotation.domain.projects import texts_to_begin_with
from annotation.domain.protocol_files import read_protocol
from annotation.domain.setting_up import begin_project
from annotation.forms.protocol import NewProjectForm, ProtocolForm
from annotation.forms.setting_up import FileForm
from annotation.models import Project
from annotation.permissions import may_open_projects
from annotation.planning.costs import round_costs
from annotation.protocols.presets import PRESETS

FIELDS = ("title", "language", "seed")


def _guard(request: HttpRequest) -> None:
    if not may_open_projects(request.user):
        raise Http404


@login_required
@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """The presets, and the way in for a file."""
    _guard(request)
    return render(request, "projects/new.html", {"cards": preset_cards(), "form": FileForm()})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def from_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """The guided form. “check” shows what the numbers cost and stores nothing; htmx asks for that by itself."""
    _guard(request)
    if preset not in PRESETS:
        raise Http404
    protocol = PRESETS[preset]
    if request.htmx:
        return render(request, "projects/new_form.html#costs", costs_of(ProtocolForm(request.POST, protocol=protocol)))
    form = NewProjectForm(request.POST or None, protocol=protocol)
    if request.method == "POST" and form.is_valid() and "check" not in request.POST:
        try:
            return _begun(request, _begin(request, form, texts_to_begin_with(preset)))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    values = {"form": form, "preset": protocol, "told": WORDS[preset], **_costs_shown(form, protocol)}
    return render(request, "projects/new_form.html", values, status=422 if form.errors else 200)


def costs_of(form: ProtocolForm) -> dict[str, Any]:
    """What the numbers of a bound form cost, or what is wrong with them."""
    wrong = {name for name in form.fields if name not in form.texts} | {NON_FIELD_ERRORS}
    if not set(form.errors) & wrong:
        return {"costs": round_costs(form.changed_protocol(), form.amount())}
    return {"faults": [fault for name, faults in form.errors.items() if name in wrong for fault in faults]}


def _costs_shown(form: NewProjectForm, protocol: Any) -> dict[str, Any]:
    """Of a form that nobody has filled in yet, what its preset costs as it is."""
    if form.is_bound:
        return costs_of(ProtocolForm(form.data, protocol=protocol))
    return {"costs": round_costs(protocol, form.amount_to_begin_with())}


def _begin(request: HttpRequest, form: NewProjectForm, texts: dict[str, str]) -> Project:
    given = form.cleaned_data
    return begin_project(
        owner=request.user,
        key=given["project_key"],
        protocol=form.changed_protocol(),
        now=timezone.now(),
        **{name: given[name] for name in FIELDS},
        **texts,
    )


def _begun(request: HttpRequest, project: Project) -> HttpResponse:
    messages.success(request, _("“%(title)s” is there. Nobody else sees it before its launch.") % {"title": project})
    return redirect("project-setup", key=project.key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def from_file(request: HttpRequest) -> HttpResponse:
    """A project with the protocol, guidelines, consent and questions of a file."""
    _guard(request)
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            outline = read_protocol(given["file"])
            names = {"key": given["project_key"], "title": given["title"]}
            project = begin_project(owner=request.user, now=timezone.now(), **names, **outline.values())
            return _begun(request, project)
        except Refusal as refusal:
            form.add_error("file", str(refusal))
    return render(request, "projects/new_file.html", {"form": form}, status=422 if form.errors else 200)
