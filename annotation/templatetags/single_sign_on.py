"""What pages show of single sign-on: nothing where it is not configured."""

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()


@register.simple_tag
def single_sign_on() -> dict[str, object] | None:
    """Return the provider's name, the URL that a form is sent to, and whether there are no passwords beside it."""
    if not settings.OIDC_URL:
        return None
    url = reverse("openid_connect_login", args=["sso"])
    return {"name": settings.OIDC_NAME, "url": url, "only": settings.OIDC_ONLY}
