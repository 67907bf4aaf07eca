"""The test suite: nothing is left behind, and DATABASE_URL and REDIS_URL decide what it runs on."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_folder, _owner = tempfile.mkdtemp(prefix="semblance-test-"), os.getpid()
atexit.register(lambda: os.getpid() == _owner and shutil.rmtree(_folder, ignore_errors=True))
for _name in ("PUBLIC_URL", "EMAIL_URL", "DEBUG", "TIME_ZONE", "OIDC_URL"):
    os.environ.pop(_name, None)
os.environ |= {"DATA_DIR": _folder, "SECRET_KEY": "for-tests-only-and-long-enough-to-please-the-check"}
# Playwright's loop runs in the thread of the test, whose queries are plain ones.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

from config.settings.base import *  # noqa: E402

ALLOWED_HOSTS += ["testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ACCOUNT_RATE_LIMITS = False
JOIN_RATE = JOIN_RATE_OF_ADDRESS = (1_000_000, 3600)  # all tests come from one address
# Else every client of a test begins with a walk through all static files.
WHITENOISE_AUTOREFRESH = True
# Tasks run where they are sent. A test of the worker itself starts one.
CELERY_TASK_ALWAYS_EAGER = CELERY_TASK_EAGER_PROPAGATES = True
# A file, as in use: threads of a live server wait for each other instead of failing on a shared memory table.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_folder) / "test.sqlite3")}
# A test's database is thrown away: no commit has to wait for the disk.
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
