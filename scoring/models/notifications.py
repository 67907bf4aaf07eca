"""What managers are told by email: at once, and in a digest."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from scoring.models.webhooks import Event

UNASKED = (Event.ROUND_FINISHED, Event.JOB_FAILED, Event.BUDGET_REACHED, Event.TARGET_REACHED)
"""The events that managers who have chosen nothing are told about at once."""


def unasked() -> list[str]:
    """Return the default of a manager's events."""
    return [event.value for event in UNASKED]


class NotificationSettings(models.Model):
    """The notifications that an account wants about the projects it manages; without a row, the defaults."""

    class Digest(models.TextChoices):
        NEVER = "never", _("Never")
        DAILY = "daily", _("Every day")
        WEEKLY = "weekly", _("Every Monday")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    digest = models.CharField(max_length=10, choices=Digest, default=Digest.NEVER)
    events = models.JSONField(default=unasked, blank=True, help_text="Emailed immediately.")
    flagged_from = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1)])
    muted = models.ManyToManyField(Project, blank=True, related_name="+")
    digest_at = models.DateTimeField(null=True, blank=True, help_text="When the last digest was sent, or they began.")
    answered = models.JSONField(default=dict, help_text="Answers in the last digest, by the project's id.")

    class Meta:
        verbose_name_plural = "notification settings"

    def __str__(self) -> str:
        return f"notifications of {self.user}"


class Notice(models.Model):
    """An event that a manager is told about by email."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    project = models.ForeignKey(Project, models.CASCADE, related_name="notices")
    event = models.CharField(max_length=20, choices=Event)
    key = models.CharField(max_length=100, help_text="What it is about; nobody is notified of the same thing twice.")
    payload = models.JSONField(encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "project", "event", "key"], name="one_notice_an_event")]
        indexes = [models.Index(fields=["user"], condition=Q(mailed_at__isnull=True), name="notices_to_mail")]

    def __str__(self) -> str:
        return f"{self.event} to {self.user}"
