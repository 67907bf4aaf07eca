"""Access of a person, with their token, to projects."""

from django.db.models import QuerySet
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from annotation.models import ApiToken, Project
from annotation.permissions import researched_projects


class WithinScope(BasePermission):
    """Allows a read-only token nothing but reading."""

    message = "This token is read-only."

    def has_permission(self, request: Request, view: object) -> bool:
        reads = request.method in SAFE_METHODS or not isinstance(request.auth, ApiToken)
        return reads or request.auth.scope == ApiToken.Scope.WRITE


def open_projects(request: Request) -> QuerySet[Project]:
    """Return the projects that the request may read; others answer as if they did not exist."""
    projects = researched_projects(request.user)
    if isinstance(request.auth, ApiToken) and request.auth.project_id is not None:
        return projects.filter(pk=request.auth.project_id)
    return projects
