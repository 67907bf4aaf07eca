"""Registered plans: what a project's owners decided before its judgments were collected."""

import json
from typing import Any, NoReturn

from django.db import models
from django.db.models import Q

from annotation.models import Project, User


class FixedPlan(ValueError):
    """An attempt to change or delete a registered plan."""


class Fixed(models.QuerySet):
    """A QuerySet that refuses changes. Only the deletion of a whole project gets past it."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise FixedPlan("A registered plan cannot be changed or deleted.")

    update = delete = bulk_update = update_or_create = _refuse


class Registration(models.Model):
    """A plan as it was registered; the audit log has its hash too. A further plan is a further row."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="registrations")
    number = models.PositiveIntegerField(help_text="Number within the project, from 1.")
    plan = models.TextField(help_text="In its canonical form: the hash is that of this text in UTF-8.")
    sha256 = models.CharField(max_length=64)
    registered_at = models.DateTimeField()
    registered_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    objects = Fixed.as_manager()

    class Meta:
        ordering = ["project", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_registration_a_number"),
            models.CheckConstraint(condition=~Q(plan="") & ~Q(sha256=""), name="a_registration_has_a_plan"),
        ]

    def __str__(self) -> str:
        return f"{self.project.key} registration {self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise FixedPlan(f"{self} cannot be changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise FixedPlan(f"{self} cannot be deleted.")

    @property
    def document(self) -> dict[str, Any]:
        """Return the plan as JSON."""
        found: dict[str, Any] = json.loads(self.plan)
        return found


class RegistrationDraft(models.Model):
    """What the owners of a project have written for their next registration."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="registration_draft")
    answers = models.JSONField(default=dict, help_text="As `scoring.domain.registrations.plans` reads them.")
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"registration draft of {self.project.key}"
