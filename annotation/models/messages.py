"""What managers write to people of the project."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.assignments import Participation
from annotation.models.project import Project


class Circular(models.Model):
    """A message to many: who gets it is settled when it is asked for, and a worker sends it."""

    class Audience(models.TextChoices):
        EVERYBODY = "everybody", _("everybody who is not excluded and has not left")
        NOT_BEGUN = "not begun", _("those who have not answered anything yet")
        AT_WORK = "at work", _("those who are at work")
        RESTING = "resting", _("those who rest")
        FINISHED = "finished", _("those who have finished")
        CHOSEN = "chosen", _("those who were ticked in the list of people")

    project = models.ForeignKey(Project, models.CASCADE, related_name="circulars")
    key = models.UUIDField(help_text="Of the form that was sent; the same form twice is one message.")
    text = models.TextField()
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    recipients = models.JSONField(help_text="Ids of places.")
    asked_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When a worker had sent it to everybody.")

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_circular_a_form")]
        indexes = [models.Index(fields=["asked_at"], condition=Q(sent_at__isnull=True), name="circulars_not_sent")]

    def __str__(self) -> str:
        return f"circular {self.pk}"


class Message(models.Model):
    """A message about one place: it goes out by e-mail, and stands on the person's screen until they have read it."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="letters")
    circular = models.ForeignKey(Circular, models.CASCADE, null=True, blank=True, related_name="messages")
    text = models.TextField()
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    sent_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="When it went out by e-mail.")
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["participation", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["circular", "participation"],
                condition=Q(circular__isnull=False),
                name="one_message_a_circular_and_place",
            )
        ]
        indexes = [
            models.Index(fields=["participation"], condition=Q(read_at__isnull=True), name="messages_unread"),
            models.Index(fields=["sent_at"], condition=Q(mailed_at__isnull=True), name="messages_to_mail"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"
