"""The notifications that a manager wants."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.domain.notifications.digests import reported
from scoring.domain.notifications.subscribers import settings_of
from scoring.forms.notifications import NotificationForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: HttpRequest) -> HttpResponse:
    """Show and store what the account is emailed about; the first digest comes when the next one is due."""
    own, projects = settings_of(request.user), reported(request.user).order_by("title")
    form = NotificationForm(request.POST or None, instance=own, projects=projects)
    if request.method == "POST" and form.is_valid():
        if "digest" in form.changed_data:
            form.instance.digest_at = timezone.now()
        form.save()
        messages.success(request, _("Your notifications are saved."))
        return redirect("notifications")
    values = {"form": form, "address": request.user.email}
    return render(request, "home/notifications.html", values, status=422 if form.errors else 200)
