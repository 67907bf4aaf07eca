"""What is computed from stored judgments: runs, each in parts that workers share."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project


class State(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


class Run(models.Model):
    """One computation over a project's judgments as of a moment: the same seed and snapshot give the same results."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="runs")
    number = models.PositiveIntegerField(help_text="Counts from 1 in the project.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    seed = models.BigIntegerField()
    parameters = models.JSONField(default=dict)
    code_version = models.CharField(max_length=50)
    snapshot = models.FileField(upload_to="runs/", blank=True, help_text="The judgments as arrays, read once.")
    snapshot_sha256 = models.CharField(max_length=64, blank=True)
    as_of = models.DateTimeField(null=True, blank=True, help_text="When the judgments were read.")
    judgments = models.BigIntegerField(null=True, blank=True, help_text="How many there were, superseded ones too.")
    entries = models.BigIntegerField(null=True, blank=True, help_text="How many the audit log had.")
    results = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    error = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="How often a worker began to read the judgments.")
    heartbeat_at = models.DateTimeField(null=True, blank=True, help_text="Last sign of whoever is at it.")
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    drawn_at = models.DateTimeField(null=True, blank=True, help_text="When its figures were drawn.")
    drawing_attempts = models.PositiveSmallIntegerField(default=0, help_text="How often a worker began to draw them.")
    drawing_error = models.TextField(blank=True)

    class Meta:
        ordering = ["project", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_run_a_number"),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(results__isnull=False, ended_at__isnull=False), name="done_has_results"
            ),
            models.CheckConstraint(condition=~Q(state="failed") | ~Q(error=""), name="failed_has_an_error"),
        ]
        indexes = [
            models.Index(fields=["created_at"], condition=Q(state__in=["waiting", "running"]), name="runs_not_ended"),
            models.Index(fields=["ended_at"], condition=Q(state="done", drawn_at__isnull=True), name="runs_not_drawn"),
        ]

    def __str__(self) -> str:
        return f"{self.project.key} run {self.number}"


class RunPart(models.Model):
    """A piece of a run that one worker computes; which worker, and when, makes no difference to the result."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="parts")
    key = models.CharField(max_length=50)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    result = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True, help_text="Last sign of whoever sent it or is at it.")
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "pk"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="one_part_a_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.run}"
