"""Template tags about the installation, for pages of managers and administrators."""

from typing import Any

from django import template
from django.conf import settings
from django.utils import timezone

from annotation.domain.jobs.silence import silence

register = template.Library()


@register.simple_tag
def code_version() -> str:
    """Return the version of Semblance, as runs and releases name it."""
    return settings.CODE_VERSION


@register.inclusion_tag("_silence.html", takes_context=True)
def worker_notice(context: template.Context) -> dict[str, Any]:
    """Return the values of the banner about a missing worker; without a project, with the jobs of all projects."""
    found = silence(timezone.now(), context.get("project"))
    administers = bool(found) and context["request"].user.is_superuser
    return {"silence": found, "administers": administers, "project": context.get("project")}
