"""PostgreSQL, Redis and a proxy with https in front. What must not be guessed has to be given."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_NEEDED = {
    "SECRET_KEY": "a long random text that stays the same over restarts",
    "DATABASE_URL": "the database, such as postgres://name:password@host:5432/semblance",
    "REDIS_URL": "the broker of the background work, such as redis://host:6379/0",
    "PUBLIC_URL": "the address that people type, such as https://semblance.example.org",
}
if _missing := [f"Set {name}: {what}." for name, what in _NEEDED.items() if not os.environ.get(name)]:
    raise ImproperlyConfigured(" ".join(_missing))

from config.settings.base import *  # noqa: E402
from config.settings.parts import hosts  # noqa: E402

ALLOWED_HOSTS = hosts(PUBLIC_URL)
STATIC_ROOT = Path(given("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STORAGES["staticfiles"] = {"BACKEND": "config.storage.ModuleAwareStorage"}
WHITENOISE_USE_FINDERS = False
# Several web processes share limits on logins and used one-time codes through the database, which is there
# whenever anything works. `manage.py createcachetable` makes its table.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "shared_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
