"""Projects, and the plans of their rounds."""

from functools import cached_property

from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.jobs import Job
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.storing import protocol_from_json

KEY_PATTERN = r"^[a-z0-9][a-z0-9-]{0,49}$"
LANGUAGE_PATTERN = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"


def author_names(text: str) -> list[str]:
    """Return the authors that are named on the lines of a text."""
    return [name for line in text.splitlines() if (name := " ".join(line.split()))]


class ProjectState(models.TextChoices):
    DRAFT = "draft", _("Draft")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")


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
    authors = models.TextField(blank=True, help_text="Of the data, one per line; releases name them in this order.")
    contact = models.CharField(max_length=200, blank=True, help_text="Whom to ask about the data; in every release.")
    url = models.URLField("URL", blank=True, help_text="Where the data are published; in every release.")
    pay = models.CharField(max_length=200, blank=True, help_text="What people get, as they read it before they agree.")
    contact_person = models.CharField(max_length=200, blank=True, help_text="Whom annotators can contact.")
    contact_address = models.CharField(max_length=200, blank=True, help_text="Their email address or telephone number.")
    ethics_approval = models.CharField(
        max_length=300, blank=True, help_text="The committee, and the approval's number."
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
    layout = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="Counts the changes to screens that people have already; see `Assignment.tally`.",
    )
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

    @property
    def state(self) -> ProjectState:
        if self.draft:
            return ProjectState.DRAFT
        if self.closed_at is not None:
            return ProjectState.CLOSED
        return ProjectState.RUNNING if self.paused_at is None else ProjectState.PAUSED

    @cached_property
    def protocol(self) -> Protocol:
        return protocol_from_json(self.protocol_json)

    def round(self, key: str) -> Round:
        return self.protocol.round(key)


class ConsentText(models.Model):
    """A text that somebody agreed to: each version of a project's consent that was ever accepted."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="consent_texts")
    number = models.PositiveIntegerField(help_text="`Participation.consent_version` of those who agreed to it.")
    text = models.TextField(blank=True, help_text="Markdown; empty for the sentence that is shown without a text.")
    first_at = models.DateTimeField()

    class Meta:
        ordering = ["project", "number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_consent_text_a_number")]

    def __str__(self) -> str:
        return f"consent {self.number} of {self.project}"


class RoundDeadline(models.Model):
    """The deadline of a round, which places made later have too."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="deadlines")
    round = models.CharField(max_length=20)
    due_at = models.DateTimeField()
    closes = models.BooleanField(default=False, help_text="Whether no new screen is shown after that day.")

    class Meta:
        ordering = ["project", "round"]
        constraints = [models.UniqueConstraint(fields=["project", "round"], name="one_deadline_a_round")]

    def __str__(self) -> str:
        return f"{self.round} by {self.due_at:%Y-%m-%d}"


class RoundPlan(Job):
    """The planning of a round: its request and its outcome. Planning again adds a row."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="plans")
    round = models.CharField(max_length=20)
    people = models.PositiveIntegerField(null=True, blank=True, help_text="Total number of places, if requested.")
    calibration = models.JSONField(default=list, blank=True, help_text="Keys of the requested calibration pairs.")
    seed = models.BigIntegerField()
    outcome = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    certificate = models.JSONField(null=True, blank=True, help_text="Of a best-worst design: what it is worth.")

    class Meta(Job.Meta):
        ordering = ["project", "pk"]

    def __str__(self) -> str:
        return f"{self.project.key} {self.round}"
