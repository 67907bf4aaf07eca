"""Studies on crowd platforms, as a project's managers settle them, and the bonuses that are paid there."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.crowd.bonuses import (
    LinesRefused,
    note_paid_by_hand,
    payment_lines,
    plan_bonuses,
    planned,
    planned_total,
    settle_payment,
    withdraw_bonus,
)
from annotation.domain.crowd.paying import order_payment
from annotation.domain.crowd.studies import finishers, save_study
from annotation.domain.errors import Refusal
from annotation.domain.waiting import worker_is_alive
from annotation.forms.recruiting import BonusForm, NoteForm, StudyForm
from annotation.models import Bonus, BonusPayment, CrowdStudy, Membership, Platform, Project
from annotation.permissions import managed_project, owned_project
from annotation.tasks import pay_bonuses

A_PAGE = 50
PLACEHOLDERS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: HttpRequest, key: str) -> HttpResponse:
    """Every study of the project, and a form for a new one."""
    project = managed_project(request.user, key)
    form = StudyForm(request.POST or None, project=project)
    if response := _saved(request, form):
        return response
    found = project.studies.annotate(people=Count("submissions__participation", distinct=True))
    page = Paginator(found.order_by("round", "platform", "session", "pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "recruiting", "part": "crowd", "form": form, "page": page}
    return render(request, "projects/studies.html", values, status=422 if form.errors else 200)


def _saved(request: HttpRequest, form: StudyForm) -> HttpResponse | None:
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        study = save_study(study=form.study(), actor=request.user, now=timezone.now())
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return None
    messages.success(request, _("Saved."))
    return redirect("project-study", key=study.project.key, pk=study.pk)


def study_found(request: HttpRequest, key: str, pk: int) -> CrowdStudy:
    return _study_of(managed_project(request.user, key), pk)


def study_to_pay(request: HttpRequest, key: str, pk: int) -> CrowdStudy:
    """Only an owner decides about money: what is paid, and what became of a payment."""
    return _study_of(owned_project(request.user, key), pk)


def _study_of(project: Project, pk: int) -> CrowdStudy:
    study = get_object_or_404(project.studies, pk=pk)
    study.project = project
    return study


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """One study: the address to give to the platform, its settings, and whom to admit to the next one."""
    found = study_found(request, key, pk)
    form = StudyForm(request.POST or None, instance=found, project=found.project)
    if response := _saved(request, form):
        return response
    found = study_found(request, key, pk) if form.errors else found
    sessions = len(found.project.round(found.round).sessions)
    values = {
        "project": found.project,
        "tab": "recruiting",
        "part": "crowd",
        "study": found,
        "form": form,
        "url": _address(request, found),
        "sessions": sessions,
        "ids": finishers(found) if found.session < sessions else None,
    }
    return render(request, "projects/study.html", values, status=422 if form.errors else 200)


def _address(request: HttpRequest, study: CrowdStudy) -> str:
    """What the manager copies into the platform's form."""
    url = request.build_absolute_uri(reverse(f"crowd-{study.platform}", args=[study.project.key, study.round]))
    if study.platform == Platform.PROLIFIC:
        return f"{url}?{PLACEHOLDERS}"
    return f"{url}?session={study.session}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bonuses(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """The ledger of a study."""
    found = study_found(request, key, pk)
    form, faults = BonusForm(request.POST or None), {}
    if request.method == "POST" and form.is_valid():
        try:
            new = plan_bonuses(study=found, actor=request.user, now=timezone.now(), **form.cleaned_data)
            told = ngettext("%(count)s bonus is planned.", "%(count)s bonuses are planned.", len(new))
            messages.success(request, told % {"count": len(new)})
            return redirect("project-bonuses", key=key, pk=pk)
        except LinesRefused as refusal:
            faults = refusal.faults
            form.add_error(None, str(refusal))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    values = _ledger(request, found) | {"form": form, "faults": faults, "note": NoteForm()}
    part = "#payments" if request.htmx else ""
    return render(request, f"projects/bonuses.html{part}", values, status=422 if form.errors else 200)


def _ledger(request: HttpRequest, study: CrowdStudy) -> dict[str, object]:
    rows = study.bonuses.select_related("participation__annotator__user", "payment").order_by("-pk")
    working = study.payments.filter(state__in=["waiting", "preparing", "paying"])
    sums = study.bonuses.order_by("state", "currency").values("state", "currency")
    sums = sums.annotate(total=Sum("amount"), people=Count("pk"))
    orders = study.payments.annotate(people=Count("bonuses"), total=Sum("bonuses__amount"))
    return {
        "project": study.project,
        "tab": "recruiting",
        "part": "crowd",
        "study": study,
        "page": Paginator(rows, A_PAGE).get_page(request.GET.get("page")),
        "sums": [one | {"state": Bonus.State(one["state"]).label} for one in sums],
        "planned": planned(study).count(),
        "total": planned_total(study),
        "may_pay": study.project.role == Membership.Role.OWNER,
        "unsettled": orders.filter(state__in=["uncertain", "failed"], people__gt=0),
        "working": list(working),
        "can_pay": study.platform == Platform.PROLIFIC and bool(settings.PROLIFIC_API_TOKEN),
        "worker_alive": worker_is_alive(timezone.now()),
    }


@login_required
@require_safe
def bonus_lines(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """What is planned, in the form that Prolific's page for bonuses takes."""
    found = study_found(request, key, pk)
    text = "".join(f"{line}\n" for line in payment_lines(planned(found)))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.project.key}-{found.round}-bonuses.csv"'
    return response


@login_required
@require_POST
def pay(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    found = study_to_pay(request, key, pk)
    try:
        order_payment(study=found, total=request.POST.get("total", ""), actor=request.user, now=timezone.now())
        pay_bonuses.delay_on_commit()
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-bonuses", key=key, pk=pk)


@login_required
@require_POST
def paid_by_hand(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    found = study_to_pay(request, key, pk)
    try:
        note = request.POST.get("note", "")[:500]
        note_paid_by_hand(study=found, note=note, actor=request.user, now=timezone.now())
        messages.success(request, _("Noted as paid."))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-bonuses", key=key, pk=pk)


@login_required
@require_POST
def withdraw(request: HttpRequest, key: str, pk: int, bonus: int) -> HttpResponse:
    found = study_found(request, key, pk)
    try:
        row = get_object_or_404(found.bonuses, pk=bonus)
        withdraw_bonus(bonus=row, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-bonuses", key=key, pk=pk)


@login_required
@require_POST
def settle(request: HttpRequest, key: str, pk: int, payment: int) -> HttpResponse:
    """What a person found out about an order of which nobody knows whether it was paid."""
    found = study_to_pay(request, key, pk)
    order: BonusPayment = get_object_or_404(found.payments, pk=payment)
    form = NoteForm(request.POST)
    try:
        if form.is_valid() and form.cleaned_data["outcome"]:
            paid = form.cleaned_data["outcome"] == "paid"
            note = form.cleaned_data["note"]
            settle_payment(payment=order, paid=paid, note=note, actor=request.user, now=timezone.now())
            messages.success(request, _("Noted."))
        else:
            messages.error(request, _("Please say how you know; the log keeps it."))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-bonuses", key=key, pk=pk)
