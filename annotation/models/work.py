"""Imports as jobs, and the worker's sign of life."""

from django.db import models

from annotation.models.jobs import Job
from annotation.models.project import Project


class ItemImport(Job):
    """A file of items, imported all or not at all; or a corpus of sentences, from which pairs are built.

    If a check is requested, nothing is stored before somebody has seen the findings and agreed.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="imports")
    file = models.FileField(upload_to="imports/")
    name = models.CharField(max_length=255)
    imported = models.PositiveIntegerField(default=0)
    check_texts = models.BooleanField(default=False, help_text="Check the texts before importing, and ask.")
    expletives = models.JSONField(default=list, help_text="Words to look for, in addition to the built-in list.")
    mix = models.JSONField(null=True, blank=True, help_text="For a corpus: how many pairs by which heuristic.")
    findings = models.JSONField(null=True, blank=True, help_text="What the check found; the spread of built pairs.")
    encoding = models.CharField(max_length=20, blank=True, help_text="As it was confirmed; empty for UTF-8 and UTF-16.")
    columns = models.JSONField(default=dict, help_text="Other names for columns of the file, by their names there.")
    cleaning = models.JSONField(null=True, blank=True, help_text="The kinds of changes agreed to; null before that.")
    problems = models.JSONField(default=list, help_text="The bad rows of a file that was refused.")
    undone_at = models.DateTimeField(null=True, blank=True, help_text="When its items were deleted again.")

    class Meta(Job.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class JudgmentUpload(Job):
    """A file of judgments collected elsewhere, of Semblance's own or of another program.

    Nothing is stored before somebody has seen what is in it. The file is deleted when the job ends: it may name people.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="judgment_uploads")
    file = models.FileField(upload_to="judgments/")
    name = models.CharField(max_length=255)
    format = models.CharField(max_length=20, blank=True, help_text="As it was chosen; empty to recognize it.")
    options = models.JSONField(default=dict, help_text="The round, the question, and what to do with which rows.")
    findings = models.JSONField(null=True, blank=True, help_text="What is in the file.")
    confirmed = models.BooleanField(default=False, help_text="Whether somebody agreed to what is in it.")
    problems = models.JSONField(default=list, help_text="The bad rows of a file that was refused.")

    class Meta(Job.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Heartbeat(models.Model):
    """The time when the worker was last seen."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at}"
