"""Studies on crowd platforms, their participants, and bonuses."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.encryption import EncryptedText
from annotation.models.assignments import Participation
from annotation.models.jobs import Job
from annotation.models.people import User
from annotation.models.project import Project


class Platform(models.TextChoices):
    PROLIFIC = "prolific", "Prolific"
    MTURK = "mturk", "Amazon Mechanical Turk"


class CrowdStudy(models.Model):
    """The study (Prolific) or task (Mechanical Turk) of a platform that pays for one session of a round."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="studies")
    round = models.CharField(max_length=20)
    pool = models.CharField(max_length=20, blank=True)
    session = models.PositiveSmallIntegerField(default=1)
    platform = models.CharField(max_length=10, choices=Platform)
    study_id = models.CharField(max_length=64, blank=True, help_text="As the platform names it.")
    completion_code = models.CharField(max_length=64, blank=True)
    screen_out_code = models.CharField(max_length=64, blank=True)
    no_consent_code = models.CharField(max_length=64, blank=True)
    signed = models.BooleanField(default=False, help_text="Only addresses with a valid signature of Prolific admit.")
    open = models.BooleanField(
        default=True, help_text="A closed study admits nobody new; those already in can continue."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project", "round", "platform", "session"]
        verbose_name_plural = "crowd studies"
        constraints = [
            models.UniqueConstraint(
                fields=["project", "round", "platform", "session", "pool"], name="one_study_a_session"
            ),
            models.UniqueConstraint(
                fields=["project", "platform", "study_id"], condition=~Q(study_id=""), name="one_study_an_outside_id"
            ),
            models.UniqueConstraint(
                fields=["study_id"],
                condition=Q(platform="prolific") & ~Q(study_id=""),
                name="one_project_a_prolific_study",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_platform_display()}, {self.round}, {self.session}"


class ProlificStudy(models.Model):
    """The settings of a study that was created at Prolific from here, and what Prolific last reported about it."""

    study = models.OneToOneField(CrowdStudy, models.CASCADE, related_name="prolific")
    name = models.CharField(max_length=120)
    internal_name = models.CharField(max_length=120, blank=True)
    description = models.TextField()
    places = models.PositiveIntegerField()
    reward = models.PositiveIntegerField(help_text="For one participant, in cents or pence.")
    minutes = models.PositiveIntegerField(help_text="Estimated time for one participant.")
    devices = models.JSONField(default=list)
    filters = models.JSONField(default=list, help_text="Screeners, with their names on the pages.")
    approves = models.BooleanField(default=False, help_text="Prolific approves submissions with the completion code.")
    status = models.CharField(max_length=30, blank=True)
    places_taken = models.PositiveIntegerField(default=0)
    currency = models.CharField(max_length=3, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "Prolific studies"

    def __str__(self) -> str:
        return self.name

    @property
    def is_draft(self) -> bool:
        return self.status == "UNPUBLISHED"


class Wallet(models.Model):
    """A project's token of Prolific and key of Amazon, with which it pays, and an administrator's leave to pay."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="wallet")
    token = EncryptedText(blank=True)
    aws_key_id = models.CharField(max_length=128, blank=True)
    aws_secret = EncryptedText(blank=True)
    aws_sandbox = models.BooleanField(default=False, help_text="The key pays in Mechanical Turk's sandbox only.")
    saved_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    saved_at = models.DateTimeField(null=True, blank=True)
    allowed_at = models.DateTimeField(null=True, blank=True, help_text="Since when owners pay without a second factor.")

    def __str__(self) -> str:
        return f"wallet of {self.project}"


class CrowdSubmission(models.Model):
    """A visit for a study: a submission of Prolific, or an assignment of Mechanical Turk."""

    study = models.ForeignKey(CrowdStudy, models.CASCADE, related_name="submissions")
    participation = models.ForeignKey(Participation, models.CASCADE, related_name="submissions")
    submission_id = models.CharField(max_length=64)
    came_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "submission_id"], name="one_person_a_submission")]

    def __str__(self) -> str:
        return f"submission {self.pk}"


class CrowdRefusal(models.Model):
    """A visit that ended without consent; only a keyed hash of its id is kept."""

    study = models.ForeignKey(CrowdStudy, models.CASCADE, related_name="refusals")
    visit = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "visit"], name="one_refusal_a_visit")]

    def __str__(self) -> str:
        return f"refusal {self.pk}"


class BonusPayment(Job):
    """One order to the platform to pay bonuses. It is sent once, as the platform would pay again."""

    study = models.ForeignKey(CrowdStudy, models.RESTRICT, related_name="payments")
    outside_id = models.CharField(
        max_length=100, blank=True, help_text="As the platform names the order; empty until payment is requested."
    )

    class Meta(Job.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"payment {self.pk}"


class Bonus(models.Model):
    """Money that a person gets in addition to the reward of the study, once for each reason."""

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        SENDING = "sending", _("being paid")
        SENT = "sent", _("paid")
        UNCERTAIN = "uncertain", _("uncertain")
        FAILED = "failed", _("not paid")

    study = models.ForeignKey(CrowdStudy, models.RESTRICT, related_name="bonuses")
    participation = models.ForeignKey(Participation, models.RESTRICT, related_name="bonuses")
    amount = models.DecimalField(max_digits=8, decimal_places=2, validators=[MinValueValidator(0)])
    currency = models.CharField(max_length=3)
    reason = models.CharField(max_length=100)
    key = models.CharField(max_length=100, help_text="The reason, spelled the same way each time.")
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    payment = models.ForeignKey(BonusPayment, models.RESTRICT, null=True, blank=True, related_name="bonuses")
    note = models.TextField(blank=True, help_text="What a manager found out about it.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "bonuses"
        constraints = [
            models.UniqueConstraint(fields=["participation", "key"], name="one_bonus_a_reason"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="a_bonus_is_money"),
            models.CheckConstraint(
                condition=~Q(state__in=["sending", "uncertain"]) | Q(payment__isnull=False), name="only_an_order_pays"
            ),
        ]
        indexes = [models.Index(fields=["study", "state"], name="bonuses_by_state")]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"
