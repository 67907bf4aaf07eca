"""Questions to participants about themselves, and their answers."""

from django.db import models

from annotation.models.people import Annotator
from annotation.models.project import Project


class QuestionKind(models.TextChoices):
    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    COUNTRY = "country"
    LANGUAGE = "language"


class Question(models.Model):
    """A question about the person, asked once in a project, before the work; it may be skipped."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="questions")
    position = models.PositiveIntegerField(help_text="Counts from 1.")
    kind = models.CharField(max_length=10, choices=QuestionKind, default=QuestionKind.TEXT)
    text = models.CharField(max_length=300)
    help = models.CharField(max_length=300, blank=True)
    choices = models.JSONField(default=list, blank=True, help_text="Of a choice: a list of texts.")
    published = models.BooleanField(default=False, help_text="Whether answers may leave the project with its data.")

    class Meta:
        ordering = ["project", "position", "pk"]

    def __str__(self) -> str:
        return self.text


class PersonalAnswer(models.Model):
    """A person's answer to a question; a skipped question has none."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="personal_answers")
    question = models.ForeignKey(Question, models.CASCADE, related_name="answers")
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["question", "pk"]
        constraints = [models.UniqueConstraint(fields=["annotator", "question"], name="one_answer_a_question")]

    def __str__(self) -> str:
        return f"answer to question {self.question_id}"
