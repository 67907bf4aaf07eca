from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "Annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models are not loaded before.
        from annotation import security, sessions  # noqa: PLC0415
        from annotation.domain.account.installation import log_setup_code  # noqa: PLC0415
        from annotation.models.guarding import guard_log  # noqa: PLC0415
        from annotation.models.guarding_security import guard_security_log  # noqa: PLC0415

        security.connect()
        sessions.connect()
        post_migrate.connect(guard_log, sender=self)
        post_migrate.connect(guard_security_log, sender=self)
        post_migrate.connect(log_setup_code, sender=self)
