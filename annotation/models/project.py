"""Projects, and the plans of their rounds."""

from functools import cached_property

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.protocols.spec import Protocol, Round
from annotation.protocols.storing import protocol_from_json

KEY_PATTERN = r"^[a-z0-9][a-z0-9-]{0,49}$"
LANGUAGE_PATTERN = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"


class Project(models.Model):
    """One data collection, run by its own copy of a protocol."""

    key = models.CharField(
        max_length=50,
        unique=True,
        validators=[RegexValidator(KEY_PATTERN, "Small letters, digits and hyphens, at most 50.")],
    )
    title = models.CharField(max_length=200)
    protocol_json = models.JSONField("protocol")
    seed = models.BigIntegerField(default=0)
    language = models.CharField(
        max_length=35,
        blank=True,
        validators=[RegexValidator(LANGUAGE_PATTERN, "A language tag such as en, cs or ar-EG.")],
        help_text="BCP 47, of texts that name none.",
    )
    guidelines = models.TextField(blank=True, help_text="Markdown, shown to annotators.")
    consent = models.TextField(blank=True, help_text="Markdown; annotators agree to it before they begin.")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True, help_text="A closed project takes no answers.")
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when it shows nobody a new screen.")
    requires_second_factor = models.BooleanField(
        default=False, help_text="Whether its members have to sign in with a second factor."
    )
    draft = models.BooleanField(default=False, help_text="Being set up on its pages: admits nobody before its launch.")
    launched_at = models.DateTimeField(null=True, blank=True, help_text="From then on the protocol does not change.")
    rehearsal_of = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="rehearsals",
        editable=False,
        help_text="The project of which this is a copy for simulated people; nobody sees it.",
    )

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.title

    @cached_property
    def protocol(self) -> Protocol:
        return protocol_from_json(self.protocol_json)

    def round(self, key: str) -> Round:
        return self.protocol.round(key)


class RoundDeadline(models.Model):
    """The day that a round was given: places that are made later have it too."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="deadlines")
    round = models.CharField(max_length=20)
    due_at = models.DateTimeField()
    closes = models.BooleanField(default=False, help_text="Whether no new screen is shown after that day.")

    class Meta:
        ordering = ["project", "round"]
        constraints = [models.UniqueConstraint(fields=["project", "round"], name="one_deadline_a_round")]

    def __str__(self) -> str:
        return f"{self.round} by {self.due_at:%Y-%m-%d}"


class RoundPlan(models.Model):
    """The planning of a round: what was asked for, and what came out. Planning again adds a row."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        REFUSED = "refused", _("Refused")
        FAILED = "failed", _("Failed")

    project = models.ForeignKey(Project, models.CASCADE, related_name="plans")
    round = models.CharField(max_length=20)
    people = models.PositiveIntegerField(null=True, blank=True, help_text="Places in all, if a number was asked for.")
    calibration = models.JSONField(default=list, blank=True, help_text="Keys of the calibration pairs asked for.")
    state = models.CharField(max_length=10, choices=State, default=State.DONE)
    problem = models.TextField(blank=True)
    seed = models.BigIntegerField()
    outcome = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    certificate = models.JSONField(null=True, blank=True, help_text="Of a best-worst design: what it is worth.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["project", "pk"]
        indexes = [
            models.Index(fields=["created_at"], condition=Q(state__in=["waiting", "running"]), name="plans_not_ended")
        ]

    def __str__(self) -> str:
        return f"{self.project.key} {self.round}"
