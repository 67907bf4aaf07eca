"""The addresses that a project tells, for its managers: added, tried, switched off and removed, with what was sent."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.waiting import worker_is_alive
from annotation.permissions import managed_project
from scoring.domain.telling import SIGNATURE
from scoring.domain.webhooks import add_webhook, remove_webhook, request_test, switch_webhook
from scoring.forms.results import WebhookForm
from scoring.models import Event, State, Webhook
from scoring.tasks import send_delivery

A_PAGE = 25


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, key: str) -> HttpResponse:
    """The list, and a form for a new one, whose secret is shown in the answer to it and never again."""
    project = managed_project(request.user, key)
    form, made = WebhookForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            made = add_webhook(project=project, actor=request.user, now=timezone.now(), **form.cleaned_data)
            form = WebhookForm()
        except Refusal as refusal:
            form.add_error("url", str(refusal))
    page = Paginator(project.webhooks.order_by("pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "releases", "form": form, "made": made, "page": page, "signature": SIGNATURE}
    return render(request, "projects/webhooks.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def webhook(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """One address with what it was sent; the page watches a test until it has ended."""
    hook = found(request, key, pk)
    page = Paginator(hook.deliveries.order_by("-pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {
        "project": hook.project,
        "tab": "releases",
        "hook": hook,
        "page": page,
        "testing": any(one.event == Event.TEST and one.state == State.WAITING for one in page),
        "worker_alive": worker_is_alive(timezone.now()),
    }
    part = "#deliveries" if request.htmx else ""
    return render(request, f"projects/webhook.html{part}", values)


@login_required
@require_POST
def test(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    hook = found(request, key, pk)
    try:
        delivery = request_test(hook=hook, now=timezone.now())
        send_delivery.delay_on_commit(delivery.pk)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-webhook", key=key, pk=pk)


@login_required
@require_POST
def switch(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    on = request.POST.get("on") == "1"
    switch_webhook(hook=found(request, key, pk), on=on, actor=request.user, now=timezone.now())
    messages.success(request, _("The webhook is switched on.") if on else _("The webhook is switched off."))
    return redirect("project-webhook", key=key, pk=pk)


@login_required
@require_POST
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    remove_webhook(hook=found(request, key, pk), actor=request.user, now=timezone.now())
    messages.success(request, _("The webhook is removed, and what it was sent is forgotten."))
    return redirect("project-webhooks", key=key)


def found(request: HttpRequest, key: str, pk: int) -> Webhook:
    project = managed_project(request.user, key)
    hook = get_object_or_404(project.webhooks, pk=pk)
    hook.project = project
    return hook
