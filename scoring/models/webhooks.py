"""Addresses that are told when something has ended, and every attempt to tell them."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from scoring.models.runs import State


class Event(models.TextChoices):
    ROUND_FINISHED = "round.finished", _("a round is finished")
    RUN_FINISHED = "run.finished", _("a run is finished")
    RELEASE_MADE = "release.made", _("a release is made")
    TEST = "test", _("a test")


TOLD = (Event.ROUND_FINISHED, Event.RUN_FINISHED, Event.RELEASE_MADE)
"""What a webhook is told of by itself; a test only when somebody asks for one."""


class Webhook(models.Model):
    """An address to tell."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=100, help_text="Signs what is sent.")
    events = models.JSONField(default=list, help_text="Of which events; empty for all.")
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project", "pk"]
        constraints = [models.UniqueConstraint(fields=["project", "url"], name="one_webhook_an_address")]

    def __str__(self) -> str:
        return self.url

    @property
    def event_titles(self) -> list[str]:
        """What it is told of, in words; empty for all."""
        return [Event(event).label for event in self.events]


class Delivery(models.Model):
    """One event for one address: sent until it is taken, or given up."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20, choices=Event)
    key = models.CharField(max_length=100, help_text="What it is about; the same is told once.")
    payload = models.JSONField(encoder=DjangoJSONEncoder)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(help_text="When to try, or to try again.")
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of the last answer.")
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "event", "key"], name="one_delivery_an_event")]
        indexes = [models.Index(fields=["next_at"], condition=Q(state="waiting"), name="deliveries_to_send")]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
