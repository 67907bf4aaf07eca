"""Runs of statistics over stored judgments, in parts that workers share."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from annotation.models import Project
from annotation.models.jobs import Job


class Run(Job):
    """One computation over a project's judgments at a moment: the same seed and snapshot give the same results.

    A worker lays its parts out, any number of workers compute them, and one merges the results.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="runs")
    number = models.PositiveIntegerField(help_text="Number within the project, from 1.")
    seed = models.BigIntegerField()
    parameters = models.JSONField(default=dict)
    code_version = models.CharField(max_length=50)
    snapshot = models.FileField(upload_to="runs/", blank=True, help_text="Judgments as arrays.")
    snapshot_sha256 = models.CharField(max_length=64, blank=True)
    as_of = models.DateTimeField(null=True, blank=True, help_text="Time at which the judgments were read.")
    judgments = models.BigIntegerField(
        null=True, blank=True, help_text="Number of judgments, including superseded ones."
    )
    entries = models.BigIntegerField(null=True, blank=True, help_text="Number of entries in the audit log.")
    results = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    drawn_at = models.DateTimeField(null=True, blank=True, help_text="Time at which the figures were rendered.")

    class Meta(Job.Meta):
        ordering = ["project", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_run_a_number"),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(results__isnull=False, ended_at__isnull=False), name="done_has_results"
            ),
            models.CheckConstraint(condition=~Q(state="failed") | ~Q(problem=""), name="failed_has_an_error"),
        ]

    def __str__(self) -> str:
        return f"{self.project.key} run {self.number}"


class RunPart(Job):
    """A piece of a run that one worker computes; the result is the same whichever worker does it, and when."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="parts")
    key = models.CharField(max_length=50)
    result = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)

    class Meta(Job.Meta):
        ordering = ["run", "pk"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="one_part_a_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.run}"
