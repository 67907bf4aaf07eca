"""Accounts, roles in a project, and the annotators of a project."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from annotation.models.project import Project


class User(AbstractUser):
    """An account; the same person may annotate in one project and manage another."""

    time_zone = models.CharField(max_length=64, blank=True, help_text="An IANA name such as Europe/Prague.")


class Membership(models.Model):
    """What an account may do in a project besides annotating."""

    class Role(models.TextChoices):
        MANAGER = "manager"
        RESEARCHER = "researcher"

    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_role_a_person_and_project")]

    def __str__(self) -> str:
        return f"{self.user} as {self.role} of {self.project}"


class Annotator(models.Model):
    """A person in a project, over all its rounds: an account here, or somebody known by an outside id only."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="annotators")
    external_id = models.CharField(max_length=200, blank=True)
    pseudonym = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user"], condition=Q(user__isnull=False), name="one_annotator_an_account"
            ),
            models.UniqueConstraint(
                fields=["project", "external_id"],
                condition=~Q(external_id=""),
                name="one_annotator_an_outside_id",
            ),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="one_annotator_a_pseudonym"),
        ]

    def __str__(self) -> str:
        return str(self.user) if self.user_id else self.external_id
