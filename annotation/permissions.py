"""Permissions: who may see and do what."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.db.models import F, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.domain.project.members import has_second_factor
from annotation.models import Membership, Participation, Project, User

Role = Membership.Role
PENDING = "answer sent after the login ran out"
LONGEST_ANSWER = 10_000  # bytes; the session of an unknown visitor should not hold more


def projects_for(user: User, *roles: Membership.Role) -> QuerySet[Project]:
    """Return the projects in which the person has one of these roles, each with its `role`; superusers own all.

    Copies made for a rehearsal belong to nobody.
    """
    projects = Project.objects.filter(rehearsal_of__isnull=True)
    if user.is_superuser:
        return projects.annotate(role=Value(Role.OWNER.value))
    return projects.filter(memberships__user=user, memberships__role__in=roles).annotate(role=F("memberships__role"))


def guard_administrator(user: User) -> None:
    """Raise 404 for people who do not administer the installation, SecondFactorNeeded for those who lack a factor."""
    if not user.is_superuser:
        raise Http404
    if settings.REQUIRE_SECOND_FACTOR and not has_second_factor(user):
        raise SecondFactorNeeded


def administrators_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let only administrators see a page; others learn nothing of it."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        guard_administrator(request.user)
        return view(request, *args, **kwargs)

    return guarded


def may_open_projects(user: User | AnonymousUser) -> bool:
    """Return whether the person may create projects: administrators, and those whom they have allowed it."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or user.opens_projects


def managed_projects(user: User) -> QuerySet[Project]:
    """Return the projects that a person manages or owns."""
    return projects_for(user, Role.OWNER, Role.MANAGER)


def managed_project(user: User, key: str) -> Project:
    """Return the project, or raise 404 for everybody who does not manage it."""
    return _found(user, managed_projects(user), key)


def manages(project: Project) -> bool:
    """Return whether the person for whom the project was found manages or owns it, and so may also make releases."""
    return project.role in (Role.OWNER, Role.MANAGER)


def owned_project(user: User, key: str) -> Project:
    """Return the project, or raise 404 for everybody who does not own it."""
    return _found(user, projects_for(user, Role.OWNER), key)


def researched_projects(user: User) -> QuerySet[Project]:
    """Return the projects whose data a person may read: as their owner, manager or researcher."""
    return projects_for(user, *Role)


def researched_project(user: User, key: str) -> Project:
    """Return the project, or raise 404 for everybody who may not read its data."""
    return _found(user, researched_projects(user), key)


def _found(user: User, projects: QuerySet[Project], key: str) -> Project:
    project = get_object_or_404(projects, key=key)
    if lacks_second_factor(user, project):
        raise SecondFactorNeeded
    return project


def lacks_second_factor(user: User, project: Project) -> bool:
    """Return whether the project, or the installation of its managers, requires a second factor that is not set up."""
    managed = settings.REQUIRE_SECOND_FACTOR and manages(project)
    return (project.requires_second_factor or managed) and not has_second_factor(user)


class SecondFactorNeeded(Exception):
    """Somebody has to set up a second factor before they see a page; the middleware leads them there."""


def own_participation(user: User, pk: int) -> Participation:
    """Return the person's participation, or raise 404 if it is not theirs."""
    return get_object_or_404(Participation.objects.select_related("project", "annotator"), pk=pk, annotator__user=user)


def place_of(user: User | AnonymousUser, project: Project, round_key: str) -> Participation | None:
    """Return the person's participation in a round, or None."""
    if not user.is_authenticated:
        return None
    return Participation.objects.filter(project=project, round=round_key, annotator__user=user).first()


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view behind a sign-in that loses no answer sent after the session expired.

    A script gets 401 and keeps the answer itself. A plain form's answer waits in the session, which survives the login,
    and is taken up by the page that the person returns to.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx:
            return HttpResponse(_("You have been signed out."), status=401, content_type="text/plain")
        size = int(request.META.get("CONTENT_LENGTH") or 0)  # the body of a multipart form is read only once
        if request.method == "POST" and "assignment" in request.POST and size <= LONGEST_ANSWER:
            request.session[PENDING] = {"path": request.path, "fields": request.POST.dict()}
        return redirect_to_login(request.get_full_path() if request.method == "GET" else request.path)

    return checked
