"""Releases: numbered, immutable sets of files, each with its checksum."""

from collections.abc import Iterable
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from annotation.models import Project
from annotation.models.jobs import Job
from annotation.models.jobs import JobState as State
from scoring.models.runs import Run


class Immutable(ValueError):
    """Something released was about to be changed or deleted."""


class Unfinished(models.QuerySet):
    """Rows that refuse to be deleted if they belong to a release that is done."""

    done: Q

    def delete(self) -> tuple[int, dict[str, int]]:
        if self.filter(self.done).exists():
            raise Immutable("A finished release cannot be deleted.")
        return super().delete()


class UnfinishedReleases(Unfinished):
    done = Q(state=State.DONE)


class UnfinishedFiles(Unfinished):
    done = Q(release__state=State.DONE)


class Release(Job):
    """The files made from a run; once done, they never change."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField(help_text="Number within the project, from 1.")
    run = models.ForeignKey(Run, models.PROTECT, related_name="releases")
    title = models.CharField(max_length=200, blank=True, help_text="Project title when the release was requested.")
    licence = models.CharField(max_length=100, blank=True, help_text="SPDX identifier, for example CC-BY-4.0.")
    options = models.JSONField(default=dict, help_text="Options of the split: sizes, apart, seed.")
    code_version = models.CharField(max_length=50)
    manifest = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    sha256 = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of manifest.json, which lists all other checksums."
    )
    leaderboard_open = models.BooleanField(default=False, help_text="Whether the leaderboard is public.")

    objects = UnfinishedReleases.as_manager()

    class Meta(Job.Meta):
        ordering = ["project", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_release_a_number"),
            models.CheckConstraint(
                condition=~Q(state="done") | (Q(manifest__isnull=False) & ~Q(sha256="")), name="released_has_a_manifest"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.key} release {self.number}"

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save the release; if it is done, only `leaderboard_open` may change."""
        changed = None if update_fields is None else set(update_fields)
        if changed != {"leaderboard_open"} and _is_done(self.pk):
            raise Immutable(f"{self} is finished and cannot be changed.")
        super().save(*args, update_fields=update_fields, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        if _is_done(self.pk):
            raise Immutable(f"{self} is finished and cannot be deleted.")
        return super().delete(*args, **kwargs)


class ReleaseFile(models.Model):
    """One file of a release."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="files")
    name = models.CharField(max_length=200)
    file = models.FileField(upload_to="releases/", max_length=300)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(help_text="Size in bytes.")
    rows = models.PositiveIntegerField(null=True, blank=True)
    media_type = models.CharField(max_length=100)

    objects = UnfinishedFiles.as_manager()

    class Meta:
        ordering = ["release", "name"]
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="one_file_a_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.release}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if _is_done(self.release_id):
            raise Immutable(f"{self.release} is finished, so its files cannot be changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        if _is_done(self.release_id):
            raise Immutable(f"{self.release} is finished, so its files cannot be deleted.")
        return super().delete(*args, **kwargs)


def _is_done(release_id: int | None) -> bool:
    return release_id is not None and Release.objects.filter(pk=release_id, state=State.DONE).exists()
