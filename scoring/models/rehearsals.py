"""Rehearsals: simulated annotators complete a copy of a project, so that its managers see the results."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from annotation.models import Project
from annotation.models.jobs import Job


class Rehearsal(Job):
    """One rehearsal as a job: its request, progress and results. The copy goes when the rehearsal is discarded."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="own_rehearsals")
    copy = models.OneToOneField(Project, models.SET_NULL, null=True, blank=True, related_name="rehearsal")
    people = models.PositiveIntegerField(
        null=True, blank=True, help_text="Maximum number of annotators per round; empty for no limit."
    )
    seed = models.BigIntegerField(default=0)
    results = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)

    class Meta(Job.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.project.key}"
