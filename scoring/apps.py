from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = "Scoring"

    def ready(self) -> None:
        # Models are not loaded before.
        from scoring.models.guarding import guard_plans  # noqa: PLC0415

        post_migrate.connect(guard_plans, sender=self)
