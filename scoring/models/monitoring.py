"""Statistics of a project and its people for monitoring, and the limits of flags."""

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Participation, Project
from annotation.models.jobs import Job
from scoring.stats.limits import Thresholds

SHARE = (MinValueValidator(0.0), MaxValueValidator(1.0))
SOME = (MinValueValidator(1),)


class MonitoringOptions(models.Model):
    """The pay, and the limits from which a person's answers need review. A project without a row has the defaults."""

    class PayFor(models.TextChoices):
        PERSON = "person", _("annotator and round")
        HOUR = "hour", _("hour of active time")

    project = models.OneToOneField(Project, models.CASCADE, related_name="watch_options")
    pay = models.DecimalField(
        max_digits=10, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(Decimal(0))]
    )
    pay_for = models.CharField(max_length=10, choices=PayFor, default=PayFor.PERSON)
    currency = models.CharField(
        max_length=3,
        default="EUR",
        validators=[RegexValidator(r"^[A-Z]{3}$", _("Three capital letters, for example EUR."))],
    )
    least_pay = models.DecimalField(
        max_digits=10, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(Decimal(0))]
    )
    budget = models.DecimalField(
        max_digits=12, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(Decimal("0.01"))]
    )
    false_alarms = models.FloatField(
        default=Thresholds.false_alarms, validators=[MinValueValidator(1e-6), MaxValueValidator(0.5)]
    )
    least_answers = models.PositiveIntegerField(default=Thresholds.least_answers, validators=SOME)
    median_seconds = models.FloatField(default=Thresholds.median_seconds, validators=[MinValueValidator(0.0)])
    quick_share = models.FloatField(default=Thresholds.quick_share, validators=SHARE)
    longest_run = models.PositiveIntegerField(default=Thresholds.longest_run, validators=SOME)
    position_share = models.FloatField(default=Thresholds.position_share, validators=SHARE)
    contradictions = models.FloatField(default=Thresholds.contradictions, validators=SHARE)
    practice_right = models.FloatField(default=Thresholds.practice_right, validators=SHARE)
    calibration_distance = models.FloatField(default=Thresholds.calibration_distance, validators=SHARE)
    repeat_distance = models.FloatField(default=Thresholds.repeat_distance, validators=SHARE)
    agreement = models.FloatField(
        default=Thresholds.agreement, validators=[MinValueValidator(-1.0), MaxValueValidator(1.0)]
    )

    def __str__(self) -> str:
        return f"watching {self.project.key}"


class ProjectStatistics(Job):
    """The statistics of a project at a moment: agreement, distributions, disputes. A worker computes them."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="statistics")
    at = models.DateTimeField(null=True, blank=True, help_text="Time of the statistics.")
    basis = models.JSONField(
        null=True, blank=True, help_text="Fingerprint of the data; nothing is recomputed while it is the same."
    )
    figures = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"statistics of {self.project.key}"


class PersonStatistics(models.Model):
    """The statistics of a person's work in a round when the project's were last computed."""

    participation = models.OneToOneField(Participation, models.CASCADE, related_name="statistics")
    screens = models.PositiveIntegerField(default=0)
    answered = models.PositiveIntegerField(default=0)
    active_ms = models.BigIntegerField(null=True, blank=True, help_text="Active time of all timed answers.")
    median_ms = models.PositiveIntegerField(null=True, blank=True, help_text="Median active time per screen.")
    last_at = models.DateTimeField(null=True, blank=True, help_text="Time of the last answer.")
    figures = models.JSONField(default=dict)
    flags = models.JSONField(default=dict, help_text="Evidence by kind of flag.")
    settled = models.JSONField(default=list, help_text="Kinds of flags that a manager marked as reviewed.")
    open_flags = models.PositiveSmallIntegerField(default=0, help_text="Number of flags not yet reviewed.")

    def __str__(self) -> str:
        return f"statistics of {self.participation}"
