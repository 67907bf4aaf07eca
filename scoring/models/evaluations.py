"""Evaluations of models' predictions on the scores of a release."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from scoring.models.releases import Release


class Evaluation(models.Model):
    """One model's predictions for the items of a release, by one of its random seeds if there are several, and their
    figures."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="evaluations")
    model = models.CharField(max_length=200, help_text="The model's name.")
    seed = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Random seed the model was trained with; empty if there is only one."
    )
    predictions = models.JSONField(help_text="Prediction of each item, by item key.")
    distributions = models.JSONField(
        null=True, blank=True, help_text="Predicted distribution of the answers to each item, by item key."
    )
    results = models.JSONField(encoder=DjangoJSONEncoder)
    baseline = models.BooleanField(default=False, help_text="Whether it is a built-in model.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["release", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "model"], condition=Q(seed__isnull=True), name="one_evaluation_a_model"
            ),
            models.UniqueConstraint(fields=["release", "model", "seed"], name="one_evaluation_a_seed"),
        ]

    def __str__(self) -> str:
        return f"{self.label} on {self.release}"

    @property
    def label(self) -> str:
        """Return the model's name with its seed: the name under which others are compared with it."""
        return self.model if self.seed is None else f"{self.model}, seed {self.seed}"
