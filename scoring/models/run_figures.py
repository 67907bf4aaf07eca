"""The figures of a run, drawn once."""

from django.db import models

from annotation.models.jobs import Job
from scoring.models.runs import Run


class FigureRendering(Job):
    """The job that draws the figures of a finished run."""

    run = models.OneToOneField(Run, models.CASCADE, related_name="rendering")

    def __str__(self) -> str:
        return f"figures of {self.run}"


class RunFigure(models.Model):
    """A figure of a run: its pictures, its data, and a description."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="figures")
    name = models.CharField(max_length=100)
    title = models.TextField()
    description = models.TextField(help_text="Text alternative for screen readers.")
    svg = models.TextField()
    png = models.BinaryField()
    csv = models.TextField()

    class Meta:
        ordering = ["run", "pk"]
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="one_drawing_a_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.run}"
