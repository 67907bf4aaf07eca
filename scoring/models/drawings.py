"""The figures of a run, drawn once."""

from django.db import models

from scoring.models.runs import Run


class Drawing(models.Model):
    """A figure of a run: its pictures, the data behind them, and the same in words."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="drawings")
    name = models.CharField(max_length=100)
    title = models.TextField()
    description = models.TextField(help_text="For those who cannot see it.")
    svg = models.TextField()
    png = models.BinaryField()
    csv = models.TextField()

    class Meta:
        ordering = ["run", "pk"]
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="one_drawing_a_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.run}"
