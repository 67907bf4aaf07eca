"""Items brought in from a page: the request records the job, a worker does it, the page watches."""

from django.contrib.auth.decorators import login_required
from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.waiting import worker_is_alive
from annotation.forms import ImportForm
from annotation.models import ItemImport
from annotation.permissions import managed_project
from annotation.tasks import start_waiting_imports


@login_required
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"] or ContentFile(form.cleaned_data["rows"].encode(), "typed-in.csv")
        job = ItemImport.objects.create(project=project, file=file, name=file.name, created_by=request.user)
        start_waiting_imports.delay_on_commit()
        return redirect("project-import-progress", key=key, pk=job.pk)
    values = {"project": project, "form": form, "imports": project.imports.all()[:20]}
    return render(request, "projects/import.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    job = get_object_or_404(project.imports, pk=pk)
    part = "#job" if request.htmx else ""
    values = {"project": project, "job": job, "worker_alive": worker_is_alive(timezone.now())}
    return render(request, f"projects/import_progress.html{part}", values)
