"""Who may see and do what."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from annotation.models import Membership, Participation, Project, User

PENDING = "answer sent after the login ran out"
LONGEST_ANSWER = 10_000  # bytes; the session of somebody unknown is no place for more


def managed_projects(user: User):
    """The projects that a person manages; a superuser manages all."""
    if user.is_superuser:
        return Project.objects.all()
    return Project.objects.filter(memberships__user=user, memberships__role=Membership.Role.MANAGER)


def managed_project(user: User, key: str) -> Project:
    """The project, or 404 for everybody who does not manage it."""
    return get_object_or_404(managed_projects(user), key=key)


def own_participation(user: User, pk: int) -> Participation:
    """The person's own participation, or 404."""
    return get_object_or_404(Participation.objects.select_related("project", "annotator"), pk=pk, annotator__user=user)


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Asks for the login, and loses no answer that was sent after it ran out.

    A script gets 401 and keeps the answer itself. A plain form's answer waits in the session, which survives the
    login, and is taken up by the page that the person returns to.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx:
            return HttpResponse("Your login has run out.", status=401, content_type="text/plain")
        size = int(request.META.get("CONTENT_LENGTH") or 0)  # the body of a multipart form is read only once
        if request.method == "POST" and "assignment" in request.POST and size <= LONGEST_ANSWER:
            request.session[PENDING] = {"path": request.path, "fields": request.POST.dict()}
        return redirect_to_login(request.get_full_path() if request.method == "GET" else request.path)

    return checked
