"""Webhooks, and every delivery to them."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.encryption import EncryptedText
from annotation.models import Project
from annotation.models.jobs import Job


class Event(models.TextChoices):
    LAUNCHED = "project.launched", _("Project launched")
    ROUND_FINISHED = "round.finished", _("Round finished")
    RUN_FINISHED = "run.finished", _("Scoring run finished")
    RELEASE_MADE = "release.made", _("Release made")
    JOB_FAILED = "job.failed", _("Background job failed")
    FLAGGED = "people.flagged", _("Annotators flagged")
    BUDGET_REACHED = "budget.reached", _("Budget reached")
    TARGET_REACHED = "target.reached", _("Round in waves ended")
    TEST = "test", _("Test message")


PROJECT_EVENTS = tuple(event for event in Event if event != Event.TEST)
"""The events of a project; a test is only sent on request."""


class Webhook(models.Model):
    """An address that receives the events of a project."""

    class Format(models.TextChoices):
        JSON = "json", _("JSON, with a signature")
        SLACK = "slack", _("Slack message (also Mattermost and others)")

    project = models.ForeignKey(Project, models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    secret = EncryptedText(help_text="Signs the requests.")
    message_format = models.CharField(max_length=10, choices=Format, default=Format.JSON)
    events = models.JSONField(default=list, help_text="Events to send; empty for all.")
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project", "pk"]
        constraints = [models.UniqueConstraint(fields=["project", "url"], name="one_webhook_an_address")]

    def __str__(self) -> str:
        return self.url

    @property
    def event_titles(self) -> list[str]:
        """Return the titles of the chosen events; an empty list for all."""
        return [Event(event).label for event in self.events]


class Delivery(Job):
    """One event for one webhook: sent until it is accepted or given up."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20, choices=Event)
    key = models.CharField(max_length=100, help_text="Subject of the event; each subject is sent once.")
    payload = models.JSONField(encoder=DjangoJSONEncoder)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Status of the last response.")

    class Meta(Job.Meta):
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "event", "key"], name="one_delivery_an_event")]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
