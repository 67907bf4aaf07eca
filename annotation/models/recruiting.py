"""Recruiting: links, e-mails to addresses, and people who take part without an account."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.assignments import Participation
from annotation.models.jobs import Job
from annotation.models.people import User
from annotation.models.project import Project


class RecruitingOptions(models.Model):
    """A project's requirements for people who come by a link."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="recruiting")
    without_address = models.BooleanField(default=False, help_text="Annotators can start without an email address.")
    stopped_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Days without an answer before annotators are reminded once; empty for never."
    )

    def __str__(self) -> str:
        return f"recruiting for {self.project}"


class InvitationLink(models.Model):
    """A link to a free place of a round. Its uses are the places taken by it."""

    class Kind(models.TextChoices):
        OPEN = "open", _("open")
        PERSONAL = "personal", _("personal")
        STANDING = "standing", _("standing")

    project = models.ForeignKey(Project, models.CASCADE, related_name="links")
    round = models.CharField(max_length=20)
    pool = models.CharField(max_length=20, blank=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.OPEN)
    token = models.CharField(max_length=64, blank=True, help_text="Random; a standing link has a signed one instead.")
    note = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=20, blank=True, help_text="Of the annotators it is for; quotas count them.")
    most = models.PositiveIntegerField(
        null=True, blank=True, help_text="Maximum number of annotators; empty for no limit."
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token"], condition=~Q(token=""), name="one_link_a_token"),
            models.UniqueConstraint(
                fields=["project", "round", "pool"], condition=Q(kind="standing"), name="one_standing_link_a_pool"
            ),
        ]
        indexes = [models.Index(fields=["project", "kind", "-id"], name="links_by_project")]

    def __str__(self) -> str:
        return self.note or f"{self.kind} {self.pk}"

    def has_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


class LinkUse(models.Model):
    """A place that was taken by a link."""

    link = models.ForeignKey(InvitationLink, models.CASCADE, related_name="uses")
    participation = models.OneToOneField(Participation, models.CASCADE, related_name="link_use")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.link} by {self.participation}"


class Guest(models.Model):
    """The mark of an account without a password, made for somebody who takes part in one project.

    The account has their address, if there is one; people from crowd platforms have none. The resume links and codes,
    and the cookies of the browsers in which the person began, depend on the nonce; another nonce makes them invalid.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="guests")
    user = models.OneToOneField(User, models.CASCADE, related_name="guest")
    nonce = models.CharField(max_length=32)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"guest {self.pk}"


class Mailing(Job):
    """Invitations to a list of addresses, sent by a worker."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="mailings")
    round = models.CharField(max_length=20)

    class Meta(Job.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"mailing {self.pk}"


class InvitedAddress(models.Model):
    """A person who is invited by e-mail, with a personal link."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("perhaps sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    project = models.ForeignKey(Project, models.CASCADE, related_name="invited")
    mailing = models.ForeignKey(Mailing, models.CASCADE, related_name="addresses")
    link = models.OneToOneField(InvitationLink, models.CASCADE, related_name="invited")
    round = models.CharField(max_length=20)
    address = models.EmailField(help_text="In small letters.")
    name = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=10, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    problem = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "address"], name="one_invitation_an_address_and_round")
        ]
        indexes = [
            models.Index(fields=["project", "-id"], name="invited_by_project"),
            models.Index(fields=["mailing", "state"], name="invited_by_mailing"),
        ]

    def __str__(self) -> str:
        return f"invited {self.pk}"


class Quota(models.Model):
    """The maximum number of people of a group in a round: of a pool, or who came by links for a language, or both."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="quotas")
    round = models.CharField(max_length=20)
    pool = models.CharField(max_length=20, blank=True)
    language = models.CharField(max_length=20, blank=True)
    most = models.PositiveIntegerField()

    class Meta:
        ordering = ["round", "pool", "language"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "pool", "language"], name="one_quota_a_group"),
            models.CheckConstraint(condition=~Q(pool="", language=""), name="a_quota_has_a_group"),
        ]

    def __str__(self) -> str:
        return f"quota {self.pk}"


class WaitingPerson(models.Model):
    """Somebody who came when a round was full, and is invited when a place opens."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="waiting")
    round = models.CharField(max_length=20)
    pool = models.CharField(max_length=20, blank=True)
    address = models.EmailField(help_text="In small letters.")
    language = models.CharField(
        max_length=10, blank=True, help_text="Language of the page on which they joined the waiting list."
    )
    group = models.CharField(max_length=20, blank=True, help_text="The language of the link by which they came.")
    came_at = models.DateTimeField()
    invited_at = models.DateTimeField(null=True, blank=True)
    link = models.OneToOneField(
        InvitationLink, models.SET_NULL, null=True, blank=True, related_name="waiting", help_text="That they were sent."
    )

    class Meta:
        ordering = ["came_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "pool", "address"], name="waiting_once_for_a_round")
        ]
        indexes = [
            models.Index(fields=["project", "came_at"], condition=Q(invited_at__isnull=True), name="waiting_by_time")
        ]

    def __str__(self) -> str:
        return f"waiting {self.pk}"
