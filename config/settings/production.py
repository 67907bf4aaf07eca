"""PostgreSQL, Redis and a proxy with https in front. Settings that cannot be guessed are required."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_NEEDED = {
    "SECRET_KEY": "a long random string that stays the same after a restart",
    "DATABASE_URL": "the database, such as postgres://name:password@host:5432/semblance",
    "REDIS_URL": "the broker of background jobs, such as redis://host:6379/0",
    "PUBLIC_URL": "the address at which people open Semblance, such as https://semblance.example.org",
}
if _missing := [f"Set {name}: {meaning}." for name, meaning in _NEEDED.items() if not os.environ.get(name)]:
    raise ImproperlyConfigured(" ".join(_missing))

from config.settings.base import *  # noqa: E402
from config.settings.parts import hosts  # noqa: E402

ALLOWED_HOSTS = hosts(PUBLIC_URL)
STATIC_ROOT = Path(variable("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
# The account that collects them, such as in the build of an image, is often not the one that serves them.
STORAGES["staticfiles"] = {
    "BACKEND": "config.storage.JoinedStaticFilesStorage",
    "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
}
WHITENOISE_USE_FINDERS = False
# Whether other hosts below this name are ready for https only, and for ever, is for the owner of the name to say, in
# the proxy. `check --deploy` would advise both.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Several web processes share limits on logins and used one-time codes through the database, which is there
# whenever anything works. `manage.py createcachetable` makes its table.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "shared_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
