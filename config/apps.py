from django.apps import AppConfig
from django.core.checks import Tags, register

from config.checks import check_public_url


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self):
        register(check_public_url, Tags.security)
