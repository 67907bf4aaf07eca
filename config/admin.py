"""Removes from the administration pages the rows of libraries that nobody needs to change: groups, which give no rights
here, the results of background tasks, and the tables of single sign-on, whose provider is in the settings."""

from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import Group
from django.http import Http404, HttpRequest
from django_celery_results.admin import GroupResult, TaskResult

from annotation.permissions import guard_administrator

admin.site.unregister([Group, GroupResult, TaskResult, SocialAccount, SocialApp, SocialToken])


def administers(request: HttpRequest) -> bool:
    """Return whether the person may open these pages. Raise SecondFactorNeeded as the pages of administrators do."""
    try:
        guard_administrator(request.user)
    except Http404:
        return False
    return request.user.is_active


admin.site.has_permission = administers
