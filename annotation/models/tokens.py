"""Keys of the API."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from annotation.models.project import Project


class ApiToken(AbstractAuthToken):
    """A key of an account, of which only a hash is stored."""

    class Scope(models.TextChoices):
        READ = "read", _("Read")
        WRITE = "write", _("Read, and start runs and releases")

    name = models.CharField(max_length=100, blank=True, help_text="What it is for, such as the name of a notebook.")
    scope = models.CharField(max_length=5, choices=Scope, default=Scope.READ)
    project = models.ForeignKey(
        Project, models.CASCADE, null=True, blank=True, related_name="api_tokens", help_text="Empty for all."
    )

    class Meta:
        ordering = ["-created", "pk"]

    def __str__(self) -> str:
        return self.name or self.token_key

    @property
    def is_over(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()
