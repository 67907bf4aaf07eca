"""Accounts, roles in a project, and the annotators of a project."""

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.encryption import EncryptedText
from annotation.models.project import Project
from annotation.prepared import Prepared
from annotation.unknown import is_unknown

GUEST, CROWD = "guest-", "crowd-"  # how the user names begin that are given to people without an account
PLATFORMS = {"prolific:": "Prolific ", "mturk:": "MTurk "}  # how outside ids begin, and what people call them


class Accounts(UserManager["User"]):
    """Finds the account of a session, with which every request begins, by a query that is made once."""

    def get(self, *args: Any, **conditions: Any) -> "User":
        by_id = not args and conditions.keys() == {"pk"} and isinstance(conditions["pk"], int)
        if not by_id or type(self) is not Accounts:  # managers of relations derive from it, and see some accounts only
            return super().get(*args, **conditions)
        if found := _account(pk=conditions["pk"]):
            return found[0]
        raise self.model.DoesNotExist


class User(AbstractUser):
    """An account; the same person may annotate in one project and manage another."""

    objects = Accounts()

    language = models.CharField(
        max_length=10, blank=True, help_text="Of pages and emails; empty: as the browser requests."
    )
    time_zone = models.CharField(max_length=64, blank=True, help_text="An IANA name such as Europe/Prague.")
    opens_projects = models.BooleanField(default=False, help_text="May open projects of their own.")

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(is_staff=False) | Q(is_superuser=True), name="staff_are_superusers")
        ]

    @property
    def signs_in(self) -> bool:
        """Return whether the person has a password or single sign-on, not only links and codes."""
        return self.has_usable_password() or self.socialaccount_set.exists()

    @property
    def shown_name(self) -> str:
        """Return the account's name on pages; the random user names of guests are not shown."""
        made_up = not self.email and self.username.startswith((GUEST, CROWD))
        return gettext("Guest") if made_up else self.email or self.username


@Prepared
def _account(pk: int) -> models.QuerySet[User]:
    return User.objects.filter(pk=pk)


class Membership(models.Model):
    """The role of an account in a project, besides annotating."""

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
    """A role for somebody who has no account yet; the person who opens its link takes it."""

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
    """The single row that stores when this installation got its first administrator."""

    administered_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_installation")]

    def __str__(self) -> str:
        return f"administered since {self.administered_at:%Y-%m-%d}"


class DigestKey(models.Model):
    """The single row with the key of the digests that have to outlive a change of SECRET_KEY, which encrypts it."""

    key = EncryptedText()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_digest_key")]

    def __str__(self) -> str:
        return "key of digests"


class Annotator(models.Model):
    """A person in a project, in all its rounds: an account, or somebody known only by an outside id."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="annotators")
    external_id = models.CharField(max_length=200, blank=True)
    pseudonym = models.CharField(max_length=20)
    guest_number = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Of an annotator with neither an email address nor an external ID; counted from 1 in the project.",
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
                fields=["project", "external_id"], condition=~Q(external_id=""), name="one_annotator_an_outside_id"
            ),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="one_annotator_a_pseudonym"),
            models.UniqueConstraint(fields=["project", "guest_number"], name="one_annotator_a_guest_number"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def unknown(self) -> bool:
        """Return whether this annotator only stands in for unknown people."""
        return is_unknown(self.pseudonym)

    @property
    def name(self) -> str:
        """Return the name that managers see: the person's outside id or address, or the number of a guest."""
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
