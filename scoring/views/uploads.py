"""Uploads of a release to public archives: private drafts, published after a question."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusals
from annotation.models.jobs import NOT_ENDED
from annotation.permissions import managed_project, owned_project
from annotation.tasks import run_job
from annotation.views.confirming import Confirmation, confirm
from scoring.domain.uploads.requesting import request_publication, request_upload, save_archive_token
from scoring.forms.uploads import ArchiveTokenForm, UploadForm
from scoring.models import DataArchive
from scoring.views.releases import found

A_PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def uploads(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """List the uploads of a release, and let owners start one; the list polls while one is working."""
    find = owned_project if request.method == "POST" else managed_project
    project = find(request.user, key)
    release = found(project, number)
    form = UploadForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            upload = request_upload(release=release, actor=request.user, now=timezone.now(), **form.cleaned_data)
            run_job.delay_on_commit("upload", upload.pk)
            return redirect("project-uploads", key=key, number=number)
    page = Paginator(release.uploads.order_by("-pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "releases", "release": release, "page": page, "form": form}
    values |= {"owns": project.role == "owner", "worker_alive": worker_is_alive(timezone.now())}
    values |= {"working": release.uploads.filter(state__in=NOT_ENDED).exists(), "token_form": ArchiveTokenForm()}
    values["tokens"] = [DataArchive(name).label for name in project.archive_tokens.values_list("archive", flat=True)]
    part = "#uploads" if request.htmx else ""
    response = render(request, f"projects/uploads.html{part}", values, status=422 if form.errors else 200)
    if request.htmx and not values["working"]:
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_POST
def token(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Store or remove a token for an archive."""
    project = owned_project(request.user, key)
    form = ArchiveTokenForm(request.POST)
    if form.is_valid():
        save_archive_token(project=project, actor=request.user, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("Choose an archive, and enter its token."))
    return redirect("project-uploads", key=key, number=number)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, key: str, number: int, pk: int) -> HttpResponse:
    """Ask, and publish an uploaded draft."""
    project = owned_project(request.user, key)
    upload = get_object_or_404(found(project, number).uploads, pk=pk)

    def act() -> None:
        request_publication(upload=upload, actor=request.user, now=timezone.now())
        run_job.delay_on_commit("upload", upload.pk)

    asked = Confirmation(
        title=_("Publish the upload?"),
        says=_(
            "Everybody can then read and copy release %(number)s on %(archive)s. A DOI of Zenodo is permanent: a "
            "record cannot be deleted, and its files cannot be changed."
        )
        % {"number": number, "archive": upload.get_archive_display()},
        button=_("Publish the upload"),
        done=_("The upload is being published."),
        back=("project-uploads", {"key": key, "number": number}),
        danger=True,
        tab="releases",
    )
    return confirm(request, project, asked, act)
