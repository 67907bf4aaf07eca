"""The webhooks of a project, for its managers: added, tested, switched off and removed, with their deliveries."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models.jobs import NOT_ENDED
from annotation.permissions import managed_project
from annotation.tasks import run_job
from annotation.views.confirming import Confirmation, confirm
from scoring.domain.webhooks.addresses import add_webhook, remove_webhook, request_test, switch_webhook
from scoring.domain.webhooks.webhook_delivery import SIGNATURE
from scoring.forms.results import WebhookForm
from scoring.models import Event, Webhook

A_PAGE = 25


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, key: str) -> HttpResponse:
    """List the webhooks, and add one; its secret is shown once, in the answer to its form."""
    project = managed_project(request.user, key)
    form, made = WebhookForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        with refusals(form, "url"):
            made = add_webhook(project=project, actor=request.user, now=timezone.now(), **form.cleaned_data)
            form = WebhookForm()
    page = Paginator(project.webhooks.order_by("pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "webhooks", "form": form, "made": made, "page": page, "signature": SIGNATURE}
    return render(request, "projects/webhooks.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def webhook(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show one webhook with its deliveries; the page polls until a test has ended."""
    hook = found(request, key, pk)
    page = Paginator(hook.deliveries.order_by("-pk"), A_PAGE).get_page(request.GET.get("page"))
    testing = any(delivery.event == Event.TEST and delivery.state in NOT_ENDED for delivery in page)
    values = {"project": hook.project, "tab": "webhooks", "hook": hook, "page": page, "testing": testing}
    values["worker_alive"] = worker_is_alive(timezone.now())
    part = "#deliveries" if request.htmx else ""
    return render(request, f"projects/webhook.html{part}", values)


@login_required
@require_POST
def test(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    hook = found(request, key, pk)
    with refusal_messages(request):
        delivery = request_test(hook=hook, now=timezone.now())
        run_job.delay_on_commit("delivery", delivery.pk)
    return redirect("project-webhook", key=key, pk=pk)


@login_required
@require_POST
def switch(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    on = request.POST.get("on") == "1"
    switch_webhook(hook=found(request, key, pk), on=on, actor=request.user, now=timezone.now())
    messages.success(request, _("Webhook enabled.") if on else _("Webhook disabled."))
    return redirect("project-webhook", key=key, pk=pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and remove a webhook with the list of its deliveries."""
    hook = found(request, key, pk)
    asked = Confirmation(
        title=_("Remove webhook"),
        says=_(
            "%(url)s will get no more messages, and the list of deliveries will be deleted. This cannot be undone. "
            "Disable the webhook instead to keep it."
        )
        % {"url": hook.url},
        button=_("Remove webhook"),
        done=_("Webhook removed, together with its deliveries."),
        back=("project-webhook", {"key": key, "pk": pk}),
        after=("project-webhooks", {"key": key}),
        danger=True,
        tab="webhooks",
    )
    return confirm(
        request, hook.project, asked, lambda: remove_webhook(hook=hook, actor=request.user, now=timezone.now())
    )


def found(request: HttpRequest, key: str, pk: int) -> Webhook:
    project = managed_project(request.user, key)
    hook = get_object_or_404(project.webhooks, pk=pk)
    hook.project = project
    return hook
