"""How models' predictions compare with the scores of a release."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from scoring.models.releases import Release


class Evaluation(models.Model):
    """One model's predictions for the items of a release, and how they did."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="evaluations")
    model = models.CharField(max_length=200, help_text="The model's name.")
    predictions = models.JSONField(help_text="By item.")
    results = models.JSONField(encoder=DjangoJSONEncoder)
    baseline = models.BooleanField(default=False, help_text="Whether it came with the program.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["release", "pk"]
        constraints = [models.UniqueConstraint(fields=["release", "model"], name="one_evaluation_a_model")]

    def __str__(self) -> str:
        return f"{self.model} on {self.release}"
