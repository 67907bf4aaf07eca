"""Uploads of releases to public archives, and the tokens for them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.encryption import EncryptedText
from annotation.models import Project, User
from annotation.models.jobs import Job
from scoring.models.releases import Release


class DataArchive(models.TextChoices):
    HUGGING_FACE = "huggingface", "Hugging Face"
    ZENODO = "zenodo", "Zenodo"
    SANDBOX = "zenodo-sandbox", _("Zenodo sandbox (for tests)")


class ArchiveToken(models.Model):
    """A project's token for an archive."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="archive_tokens")
    archive = models.CharField(max_length=20, choices=DataArchive)
    token = EncryptedText(blank=True)
    saved_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["project", "archive"]
        constraints = [models.UniqueConstraint(fields=["project", "archive"], name="one_token_an_archive")]

    def __str__(self) -> str:
        return f"token of {self.project.key} for {self.archive}"


class Upload(Job):
    """The files of a release in an archive: first a draft that only the owner of the token sees, then published.

    As a job it uploads what is missing, and publishes if that is wanted.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="uploads")
    archive = models.CharField(max_length=20, choices=DataArchive)
    name = models.CharField(
        max_length=200, blank=True, help_text="Of a dataset repository on Hugging Face: owner/name."
    )
    outside_id = models.CharField(max_length=200, blank=True, help_text="As the archive names the draft.")
    url = models.URLField("URL", max_length=500, blank=True, help_text="The page in the archive.")
    doi = models.CharField("DOI", max_length=200, blank=True, help_text="Reserved by the archive, or registered.")
    uploaded_at = models.DateTimeField(null=True, blank=True, help_text="When all files were there.")
    publishing = models.BooleanField(default=False, help_text="Whether somebody asked to publish the draft.")
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta(Job.Meta):
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["release", "archive", "name"], name="one_upload_a_release_and_place")
        ]

    def __str__(self) -> str:
        return f"upload of {self.release} to {self.archive}"
