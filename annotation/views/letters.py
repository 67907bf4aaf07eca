"""Messages from a project's managers to a person."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotation.domain.messages.messages import mark_read
from annotation.models import Message
from annotation.permissions import own_participation, signed_in


@signed_in
@require_http_methods(["GET", "POST"])
def read(request: HttpRequest, pk: int, message: int) -> HttpResponse:
    """Mark a message as read; after an expired login the redirect comes by GET, which changes nothing."""
    participation = own_participation(request.user, pk)
    letter = get_object_or_404(Message, pk=message, participation=participation)
    if request.method == "POST":
        mark_read(message=letter, now=timezone.now())
    return redirect("work", pk=pk)
