"""The common part of all background work; each kind is a model that inherits it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    WAITING = "waiting", _("Queued")
    RUNNING = "running", _("Running")
    ASKING = "asking", _("Needs an answer")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    UNCERTAIN = "uncertain", _("Uncertain")
    CANCELLED = "cancelled", _("Cancelled")


NOT_ENDED = (JobState.WAITING, JobState.RUNNING)
ENDED = (JobState.DONE, JobState.FAILED, JobState.UNCERTAIN, JobState.CANCELLED)


class Job(models.Model):
    """A piece of background work with its requester, its state, its progress and its result.

    `attempts` is the number of the claim: a worker that holds an earlier one is taken for lost, and its results are
    dropped. A running job without a heartbeat waits for other jobs, its parts.
    """

    State = JobState

    state = models.CharField(max_length=10, choices=JobState, default=JobState.WAITING)
    attempts = models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")
    attempts_before = models.PositiveIntegerField(
        default=0, help_text="Attempts made before it was queued again; they do not count towards the limit."
    )
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="Last sign of the worker, or when it was last sent to one."
    )
    not_before = models.DateTimeField(null=True, blank=True, help_text="When to try, or to try again.")
    step = models.CharField(max_length=20, blank=True, help_text="What is being done.")
    done = models.PositiveIntegerField(default=0, help_text="How much of this step is done.")
    total = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True, help_text="When the latest attempt began.")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        indexes: ClassVar = [
            models.Index(
                fields=["created_at"], condition=Q(state__in=["waiting", "running"]), name="%(class)s_not_ended"
            ),
            models.Index(fields=["-created_at"], name="%(class)s_by_time"),
        ]

    @property
    def tries(self) -> int:
        """Return the number of attempts that count towards the limit."""
        return self.attempts - self.attempts_before
