"""Import of judgments from a page: upload, what is in the file, and the answer to it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.material.uploads import confirm, discard, read_again, request_upload
from annotation.forms.refusals import refusal_messages, refusals
from annotation.forms.uploads import JudgmentUploadForm, ReadingForm
from annotation.models import JudgmentUpload
from annotation.permissions import managed_project
from annotation.tasks import run_job


@login_required
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = JudgmentUploadForm(request.POST or None, request.FILES or None, project=project)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            job = request_upload(project=project, file=form.content(), actor=request.user, **form.job())
            run_job.delay_on_commit("judgments", job.pk)
            return redirect("project-judgments-progress", key=key, pk=job.pk)
    values = {"project": project, "tab": "texts", "form": form, "uploads": project.judgment_uploads.all()[:20]}
    return render(request, "projects/import_judgments.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    job = get_object_or_404(project.judgment_uploads, pk=pk)
    reading = {"format": job.format, "question": job.options.get("question", "")}
    values = {"project": project, "tab": "texts", "job": job, "form": ReadingForm(initial=reading)}
    values["worker_alive"] = worker_is_alive(timezone.now())
    part = "#job" if request.htmx else ""
    return render(request, f"projects/import_judgments_progress.html{part}", values)


@login_required
@require_POST
def answer(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Import, discard, or read in another way what is in a file."""
    project = managed_project(request.user, key)
    job = get_object_or_404(project.judgment_uploads, pk=pk)
    with refusal_messages(request, messages.WARNING):
        _settle(request, job)
    return redirect("project-judgments-progress", key=key, pk=pk)


def _settle(request: HttpRequest, job: JudgmentUpload) -> None:
    asked = {"job": job, "actor": request.user, "now": timezone.now()}
    wanted, form = request.POST.get("answer"), ReadingForm(request.POST)
    if wanted == "discard":
        discard(**asked)
        return
    if wanted == "import":
        confirm(**asked)
    elif form.is_valid():
        read_again(format_=form.cleaned_data["format"], question=form.cleaned_data["question"], **asked)
    run_job.delay_on_commit("judgments", job.pk)
