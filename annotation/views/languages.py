"""The language of the pages: chosen in the footer, stored with the account for its e-mails."""

from allauth.account.signals import user_signed_up
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from annotation.domain.languages import keep_language
from annotation.models import User


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Store the chosen language in a cookie and with the account, and show the page again."""
    chosen = request.POST.get("language", "")
    if request.user.is_authenticated and chosen in dict(settings.LANGUAGES):
        keep_language(request.user, chosen)
    return set_language(request)


@receiver(user_signed_up)
def keep_language_of_new_account(request: HttpRequest, user: User, **kwargs: object) -> None:
    keep_language(user, get_language())
