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
from annotation.domain.recruiting.guests import has_account
from annotation.forms.account import EraseForm
from annotation.forms.refusals import refusals
from annotation.models import User
from annotation.models.people import CROWD
from annotation.views.browsers import check_code, has_proved, note_proof


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: HttpRequest) -> HttpResponse:
    """Show what is stored about the person, and erase it on request."""
    if not _is_proved(request):
        return _prove(request)
    form = EraseForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            erase_account(user=User.objects.get(pk=request.user.pk), now=timezone.now())
            logout(request)
            messages.success(request, _("Your account has been erased. Thank you for everything."))
            return redirect("home")
    values = {"form": form, "owned": owned_alone(request.user)}
    return render(request, "home/own_data.html", values, status=422 if form.errors else 200)


def _is_proved(request: HttpRequest) -> bool:
    """Return whether the person has an account, or has lately opened their own link or typed their code."""
    return has_account(request.user) or not hasattr(request.user, "guest") or has_proved(request)


def _prove(request: HttpRequest) -> HttpResponse:
    """Ask people from crowd platforms for their code, and other guests to open their link."""
    problem = ""
    if "code" in request.POST:
        problem = check_code(request, request.user.guest)
        if not problem:
            note_proof(request, request.user)
            return redirect("own-data")
    values = {"problem": problem, "has_code": request.user.username.startswith(CROWD)}
    return render(request, "home/prove.html", values, status=422 if problem else 200)


@login_required
@never_cache
@require_safe
def download(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    if not _is_proved(request):
        return redirect("own-data")
    response = StreamingHttpResponse(stored.own_data(request.user), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="my-semblance-data.json"'
    return response
