from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_save

from config.checks import check_public_url, check_single_sign_on


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self):
        # Models are not loaded before.
        from annotation.models import Judgment  # noqa: PLC0415
        from config.operation.metrics import count_answer  # noqa: PLC0415

        register(check_public_url, Tags.security)
        register(check_single_sign_on, Tags.security)
        post_save.connect(count_answer, sender=Judgment)


class CollectedFilesConfig(StaticFilesConfig):
    """Django's own, but collecting no files that no page asks for: they are most of the bytes."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "*.map",
        "rest_framework/*",
        "drf_spectacular_sidecar/redoc/*",
        "django_htmx/htmax*",
        "django_htmx/htmx-4*",
        "django_htmx/htmx-2.js",
        "django_htmx/ext/*",
        # The admin's pages name those only while debugging.
        "admin/js/vendor/jquery/jquery.js",
        "admin/js/vendor/select2/select2.full.js",
        "admin/js/vendor/xregexp/xregexp.js",
    ]
