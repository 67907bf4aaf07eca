"""Practice before the work: examples, practice tasks with feedback, and a check."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.assignments import Participation
from annotation.models.project import Project


class PracticePart(models.TextChoices):
    EXAMPLE = "example", _("Example")
    PRACTICE = "practice", _("Practice")
    CHECK = "check", _("Check")


class PracticeTask(models.Model):
    """A made-up tuple with the right choice and an explanation. Its texts are not items of the project."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="practice_tasks")
    part = models.CharField(max_length=10, choices=PracticePart)
    position = models.PositiveIntegerField(help_text="Counts from 1 in its part.")
    texts = models.JSONField(help_text="A list of texts for each item: two of a pair, one of an utterance.")
    turns = models.JSONField(default=list, blank=True, help_text="Of the dialogue: objects with speaker and text.")
    language = models.CharField(max_length=35, blank=True)
    best = models.PositiveSmallIntegerField(help_text="Which item, counted from 1.")
    worst = models.PositiveSmallIntegerField(help_text="Which item, counted from 1.")
    why = models.TextField(blank=True, help_text="Markdown, shown with the solution.")

    class Meta:
        ordering = ["project", "part", "position"]
        constraints = [models.UniqueConstraint(fields=["project", "part", "position"], name="one_task_a_position")]

    def __str__(self) -> str:
        return f"{self.part} {self.position}"


class PracticeAnswer(models.Model):
    """One answer to a practice task or to a task of the check."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="practice_answers")
    task = models.ForeignKey(PracticeTask, models.CASCADE, related_name="answers")
    attempt = models.PositiveSmallIntegerField(default=1)
    best = models.PositiveSmallIntegerField()
    worst = models.PositiveSmallIntegerField()
    right = models.BooleanField()
    answered_at = models.DateTimeField()
    seen_at = models.DateTimeField(
        null=True, blank=True, help_text="Of a practice task: when the annotator had read the solution and continued."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["participation", "task", "attempt"], name="one_answer_an_attempt"),
            models.CheckConstraint(condition=~Q(best=models.F("worst")), name="practised_best_is_not_worst"),
        ]

    def __str__(self) -> str:
        return f"{self.task}, attempt {self.attempt}"
