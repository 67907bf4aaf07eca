"""Studies of Prolific, created and run from here: draft, checklist, cost, publishing, pause and more places."""

from functools import partial

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd import prolific_studies as domain
from annotation.domain.recruiting.crowd.prolific_checks import checks_of, estimated_minutes, hourly_pay
from annotation.domain.recruiting.crowd.screeners import add_screener, remove_screener, screeners_of
from annotation.domain.recruiting.crowd.wallets import wallet_of
from annotation.domain.recruiting.links import places_of
from annotation.forms.prolific import MorePlacesForm, ProlificForm, ScreenerForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import CrowdStudy, Membership, Project, ProlificStudy
from annotation.permissions import managed_project, owned_project
from annotation.views.confirming import Confirmation, confirm

FORM = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(FORM)
def new(request: HttpRequest, key: str) -> HttpResponse:
    """Ask for the settings of a study, and create its draft at Prolific."""
    project = managed_project(request.user, key)
    form = ProlificForm(request.POST or None, project=project, minutes=_minutes_of_first(project))
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            now, study = timezone.now(), form.study()
            draft = domain.create_draft(study=study, draft=form.draft(), actor=request.user, now=now)
            messages.success(request, _("The draft was created at Prolific. It costs nothing until it is published."))
            return redirect("project-prolific", key=key, pk=draft.study_id)
    values = {"project": project, "tab": "crowd", "form": form, "has_token": bool(wallet_of(project).token)}
    return render(request, "projects/prolific_new.html", values, status=422 if form.errors else 200)


def _minutes_of_first(project: Project) -> int | None:
    round_key, pool = next(iter(places_of(project)))
    return estimated_minutes(CrowdStudy(project=project, round=round_key, pool=pool, session=1))


def _draft(project: Project, pk: int) -> ProlificStudy:
    """Return the settings of a study that was created from here, or raise 404."""
    study = get_object_or_404(project.studies.select_related("prolific"), pk=pk, prolific__isnull=False)
    study.project = project
    draft = study.prolific
    draft.study = study
    return draft


