"""Items brought in from a page: the request records the job, a worker does it, the page watches, and answers it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.importing.jobs import ANSWERED, agree, discard, request_import
from annotation.domain.importing.words import told
from annotation.domain.waiting import worker_is_alive
from annotation.forms.importing import ConsentToImportForm, CorpusForm, ImportForm
from annotation.models import Document, ItemImport, Project, User
from annotation.permissions import managed_project
from annotation.protocols.spec import Material
from annotation.tasks import start_waiting_imports

SHOWN = 5  # rows, so that somebody sees whether they came in as they should


@login_required
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _start(request, project, form)
    values = {"project": project, "tab": "texts", "form": form, "imports": project.imports.defer("findings")[:20]}
    return render(request, "projects/import.html", values, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def corpus(request: HttpRequest, key: str) -> HttpResponse:
    """A corpus from which pairs are built; only for projects that take pairs."""
    project = managed_project(request.user, key)
    if project.protocol.material != Material.PAIRS:
        raise Http404
    form = CorpusForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _start(request, project, form)
    values = {"project": project, "tab": "texts", "form": form}
    return render(request, "projects/import_corpus.html", values, status=422 if form.errors else 200)


def _start(request: HttpRequest, project: Project, form: ImportForm | CorpusForm) -> HttpResponse:
    file = form.content()
    job = request_import(project=project, file=file, actor=request.user, **form.job())
    start_waiting_imports.delay_on_commit()
    return redirect("project-import-progress", key=project.key, pk=job.pk)


@login_required
@require_safe
def progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    return _page(request, get_object_or_404(project.imports, pk=pk), project)


@login_required
@require_POST
def answer(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """What becomes of an import that asks."""
    project = managed_project(request.user, key)
    job = get_object_or_404(project.imports, pk=pk)
    if job.state == ItemImport.State.ASKING:
        form = ConsentToImportForm(request.POST, findings=job.findings)
        if not form.is_valid():
            return _page(request, job, project, form=form, status=422)
        try:
            _settle(request.user, job, form)
        except Refusal as refusal:
            messages.warning(request, str(refusal))
    else:
        messages.warning(request, ANSWERED)
    return redirect("project-import-progress", key=key, pk=pk)


def _settle(user: User, job: ItemImport, form: ConsentToImportForm) -> None:
    now = timezone.now()
    if form.cleaned_data["answer"] == "discard":
        discard(job=job, actor=user, now=now)
    else:
        agree(job=job, kinds=form.kinds_agreed(), actor=user, now=now)
        start_waiting_imports.delay_on_commit()


def _page(
    request: HttpRequest,
    job: ItemImport,
    project: Project,
    *,
    form: ConsentToImportForm | None = None,
    status: int = 200,
) -> HttpResponse:
    part = "#job" if request.htmx else ""
    values = {
        "project": project,
        "tab": "texts",
        "job": job,
        "form": form,
        "worker_alive": worker_is_alive(timezone.now()),
    }
    if job.state == ItemImport.State.DONE:
        values["first"] = _first_rows(project)
    if job.state == ItemImport.State.ASKING:
        found = told(job.findings)
        values |= {"found": found, "can_change": any(one.wording.consent for one in found)}
    return render(request, f"projects/import_progress.html{part}", values, status=status)


def _first_rows(project: Project) -> list[tuple[str, list[str]]]:
    """The first texts of the project as they came in: keys with their texts."""
    if project.protocol.material == Material.INCIDENTS:
        incidents = project.incidents.prefetch_related("documents__sentences")[:SHOWN]
        return [(one.key, [_beginning(document) for document in one.documents.all()]) for one in incidents]
    items = project.items.order_by("position")[:SHOWN]
    return [(one.key, [one.sentence1, one.sentence2]) for one in items]


def _beginning(document: Document) -> str:
    sentences = [sentence.text for sentence in document.sentences.all()]
    return " ".join(sentences[:2]) + (" …" if len(sentences) > 2 else "")
