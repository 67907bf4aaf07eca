"""The API keys of a person."""

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.domain.account.tokens import make_token
from annotation.forms.tokens import TokenForm
from annotation.models import ApiToken
from annotation.permissions import researched_projects
from annotation.views.confirming import Confirmation, confirm


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the keys, and make a new one; a key is shown once, in the answer to its form."""
    projects = researched_projects(request.user).order_by("title")
    form = TokenForm(request.POST or None, projects=projects)
    values = {"form": form, "projects": projects}
    if projects and form.is_valid():
        values["made"], values["key"] = make_token(user=request.user, **form.cleaned_data)
        values["form"] = TokenForm(projects=projects)
    values["tokens"] = ApiToken.objects.filter(user=request.user).select_related("project")
    return render(request, "home/tokens.html", values, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, key: str) -> HttpResponse:
    """Ask, and revoke a token."""
    token = get_object_or_404(ApiToken, user=request.user, token_key=key)
    asked = Confirmation(
        title=_("Revoke token"),
        says=_(
            "Programs that use the token “%(token)s” lose access at once. This cannot be undone, but you can create a "
            "new token for them."
        )
        % {"token": token},
        button=_("Revoke token"),
        done=_("The token “%(token)s” has been revoked.") % {"token": token},
        back=("tokens", {}),
        danger=True,
    )
    return confirm(request, None, asked, token.delete)
