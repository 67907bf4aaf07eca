"""Accounts, roles in a project, and the annotators of a project."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models.project import Project
from annotation.unknown import is_unknown

GUEST, CROWD = "guest-", "crowd-"  # how the user names begin that are given to people without an account
PLATFORMS = {"prolific:": "Prolific ", "mturk:": "MTurk "}  # how outside ids begin, and what people call them


class User(AbstractUser):
    """An account; the same person may annotate in one project and manage another."""

    language = models.CharField(
        max_length=10, blank=True, help_text="Of pages and e-mails; empty: as the browser asks."
    )
    time_zone = models.CharField(max_length=64, blank=True, help_text="An IANA name such as Europe/Prague.")
    opens_projects = models.BooleanField(default=False, help_text="May open projects of their own.")

    @property
    def shown_name(self) -> str:
        """What stands for the account on pages; the names of guests' accounts were drawn by chance."""
        made_up = not self.email and self.username.startswith((GUEST, CROWD))
        return gettext("Guest") if made_up else self.email or self.username


class Membership(models.Model):
    """What an account may do in a project besides annotating."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        MANAGER = "manager", _("Manager")
        RESEARCHER = "researcher", _("Researcher")

    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_role_a_person_and_project")]

    def __str__(self) -> str:
        return f"{self.user} as {self.role} of {self.project}"


class MemberInvitation(models.Model):
    """A role that waits for somebody who has no account yet; who opens its link takes it."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="member_invitations")
    email = models.EmailField()
    role = models.CharField(max_length=20, choices=Membership.Role)
    invited_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    invited_at = models.DateTimeField()

    class Meta:
        ordering = ["project", "email"]
        constraints = [models.UniqueConstraint(fields=["project", "email"], name="one_invitation_an_address")]

    def __str__(self) -> str:
        return f"{self.email} as {self.role} of {self.project}"


class Installation(models.Model):
    """The one row that says that this installation has got its first administrator, and when."""

    administered_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_installation")]

    def __str__(self) -> str:
        return f"administered since {self.administered_at:%Y-%m-%d}"


class Annotator(models.Model):
    """A person in a project, over all its rounds: an account here, or somebody known by an outside id only."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="annotators")
    external_id = models.CharField(max_length=200, blank=True)
    pseudonym = models.CharField(max_length=20)
    guest_number = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of somebody with neither an address nor an outside id; from 1 in the project."
    )
    erased_at = models.DateTimeField(null=True, blank=True, help_text="When they had everything about them erased.")
    asked_at = models.DateTimeField(
        null=True, blank=True, help_text="When they answered or skipped the questions about themselves."
    )

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
            models.UniqueConstraint(fields=["project", "guest_number"], name="one_annotator_a_guest_number"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def unknown(self) -> bool:
        """Whether this only stands in for people whom nobody knows."""
        return is_unknown(self.pseudonym)

    @property
    def name(self) -> str:
        """By what managers know the person: the id that they came with, their address, or the number of a guest."""
        if self.external_id:
            return self._outside_name()
        if self.guest_number is not None and not (self.user and self.user.email):
            return gettext("Guest %(number)s") % {"number": self.guest_number}
        return self.user.shown_name if self.user else self.pseudonym

    def _outside_name(self) -> str:
        for beginning, platform in PLATFORMS.items():
            if self.external_id.startswith(beginning):
                return platform + self.external_id.removeprefix(beginning)
        return self.external_id