@login_required
@require_http_methods(FORM)
def study(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show a study as Prolific last reported it, with its checklist, and change the settings of a draft."""
    draft = _draft(managed_project(request.user, key), pk)
    minutes = estimated_minutes(draft.study)
    form = ProlificForm(request.POST or None, instance=draft, project=draft.study.project, minutes=minutes)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            domain.change_draft(draft=form.draft(), actor=request.user, now=timezone.now())
            messages.success(request, _("Saved here and at Prolific."))
            return redirect("project-prolific", key=key, pk=pk)
    shown = _draft(managed_project(request.user, key), pk) if form.errors else draft
    values = _page(shown) | {"form": form}
    return render(request, "projects/prolific.html", values, status=422 if form.errors else 200)


def _page(draft: ProlificStudy) -> dict[str, object]:
    project = draft.study.project
    checks = list(checks_of(draft, domain.address_of(draft.study))) if draft.is_draft else []
    return {
        "project": project,
        "tab": "crowd",
        "study": draft.study,
        "draft": draft,
        "checks": checks,
        "ready": all(check.done for check in checks),
        "reward": draft.reward / 100,
        "pay": hourly_pay(draft),
        "owns": project.role == Membership.Role.OWNER,
        "more": MorePlacesForm(),
    }


@login_required
@require_POST
def refresh(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Read the state of a study from Prolific."""
    with refusal_messages(request):
        domain.refresh(draft=_draft(managed_project(request.user, key), pk), now=timezone.now())
    return redirect("project-prolific", key=key, pk=pk)


@login_required
@require_http_methods(FORM)
def publish(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask with the cost, and publish."""
    draft = _draft(owned_project(request.user, key), pk)
    raise_if_reauthentication_required(request, app="allauth.account")
    try:
        cost = domain.cost_to_publish(draft)
    except Refusal as refusal:
        return _refused(request, draft, refusal)
    says = _("Publishing this study reserves %(cost)s. It cannot be undone, but you can pause the study.")
    asked = _asked(
        draft,
        title=_("Publish the study"),
        says=says % {"cost": _in_words(draft, cost)},
        button=_("Publish for %(total)s %(currency)s") % {"total": cost.total, "currency": draft.currency},
        done=_("The study is published."),
        fields={"seen": cost.mark},
    )
    seen, now = request.POST.get("seen", ""), timezone.now()
    act = partial(domain.publish, draft=draft, seen=seen, actor=request.user, now=now)
    return confirm(request, draft.study.project, asked, act)


def _in_words(draft: ProlificStudy, cost: domain.Cost) -> str:
    """Return the sum with its parts, as Prolific calculates it."""
    words = _("%(total)s %(currency)s: %(places)s × %(reward)s = %(rewards)s in rewards, and %(fees)s in fees and VAT")
    values = {"total": cost.total, "currency": draft.currency, "places": cost.places, "fees": cost.fees}
    return words % (values | {"reward": draft.reward / domain.HUNDRED, "rewards": cost.rewards})


def _refused(request: HttpRequest, draft: ProlificStudy, refusal: Refusal) -> HttpResponse:
    messages.error(request, str(refusal))
    return redirect("project-prolific", key=draft.study.project.key, pk=draft.study_id)


def _asked(draft: ProlificStudy, **words: object) -> Confirmation:
    page = ("project-prolific", {"key": draft.study.project.key, "pk": draft.study_id})
    return Confirmation(back=page, tab="crowd", **words)


@login_required
@require_http_methods(FORM)
def pause(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and pause a study; managers may, because it stops spending."""
    draft = _draft(managed_project(request.user, key), pk)
    asked = _asked(
        draft,
        title=_("Pause the study"),
        says=_("Nobody new can start. Participants who have started can finish. An owner can resume the study."),
        button=_("Pause"),
        done=_("The study is paused."),
    )
    act = partial(domain.pause, draft=draft, actor=request.user, now=timezone.now())
    return confirm(request, draft.study.project, asked, act)


@login_required
@require_http_methods(FORM)
def resume(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and resume a paused study."""
    draft = _draft(owned_project(request.user, key), pk)
    raise_if_reauthentication_required(request, app="allauth.account")
    asked = _asked(
        draft,
        title=_("Resume the study"),
        says=_("Participants can take the remaining places, which were paid for when the study was published."),
        button=_("Resume"),
        done=_("The study is running again."),
    )
    act = partial(domain.resume, draft=draft, actor=request.user, now=timezone.now())
    return confirm(request, draft.study.project, asked, act)


@login_required
@require_http_methods(FORM)
def places(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask with the cost of more places, and add them."""
    draft = _draft(owned_project(request.user, key), pk)
    raise_if_reauthentication_required(request, app="allauth.account")
    form = MorePlacesForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return _refused(request, draft, Refusal(_("Enter the number of places to add.")))
    number = form.cleaned_data["places"]
    try:
        cost = domain.cost_to_add(draft, number)
    except Refusal as refusal:
        return _refused(request, draft, refusal)
    asked = _asked(
        draft,
        title=_("Add places"),
        says=_("Adding these places costs %(cost)s. It cannot be undone.") % {"cost": _in_words(draft, cost)},
        button=_("Add places for %(total)s %(currency)s") % {"total": cost.total, "currency": draft.currency},
        done=_("The places were added."),
        fields={"seen": cost.mark, "places": str(number)},
    )
    seen, now = request.POST.get("seen", ""), timezone.now()
    act = partial(domain.add_places, draft=draft, places=number, seen=seen, actor=request.user, now=now)
    return confirm(request, draft.study.project, asked, act)


@login_required
@require_http_methods(FORM)
def screener(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Let a manager choose a screener and its values."""
    draft = _draft(managed_project(request.user, key), pk)
    try:
        offered = screeners_of(draft.study.project)
    except Refusal as refusal:
        return _refused(request, draft, refusal)
    values = {"project": draft.study.project, "tab": "crowd", "study": draft.study, "offered": offered.values()}
    chosen = offered.get(request.GET.get("filter", ""))
    if chosen is None:
        return render(request, "projects/prolific_screener.html", values)
    form = ScreenerForm(request.POST or None, screener=chosen)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            which = {"draft": draft, "filter_id": chosen["filter_id"]} | form.cleaned_data
            add_screener(actor=request.user, now=timezone.now(), **which)
            return redirect("project-prolific", key=key, pk=pk)
    values |= {"form": form, "chosen": chosen}
    return render(request, "projects/prolific_screener.html", values, status=422 if form.errors else 200)


@login_required
@require_POST
def without_screener(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Remove a screener."""
    draft = _draft(managed_project(request.user, key), pk)
    with refusal_messages(request):
        filter_id = request.POST.get("filter", "")
        remove_screener(draft=draft, filter_id=filter_id, actor=request.user, now=timezone.now())
    return redirect("project-prolific", key=key, pk=pk)
