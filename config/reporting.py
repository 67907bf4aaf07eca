"""Where somebody who has found a weakness reports it (RFC 9116)."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

VALID_FOR = timedelta(days=180)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Answer security.txt with the contact of the settings; 404 without one."""
    contact = settings.SECURITY_CONTACT
    if not contact:
        raise Http404
    lines = {
        "Contact": contact if ":" in contact else f"mailto:{contact}",
        "Expires": (timezone.now() + VALID_FOR).strftime("%Y-%m-%dT00:00:00Z"),
        "Canonical": f"{settings.PUBLIC_URL}/.well-known/security.txt",
        "Preferred-Languages": "en",
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
