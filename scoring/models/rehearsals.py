"""Rehearsals: a copy of a project that simulated people go through, so that its managers see what comes of it."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from annotation.models import Project
from scoring.models.runs import State


class Rehearsal(models.Model):
    """One rehearsal as a job: what was asked for, how far it is, and what came of it.

    The copy goes when somebody discards the rehearsal; it never counts into the project.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="own_rehearsals")
    copy = models.OneToOneField(Project, models.SET_NULL, null=True, blank=True, related_name="rehearsal")
    people = models.PositiveIntegerField(null=True, blank=True, help_text="Of a round at the most; empty for all.")
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    step = models.CharField(max_length=20, blank=True, help_text="The round that is at work.")
    done = models.PositiveIntegerField(default=0, help_text="People of that round who are done.")
    total = models.PositiveIntegerField(default=0)
    results = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    problem = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(state__in=["waiting", "running"]), name="rehearsals_not_ended"
            )
        ]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.project.key}"
