"""Projects, the plans of their rounds, and the log of what people did to them."""

from functools import cached_property

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import RegexValidator
from django.db import models

from annotation.protocols.spec import Protocol, Round
from annotation.protocols.storing import protocol_from_json

KEY_PATTERN = r"^[a-z0-9][a-z0-9-]{0,49}$"
LANGUAGE_PATTERN = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"


class Project(models.Model):
    """One data collection, run by its own copy of a protocol."""

    key = models.CharField(
        max_length=50,
        unique=True,
        validators=[RegexValidator(KEY_PATTERN, "Small letters, digits and hyphens, at most 50.")],
    )
    title = models.CharField(max_length=200)
    protocol_json = models.JSONField("protocol")
    seed = models.BigIntegerField(default=0)
    language = models.CharField(
        max_length=35,
        blank=True,
        validators=[RegexValidator(LANGUAGE_PATTERN, "A language tag such as en, cs or ar-EG.")],
        help_text="BCP 47, of texts that name none.",
    )
    guidelines = models.TextField(blank=True, help_text="Markdown, shown to annotators.")
    consent = models.TextField(blank=True, help_text="Markdown; annotators agree to it before they begin.")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True, help_text="A closed project takes no answers.")

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.title

    @cached_property
    def protocol(self) -> Protocol:
        return protocol_from_json(self.protocol_json)

    def round(self, key: str) -> Round:
        return self.protocol.round(key)


class RoundPlan(models.Model):
    """That a round was planned: by which seed, and what came out. Planning again adds a row."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="plans")
    round = models.CharField(max_length=20)
    seed = models.BigIntegerField()
    outcome = models.JSONField(encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project", "pk"]

    def __str__(self) -> str:
        return f"{self.project.key} {self.round}"


class AuditEntry(models.Model):
    """Something that a person or the system did, with the reason given."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="audit_entries")
    participation = models.ForeignKey("annotation.Participation", models.CASCADE, null=True, blank=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    action = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["project", "-at"], name="audit_by_project")]

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d %H:%M}"
