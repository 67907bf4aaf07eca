"""The audit log of a project. Rows are added, and never changed or deleted: see `guarding`."""

from typing import Any, NoReturn

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.project import Project


class Unchangeable(ValueError):
    """An attempt to change or delete an entry of the log."""


class Entries(models.QuerySet):
    """A QuerySet that refuses changes. Only Django's own updates of references get past it and past the database."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Unchangeable("The log is neither changed nor deleted.")

    update = delete = bulk_update = update_or_create = _refuse


class AuditEntry(models.Model):
    """An act of a person or the system, with its reason.

    It holds no name: references to people become empty when an account or a project is deleted.
    """

    class By(models.TextChoices):
        SYSTEM = "system", _("the system")
        MEMBER = "member", _("a member")
        ANNOTATOR = "annotator", _("the annotator")

    project = models.ForeignKey(Project, models.SET_NULL, null=True, related_name="audit_entries")
    project_key = models.CharField(max_length=50)
    participation = models.ForeignKey("annotation.Participation", models.SET_NULL, null=True, blank=True)
    place = models.CharField(max_length=60, blank=True, help_text="Round and number of the place, if it is about one.")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    by = models.CharField(max_length=10, choices=By, default=By.SYSTEM)
    action = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    at = models.DateTimeField()

    objects = Entries.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit entries"
        constraints = [models.CheckConstraint(condition=~Q(project_key=""), name="an_entry_names_its_project")]
        indexes = [
            models.Index(fields=["project", "-at"], name="audit_by_project"),
            models.Index(fields=["project", "action", "-at"], name="audit_by_action"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Unchangeable("An entry of the log is not changed.")
        self.project_key = self.project_key or self.project.key
        self.place = str(self.participation or "")
        if self.actor_id is not None and self.by == self.By.SYSTEM:
            self.by = self.By.MEMBER
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Unchangeable("An entry of the log is not deleted.")
