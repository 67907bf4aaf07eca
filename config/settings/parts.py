"""The settings that take more than a line to derive from the environment."""

import os
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

from config.broker import register

SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}
# PostgreSQL takes the conditions of what counts for dearer than they are, and compiles for seconds what runs in one.
WITHOUT_JIT = "-c jit=off"
SPOOLED = 1024**2  # bytes of a bucket's file that may be in memory while it is read
SPANS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}  # seconds, by the first letter of a span
# A sender waits for the broker for a moment only; see config.celery.PatientTask.
BRIEFLY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
REDIS_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 2, "retry_on_timeout": False, **BRIEFLY}


def keep_private(folder: Path) -> None:
    """Create the folder; if others could read it until now, make everything in it private to the account."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return
    for place, folders, files in os.walk(folder, topdown=False):
        for name in (*folders, *files):
            path = Path(place, name)
            with suppress(OSError):  # deleted by now, or somebody else's
                path.is_symlink() or path.chmod(0o700 if name in folders else 0o600)
    with suppress(OSError):
        folder.chmod(0o700)


def stored_secret(path: Path) -> str:
    """Return the secret in the file, made at the first call; two processes that call at once get the same one."""
    if not path.exists():
        handle, draft = tempfile.mkstemp(dir=path.parent)  # mode 0600
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(draft, path)
        os.unlink(draft)
    return path.read_text().strip()


def database(url: str, file: Path) -> dict:
    """Return Django's settings for a database address, or else for an SQLite file, fit for many people at once."""
    embedded = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    config: dict = dict(Env.db_url_config(url)) if url else embedded
    if config["ENGINE"].endswith("sqlite3"):
        config["OPTIONS"] = {**SQLITE_OPTIONS, **config.get("OPTIONS", {})}
    if config["ENGINE"].endswith("postgresql"):
        config |= {"ENGINE": "config.postgresql", "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
        config["OPTIONS"] = {"connect_timeout": 5, "options": WITHOUT_JIT, **config.get("OPTIONS", {})}
    return config


def rate(text: str) -> tuple[int, int]:
    """Return the number and the seconds of a rate such as 120/hour or 5/s."""
    maximum, _slash, span = text.partition("/")
    if not maximum.isdecimal() or span[:1] not in SPANS:
        raise ImproperlyConfigured(
            f"“{text}” is not a rate. Use a number, a slash and s, min, hour or day, such as 120/hour."
        )
    return int(maximum), SPANS[span[:1]]


def broker(redis_url: str, folder: Path) -> tuple[str, dict]:
    """Return Celery's broker address and transport options: Redis if there is one, else files in the folder."""
    register()
    if redis_url:
        return redis_url, REDIS_OPTIONS
    messages, control = folder / "messages", folder / "control"
    for directory in (messages, control):
        directory.mkdir(parents=True, exist_ok=True)
    return "embedded://files", {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
        "polling_interval": 0.05,
    }


def storage(url: str) -> dict:
    """Return the storage of files: `MEDIA_ROOT`, or a bucket such as `s3://bucket/folder?endpoint_url=https://host`.

    After the question mark are options of django-storages, such as `region_name`. Keys come from the environment, as
    all programs that use S3 read them (`AWS_ACCESS_KEY_ID`, ..., a role of the machine).
    """
    if not url:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    parts = urlsplit(url)
    if parts.scheme != "s3" or not parts.hostname:
        raise ImproperlyConfigured("STORAGE_URL must be a URL such as s3://bucket/folder, or not set.")
    options = dict(parse_qsl(parts.query))
    usual = {"location": parts.path.strip("/"), "default_acl": None, "file_overwrite": False}
    usual["max_memory_size"] = SPOOLED  # without it a file that is read is in memory as a whole
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {"bucket_name": parts.hostname, **usual, **options},
    }


def hosts(public_url: str) -> list[str]:
    """Return the host name of an address; a faulty address is reported by config.checks, not here."""
    with suppress(ValueError):
        name = urlsplit(public_url).hostname
        return [f"[{name}]" if name and ":" in name else name] if name else []
    return []


def origin(public_url: str) -> list[str]:
    """Return scheme, host and port of an address, as CSRF_TRUSTED_ORIGINS needs them."""
    scheme, mark, rest = public_url.partition("://")
    return [f"{scheme}://{rest.split('/')[0]}"] if mark and rest else []
