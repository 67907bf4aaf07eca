"""Work that a Celery worker does: each job is a row."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.project import Project


class ItemImport(models.Model):
    """A file of items, brought in all or not at all; or a corpus of sentences, from which pairs are built.

    Where a check is asked for, nothing is stored before somebody has seen what was found and has agreed.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        ASKING = "asking", _("Asking")
        DONE = "done", _("Done")
        REFUSED = "refused", _("Refused")
        FAILED = "failed", _("Failed")

    project = models.ForeignKey(Project, models.CASCADE, related_name="imports")
    file = models.FileField(upload_to="imports/")
    name = models.CharField(max_length=255)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    imported = models.PositiveIntegerField(default=0)
    check_texts = models.BooleanField(default=False, help_text="Look through the texts first, and ask.")
    expletives = models.JSONField(default=list, help_text="Words to look for, beside those that are at hand.")
    mix = models.JSONField(null=True, blank=True, help_text="For a corpus: how many pairs by which heuristic.")
    findings = models.JSONField(null=True, blank=True, help_text="What the check found; the spread of built pairs.")
    cleaning = models.JSONField(null=True, blank=True, help_text="The kinds of changes agreed to; null before that.")
    problems = models.JSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["created_at"], condition=Q(state__in=["waiting", "running"]), name="imports_not_ended")
        ]

    def __str__(self) -> str:
        return self.name


class Heartbeat(models.Model):
    """When the worker was last seen."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at}"
