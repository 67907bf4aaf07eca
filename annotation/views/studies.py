"""Studies on crowd platforms, with their settings and bonuses, for a project's managers."""

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.recruiting.crowd import bonuses as ledger
from annotation.domain.recruiting.crowd.payment import order_payment
from annotation.domain.recruiting.crowd.prolific_values import PLACEHOLDERS
from annotation.domain.recruiting.crowd.studies import finishers, save_study
from annotation.domain.recruiting.crowd.wallets import allow_payments, can_pay_on, save_aws_key, save_token, wallet_of
from annotation.forms.crowd import BonusForm, NoteForm, StudyForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import Bonus, BonusPayment, CrowdStudy, Membership, Platform, Project
from annotation.models.jobs import NOT_ENDED
from annotation.permissions import managed_project, owned_project
from annotation.tasks import run_job
from annotation.views.confirming import Confirmation

A_PAGE = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: HttpRequest, key: str) -> HttpResponse:
    """Show every study of the project, and add one."""
    project = managed_project(request.user, key)
    form = StudyForm(request.POST or None, project=project)
    if response := _saved(request, form):
        return response
    found = project.studies.annotate(people=Count("submissions__participation", distinct=True))
    found = found.select_related("prolific")
    page = Paginator(found.order_by("round", "platform", "session", "pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "crowd", "form": form, "page": page}
    values |= {"wallet": wallet_of(project), "owns": project.role == Membership.Role.OWNER}
    return render(request, "projects/studies.html", values, status=422 if form.errors else 200)


def _saved(request: HttpRequest, form: StudyForm) -> HttpResponse | None:
    if request.method != "POST" or not form.is_valid():
        return None
    with refusals(form):
        study = save_study(study=form.study(), actor=request.user, now=timezone.now())
        messages.success(request, _("Saved."))
        return redirect("project-study", key=study.project.key, pk=study.pk)
    return None


@login_required
@require_POST
def wallet(request: HttpRequest, key: str) -> HttpResponse:
    """Store or remove the token with which the project pays."""
    project = owned_project(request.user, key)
    save_token(project=project, token=request.POST.get("token", "")[:500], actor=request.user, now=timezone.now())
    messages.success(request, _("Saved."))
    return redirect("project-studies", key=key)


@login_required
@require_POST
def aws_key(request: HttpRequest, key: str) -> HttpResponse:
    """Store or remove the key of Amazon with which the project pays."""
    project = owned_project(request.user, key)
    given = {name: request.POST.get(name, "")[:128] for name in ("key_id", "secret")}
    with refusal_messages(request):
        sandbox = "sandbox" in request.POST
        save_aws_key(project=project, **given, sandbox=sandbox, actor=request.user, now=timezone.now())
        messages.success(request, _("Saved."))
    return redirect("project-studies", key=key)


@login_required
@require_POST
def allow(request: HttpRequest, key: str) -> HttpResponse:
    """Let an administrator decide whether owners without a second factor may pay."""
    project = owned_project(request.user, key)
    with refusal_messages(request):
        allowed = request.POST.get("allowed") == "yes"
        allow_payments(project=project, allowed=allowed, actor=request.user, now=timezone.now())
        messages.success(request, _("Saved."))
    return redirect("project-studies", key=key)


def study_found(request: HttpRequest, key: str, pk: int) -> CrowdStudy:
    return _study_of(managed_project(request.user, key), pk)


def study_to_pay(request: HttpRequest, key: str, pk: int) -> CrowdStudy:
    """Return the study to an owner only, because payments are decided by owners."""
    return _study_of(owned_project(request.user, key), pk)


def _study_of(project: Project, pk: int) -> CrowdStudy:
    study = get_object_or_404(project.studies, pk=pk)
    study.project = project
    return study


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show one study: its address for the platform, its settings, and whom to admit to the next session."""
    found = study_found(request, key, pk)
    form = StudyForm(request.POST or None, instance=found, project=found.project)
    if response := _saved(request, form):
        return response
    found = study_found(request, key, pk) if form.errors else found
    sessions = len(found.project.round(found.round).sessions)
    ids = finishers(found) if found.session < sessions else None
    values = {"project": found.project, "tab": "crowd", "study": found, "form": form}
    values |= {"url": _address(request, found), "sessions": sessions, "ids": ids}
    return render(request, "projects/study.html", values, status=422 if form.errors else 200)


def _address(request: HttpRequest, study: CrowdStudy) -> str:
    """Return the address that the manager copies into the platform's form."""
    url = request.build_absolute_uri(reverse(f"crowd-{study.platform}", args=[study.project.key, study.round]))
    if study.platform == Platform.PROLIFIC:
        return f"{url}?{PLACEHOLDERS}"
    return f"{url}?session={study.session}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bonuses(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show the bonuses of a study, and plan new ones."""
    found = study_found(request, key, pk)
    form = BonusForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            new = ledger.plan_bonuses(study=found, actor=request.user, now=timezone.now(), **form.cleaned_data)
            text = ngettext("%(count)s bonus planned.", "%(count)s bonuses planned.", len(new))
            messages.success(request, text % {"count": len(new)})
            return redirect("project-bonuses", key=key, pk=pk)
    values = _ledger(request, found) | {"form": form, "note": NoteForm()}
    part = "#payments" if request.htmx else ""
    return render(request, f"projects/bonuses.html{part}", values, status=422 if form.errors else 200)


def _ledger(request: HttpRequest, study: CrowdStudy) -> dict[str, object]:
    rows = study.bonuses.select_related("participation__annotator__user", "payment").order_by("-pk")
    sums = study.bonuses.order_by("state", "currency").values("state", "currency")
    sums = sums.annotate(total=Sum("amount"), people=Count("pk"))
    unpaid = ~Q(bonuses__state=Bonus.State.SENT)
    orders = study.payments.annotate(
        people=Count("bonuses", filter=unpaid), amount=Sum("bonuses__amount", filter=unpaid)
    )
    return {"project": study.project, "tab": "crowd", "study": study} | {
        "page": Paginator(rows, A_PAGE).get_page(request.GET.get("page")),
        "sums": [row | {"state": Bonus.State(row["state"]).label} for row in sums],
        "planned": ledger.planned(study).count(),
        "total": ledger.planned_total(study),
        "may_pay": study.project.role == Membership.Role.OWNER,
        "unsettled": orders.filter(state__in=["uncertain", "failed"], people__gt=0),
        "working": list(study.payments.filter(state__in=NOT_ENDED)),
        "can_pay": can_pay_on(study.project, study.platform),
        "worker_alive": worker_is_alive(timezone.now()),
    }


@login_required
@require_safe
def bonus_lines(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Return the planned bonuses in the format of Prolific's page for bonuses."""
    found = study_found(request, key, pk)
    text = "".join(f"{line}\n" for line in ledger.payment_lines(ledger.planned(found)))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.project.key}-{found.round}-bonuses.csv"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and order the payment of everything planned; the total that is shown is the one that is paid."""
    found = study_to_pay(request, key, pk)
    raise_if_reauthentication_required(request, app="allauth.account")
    if request.method != "POST":
        return _asked_to_pay(request, found)
    with refusal_messages(request):
        total = request.POST.get("total", "")
        payment = order_payment(study=found, total=total, actor=request.user, now=timezone.now())
        run_job.delay_on_commit("payment", payment.pk)
    return redirect("project-bonuses", key=key, pk=pk)


def _asked_to_pay(request: HttpRequest, study: CrowdStudy) -> HttpResponse:
    total, number = ledger.planned_total(study), ledger.planned(study).count()
    words = ngettext(
        "%(number)s bonus will be paid through %(platform)s, %(total)s in all. This cannot be undone.",
        "%(number)s bonuses will be paid through %(platform)s, %(total)s in all. This cannot be undone.",
        number,
    )
    asked = Confirmation(
        title=_("Pay bonuses"),
        says=words % {"number": number, "total": total, "platform": study.get_platform_display()},
        button=_("Pay"),
        done="",
        back=("project-bonuses", {"key": study.project.key, "pk": study.pk}),
        danger=True,
        tab="crowd",
        fields={"total": str(total)},
    )
    return render(request, "projects/confirm.html", {"project": study.project, "asked": asked, "tab": asked.tab})


@login_required
@require_POST
def paid_by_hand(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    found = study_to_pay(request, key, pk)
    with refusal_messages(request):
        note = request.POST.get("note", "")[:500]
        ledger.note_paid_by_hand(study=found, note=note, actor=request.user, now=timezone.now())
        messages.success(request, _("Marked as paid."))
    return redirect("project-bonuses", key=key, pk=pk)


@login_required
@require_POST
def withdraw(request: HttpRequest, key: str, pk: int, bonus: int) -> HttpResponse:
    found = study_found(request, key, pk)
    with refusal_messages(request):
        row = get_object_or_404(found.bonuses, pk=bonus)
        ledger.withdraw_bonus(bonus=row, actor=request.user, now=timezone.now())
    return redirect("project-bonuses", key=key, pk=pk)


@login_required
@require_POST
def settle(request: HttpRequest, key: str, pk: int, payment: int) -> HttpResponse:
    """Store what a person found out about a payment of unknown outcome."""
    found = study_to_pay(request, key, pk)
    order: BonusPayment = get_object_or_404(found.payments, pk=payment)
    form = NoteForm(request.POST)
    with refusal_messages(request):
        if form.is_valid() and form.cleaned_data["outcome"]:
            paid = form.cleaned_data["outcome"] == "paid"
            note = form.cleaned_data["note"]
            ledger.settle_payment(payment=order, paid=paid, note=note, actor=request.user, now=timezone.now())
            messages.success(request, _("The outcome has been recorded."))
        else:
            messages.error(request, _("Explain how you know. The explanation is stored in the audit log."))
    return redirect("project-bonuses", key=key, pk=pk)
