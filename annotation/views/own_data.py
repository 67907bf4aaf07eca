"""A person's data: downloaded as a file, or erased."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.account import own_data as stored
from annotation.domain.account.erasure import erase_account, owned_alone
from annotation.forms.account import EraseForm
from annotation.forms.refusals import refusals
from annotation.models import User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: HttpRequest) -> HttpResponse:
    """Show what is stored about the person, and erase it on request."""
    form = EraseForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            erase_account(user=User.objects.get(pk=request.user.pk), now=timezone.now())
            logout(request)
            messages.success(request, _("Your account is erased. Thank you for everything."))
            return redirect("home")
    values = {"form": form, "owned": owned_alone(request.user)}
    return render(request, "home/own_data.html", values, status=422 if form.errors else 200)


@login_required
@never_cache
@require_safe
def download(request: HttpRequest) -> StreamingHttpResponse:
    response = StreamingHttpResponse(stored.own_data(request.user), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="my-semblance-data.json"'
    return response
