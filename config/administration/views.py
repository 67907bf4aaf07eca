"""The pages of administrators; everybody else learns nothing of them."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.account.rights import change_rights
from annotation.domain.jobs.control import listed_jobs
from annotation.domain.project.members import has_second_factor
from annotation.forms.refusals import refusals
from annotation.keyset import keyset_page
from annotation.models import JobState, Project, User
from annotation.permissions import administrators_only
from annotation.queries.projects import open_projects
from config.administration.effective_settings import effective_settings
from config.administration.forms import AccountFilterForm, RightsForm
from config.operation.readiness import readiness

PARTS = {
    "database": gettext_lazy("Database"),
    "broker": gettext_lazy("Queue of background jobs"),
    "worker": gettext_lazy("Worker"),
    "storage": gettext_lazy("File storage"),
}
STATUS = {
    "ok": gettext_lazy("Everything works."),
    "degraded": gettext_lazy("Pages work, but something else does not."),
    "failing": gettext_lazy("Pages cannot be served."),
}


@administrators_only
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show whether all parts of the installation work, and how much there is."""
    ready = readiness()
    checks = [{"check": check, "title": PARTS[check.name]} for check in ready.checks]
    values = {"tab": "overview", "checks": checks, "ready": ready, "says": STATUS[ready.status]}
    values |= {"projects": _projects(), "accounts": _accounts(), "failed_jobs": _failed_jobs()}
    return render(request, "administration/overview.html", values)


def _projects() -> dict[str, int]:
    """Return how many projects there are, and how many are running; copies made for a rehearsal are left out."""
    projects = Project.objects.filter(rehearsal_of__isnull=True)
    return {"all": projects.count(), "running": open_projects().count()}


def _accounts() -> dict[str, int]:
    administrators = Q(is_superuser=True, is_active=True)
    return User.objects.aggregate(all=Count("pk"), administrators=Count("pk", filter=administrators))


def _failed_jobs() -> int:
    return listed_jobs(project=None, state=JobState.FAILED).count()


@administrators_only
@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """List the accounts, the newest first."""
    form = AccountFilterForm(request.GET or None)
    page = keyset_page(form.accounts(), "id", descending=True, cursor=request.GET.get("cursor", ""))
    rows = User.objects.filter(pk__in=page.ids).annotate(projects=Count("memberships")).order_by("-pk")
    values = {"tab": "accounts", "form": form, "rows": rows, "page": page}
    return render(request, "administration/accounts.html", values)


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an account with its projects, and change its rights."""
    user = get_object_or_404(User, pk=pk)
    initial: dict[str, Any] = {name: getattr(user, name) for name in RightsForm.base_fields}
    form = RightsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            change_rights(user=user, rights=form.rights(), actor=request.user, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("administration-account", pk=pk)
    memberships = user.memberships.select_related("project").order_by("project__title")
    values = {"tab": "accounts", "account": user, "form": form, "memberships": memberships}
    values["second_factor"] = has_second_factor(user)
    return render(request, "administration/account.html", values, status=422 if form.errors else 200)


@administrators_only
@require_safe
def shown_settings(request: HttpRequest) -> HttpResponse:
    """Show the settings in effect, without secrets."""
    values = {"tab": "settings", "rows": list(effective_settings())}
    return render(request, "administration/settings.html", values)
