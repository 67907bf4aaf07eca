"""Judgments. Rows are only ever added; an answer given again marks the older one as superseded."""

from django.db import models
from django.db.models import Q

from annotation.models.assignments import Assignment
from annotation.models.items import Item


class Inversion(models.TextChoices):
    """What became of ratings against the order of the roles, after the person was asked once whether they mean it."""

    KEPT = "kept"
    CHANGED = "changed"


class Judgment(models.Model):
    """An answer to an assignment: a rating, a best-worst choice, or a selection with its selected pairs."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="judgments")
    key = models.UUIDField(help_text="Made with the form: the same key is the same answer.")
    value = models.FloatField(null=True, blank=True)
    best = models.ForeignKey(Item, models.PROTECT, null=True, blank=True, related_name="chosen_best")
    worst = models.ForeignKey(Item, models.PROTECT, null=True, blank=True, related_name="chosen_worst")
    hard_to_say = models.BooleanField(default=False)
    inversion = models.CharField(
        max_length=7, blank=True, choices=Inversion, db_default="", help_text="Of a selection; empty if not asked."
    )
    invalid = models.BooleanField(
        default=False, help_text="An imported choice with an item twice, or with the same item as best and worst."
    )
    set_aside = models.BooleanField(
        default=False, help_text="An invalid choice that was imported with a mark only: it does not count."
    )
    superseded_at = models.DateTimeField(null=True, blank=True)
    saved_at = models.DateTimeField(help_text="Server time.")
    touched_ms = models.PositiveIntegerField(null=True, blank=True, help_text="From shown to first touched.")
    answered_ms = models.PositiveIntegerField(null=True, blank=True, help_text="From shown to answered.")
    active_ms = models.PositiveIntegerField(null=True, blank=True, help_text="Of these, with the page in use.")
    adjustments = models.PositiveIntegerField(null=True, blank=True, help_text="Changes of the value.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(superseded_at__isnull=True),
                name="one_current_judgment_an_assignment",
            ),
            models.UniqueConstraint(fields=["assignment", "key"], name="one_judgment_a_key"),
            models.CheckConstraint(
                condition=Q(best__isnull=True, worst__isnull=True)
                | Q(best__isnull=False, worst__isnull=False, value__isnull=True)
                & (~Q(best=models.F("worst")) | Q(invalid=True)),
                name="a_choice_has_best_and_worst",
            ),
        ]

    def __str__(self) -> str:
        return f"judgment {self.pk}"


class SelectedPair(models.Model):
    """One of the sentences chosen in a selection, as a pair with S, and its rating (Czech News 4.1)."""

    judgment = models.ForeignKey(Judgment, models.CASCADE, related_name="pairs")
    role = models.CharField(max_length=5)
    item = models.ForeignKey(Item, models.PROTECT, related_name="selections")
    value = models.FloatField()

    class Meta:
        ordering = ["judgment", "role"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "role"], name="one_pair_a_role"),
            models.UniqueConstraint(fields=["judgment", "item"], name="one_role_a_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.judgment}"
