"""The waves in which the pool of an open round is opened, and what was found after each."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.jobs import Job
from annotation.models.project import Project


class Decision(models.TextChoices):
    """What a look at the judgments after a wave led to."""

    CONTINUE = "continue", _("Another wave")
    TARGET = "target", _("Target reached")
    BUDGET = "budget", _("Budget spent")
    LOOKS = "looks", _("Last wave")
    ROOM = "room", _("No item can get more judgments")
    MANAGER = "manager", _("Stopped by a manager")


class Wave(Job):
    """A wave of judgments of a round. As a job it waits until they are given; then a worker looks at what is known.

    `created_at` is when it was opened, `ended_at` when its look ended.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="waves")
    round = models.CharField(max_length=20)
    number = models.PositiveIntegerField(help_text="Counts from 1 in the round.")
    seed = models.BigIntegerField(help_text="Of the look after it, which orders items that gain equally.")
    opened = models.PositiveIntegerField(help_text="Judgments that it added to the pool.")
    entries = models.PositiveIntegerField(help_text="Items or tuples that they are for.")
    found = models.JSONField(null=True, blank=True, help_text="What the look found; null before that.")
    decision = models.CharField(max_length=10, choices=Decision, blank=True)
    further = models.PositiveIntegerField(
        null=True, blank=True, help_text="Judgments that a manager opened after it, whatever was found."
    )

    class Meta(Job.Meta):
        ordering = ["project", "round", "number"]
        constraints = [models.UniqueConstraint(fields=["project", "round", "number"], name="one_wave_a_number")]

    def __str__(self) -> str:
        return f"wave {self.number} of {self.round}"
