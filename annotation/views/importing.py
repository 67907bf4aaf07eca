"""Import of items from a page: the request records the job, a worker does it, the page shows and answers it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.base import ContentFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.material.editing import may_be_undone, undo_import
from annotation.domain.material.jobs import ANSWERED, agree, discard, read_as, request_import
from annotation.domain.material.wording import found_kinds
from annotation.domain.project.lifecycle import has_texts
from annotation.domain.project.preview import JUDGING, screens_of
from annotation.domain.project.samples import sample_file
from annotation.forms.importing import ConsentToImportForm, CorpusForm, ImportForm, LayoutForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import Document, ItemImport, Project, User
from annotation.permissions import managed_project
from annotation.protocols.terms import Material
from annotation.tasks import run_job
from annotation.templatetags.in_words import counted
from annotation.views.confirming import Confirmation, confirm

Answer = ConsentToImportForm | LayoutForm
"""What a job that asks is answered with."""
NOTHING_FOUND: dict[str, list[object]] = {"kinds": []}
SHOWN = 5  # rows, so that somebody sees whether they came in as they should


@login_required
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = ImportForm(request.POST or None, request.FILES or None)
    if job := _started(request, project, form):
        return redirect("project-import-progress", key=key, pk=job.pk)
    values = {"project": project, "tab": "texts", "form": form, "imports": project.imports.defer("findings")[:20]}
    values["sample"] = not has_texts(project) and sample_file(project)
    return render(request, "projects/import.html", values, status=422 if form.errors else 200)


@login_required
@require_POST
def sample(request: HttpRequest, key: str) -> HttpResponse:
    """Import the sample of the preset into a project without items."""
    project = managed_project(request.user, key)
    file = sample_file(project)
    if file is None:
        raise Http404
    if has_texts(project):
        messages.warning(request, _("The project already has items, so the sample was not imported."))
        return redirect("project-import", key=key)
    with refusal_messages(request, messages.WARNING):
        job = request_import(project=project, file=ContentFile(file.read_bytes(), file.name), actor=request.user)
        run_job.delay_on_commit("import", job.pk)
        return redirect("project-import-progress", key=key, pk=job.pk)
    return redirect("project-import", key=key)


@login_required
@require_http_methods(["GET", "POST"])
def corpus(request: HttpRequest, key: str) -> HttpResponse:
    """Upload a corpus from which pairs are built; only for projects that take pairs, and take them without context."""
    project = managed_project(request.user, key)
    if project.protocol.material != Material.PAIRS or project.protocol.in_context:
        raise Http404
    form = CorpusForm(request.POST or None, request.FILES or None)
    if job := _started(request, project, form):
        return redirect("project-import-progress", key=key, pk=job.pk)
    values = {"project": project, "tab": "texts", "form": form}
    return render(request, "projects/import_corpus.html", values, status=422 if form.errors else 200)


def _started(request: HttpRequest, project: Project, form: ImportForm | CorpusForm) -> ItemImport | None:
    """Return the import that the form asks for, or None, with the reason in the form."""
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            job = request_import(project=project, file=form.content(), actor=request.user, **form.job())
            run_job.delay_on_commit("import", job.pk)
            return job
    return None


@login_required
@require_safe
def progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    return _page(request, get_object_or_404(project.imports, pk=pk), project)


@login_required
@require_POST
def answer(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Settle an import that waits for an answer."""
    project = managed_project(request.user, key)
    job = get_object_or_404(project.imports, pk=pk)
    if job.state == ItemImport.State.ASKING:
        discards = request.POST.get("answer") == "discard"
        form = _asked(request, job) if not discards else ConsentToImportForm(request.POST, findings=NOTHING_FOUND)
        if not form.is_valid():
            return _page(request, job, project, form=form, status=422)
        with refusal_messages(request, messages.WARNING):
            _settle(request.user, job, form)
    else:
        messages.warning(request, ANSWERED)
    return redirect("project-import-progress", key=key, pk=pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and delete everything that an import stored."""
    project = managed_project(request.user, key)
    job = get_object_or_404(project.imports, pk=pk)
    asked = Confirmation(
        title=_("Undo this import"),
        says=_(
            "Everything imported from “%(file)s” will be deleted: %(items)s. Plans that include these "
            "items will be removed."
        )
        % {"file": job.name, "items": counted(project.protocol.material, job.imported)},
        button=_("Undo this import"),
        done=_("The import has been undone."),
        back=("project-import-progress", {"key": key, "pk": pk}),
        after=("project-import", {"key": key}),
        danger=True,
        tab="texts",
    )
    return confirm(
        request, project, asked, lambda: undo_import(item_import=job, actor=request.user, now=timezone.now())
    )


def _asked(request: HttpRequest, job: ItemImport) -> Answer:
    """Return the form of what the job asks, with what was sent."""
    if layout := job.findings.get("layout"):
        return LayoutForm(request.POST, layout=layout)
    return ConsentToImportForm(request.POST, findings=job.findings)


def _settle(user: User, job: ItemImport, form: Answer) -> None:
    now = timezone.now()
    if isinstance(form, LayoutForm):
        read_as(job=job, actor=user, now=now, **form.answer())
        run_job.delay_on_commit("import", job.pk)
    elif form.cleaned_data["answer"] == "discard":
        discard(job=job, actor=user, now=now)
    else:
        agree(job=job, kinds=form.kinds_agreed(), actor=user, now=now)
        run_job.delay_on_commit("import", job.pk)


def _page(
    request: HttpRequest,
    job: ItemImport,
    project: Project,
    form: Answer | None = None,
    status: int = 200,
) -> HttpResponse:
    part = "#job" if request.htmx else ""
    values = {"project": project, "tab": "texts", "job": job, "form": form}
    values["worker_alive"] = worker_is_alive(timezone.now())
    if job.state == ItemImport.State.DONE:
        values |= {"first": [] if job.undone_at else _first_rows(project), "may_be_undone": may_be_undone(job)}
        values["screen"] = next((shown.kind for shown in screens_of(project) if shown.kind in JUDGING), "")
    layout = (job.findings or {}).get("layout") if job.state == ItemImport.State.ASKING else None
    if layout:
        values["form"] = form if isinstance(form, LayoutForm) else LayoutForm(layout=layout)
    elif job.state == ItemImport.State.ASKING:
        found = found_kinds(job.findings)
        values |= {"found": found, "can_change": any(finding.wording.consent for finding in found)}
    return render(request, f"projects/import_progress.html{part}", values, status=status)


def _first_rows(project: Project) -> list[tuple[str, list[str]]]:
    """Return the keys and texts of the first items of the project."""
    if project.protocol.material == Material.INCIDENTS:
        incidents = project.incidents.prefetch_related("documents__sentences")[:SHOWN]
        return [(row.key, [_beginning(document) for document in row.documents.all()]) for row in incidents]
    items = project.items.order_by("position")[:SHOWN]
    return [(row.key, row.texts) for row in items]


def _beginning(document: Document) -> str:
    sentences = [sentence.text for sentence in document.sentences.all()]
    return " ".join(sentences[:2]) + (" …" if len(sentences) > 2 else "")
