"""Messages of managers to participants."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.assignments import Participation
from annotation.models.jobs import Job
from annotation.models.project import Project


class Broadcast(Job):
    """A message to many people: its recipients are fixed when it is requested, and a worker sends it."""

    class Audience(models.TextChoices):
        EVERYBODY = "everybody", _("Everybody except those who left or were excluded")
        NOT_BEGUN = "not begun", _("People who have not started")
        AT_WORK = "at work", _("People in progress")
        RESTING = "resting", _("People who are resting")
        FINISHED = "finished", _("People who have finished")
        CHOSEN = "chosen", _("People selected in the list")

    project = models.ForeignKey(Project, models.CASCADE, related_name="broadcasts")
    key = models.UUIDField(help_text="Of the form that was sent; the same form twice is one message.")
    text = models.TextField()
    recipients = models.JSONField(help_text="Ids of places.")

    class Meta(Job.Meta):
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_broadcast_a_form")]

    def __str__(self) -> str:
        return f"broadcast {self.pk}"


class Message(models.Model):
    """A message about one place: it is sent by e-mail, and shown on the person's screen until they have read it."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="letters")
    broadcast = models.ForeignKey(Broadcast, models.CASCADE, null=True, blank=True, related_name="messages")
    text = models.TextField()
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    sent_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="When it was sent by email.")
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["participation", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["broadcast", "participation"],
                condition=Q(broadcast__isnull=False),
                name="one_message_a_broadcast_and_place",
            )
        ]
        indexes = [
            models.Index(fields=["participation"], condition=Q(read_at__isnull=True), name="messages_unread"),
            models.Index(fields=["sent_at"], condition=Q(mailed_at__isnull=True), name="messages_to_mail"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"


class MailTemplate(models.Model):
    """A project's own text of an e-mail, instead of the one that Semblance has in each language."""

    class Kind(models.TextChoices):
        INVITATION = "invitation", _("Invitation")
        PLACE = "place", _("Invitation from the waiting list")
        REMINDER = "reminder", _("Reminder to people who stopped")

    project = models.ForeignKey(Project, models.CASCADE, related_name="mail_templates")
    kind = models.CharField(max_length=10, choices=Kind)
    subject = models.CharField(max_length=150)
    body = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "kind"], name="one_template_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.project}"


class Unsubscribed(models.Model):
    """An address that gets no more invitations and reminders of a project; only a keyed hash of it is kept."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="unsubscribed")
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "unsubscribed"
        constraints = [models.UniqueConstraint(fields=["project", "digest"], name="unsubscribed_once")]

    def __str__(self) -> str:
        return f"unsubscribed {self.pk}"
