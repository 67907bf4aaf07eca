"""The settings that take more than a line to work out of the environment."""

import os
import secrets
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
SPOOLED = 1024**2  # bytes of a file of a bucket that may stand in memory while it is read
SPANS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}  # seconds, by the letter that a span begins with
# A sender waits for the broker for a moment only; see config.celery.PatientTask.
BRIEFLY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
REDIS_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 2, "retry_on_timeout": False, **BRIEFLY}


def stored_secret(path: Path) -> str:
    """The secret in the file, made at the first call; two processes that call at once get the same one."""
    if not path.exists():
        handle, draft = tempfile.mkstemp(dir=path.parent)  # mode 0600
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(draft, path)
        os.unlink(draft)
    return path.read_text().strip()


def database(url: str, file: Path) -> dict:
    """Django's settings for a database address, or else for an SQLite file, fit for many people at once."""
    embedded = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    config: dict = dict(Env.db_url_config(url)) if url else embedded
    if config["ENGINE"].endswith("sqlite3"):
        config["OPTIONS"] = {**SQLITE_OPTIONS, **config.get("OPTIONS", {})}
    if config["ENGINE"].endswith("postgresql"):
        config |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
        config["OPTIONS"] = {"connect_timeout": 5, **config.get("OPTIONS", {})}
    return config


def rate(text: str) -> tuple[int, int]:
    """So many in so many seconds, of a text such as 120/hour or 5/s."""
    most, _slash, span = text.partition("/")
    if not most.isdecimal() or span[:1] not in SPANS:
        raise ImproperlyConfigured(f"“{text}” is no rate such as 120/hour: a number, a slash and s, min, hour or day.")
    return int(most), SPANS[span[:1]]


def broker(redis_url: str, folder: Path) -> tuple[str, dict]:
    """Celery's broker address and transport options: Redis where there is one, else files in the folder."""
    register()
    if redis_url:
        return redis_url, REDIS_OPTIONS
    messages, control = folder / "messages", folder / "control"
    for each in (messages, control):
        each.mkdir(parents=True, exist_ok=True)
    return "embedded://files", {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
        "polling_interval": 0.05,
    }


def storage(url: str) -> dict:
    """Where files stand: in `MEDIA_ROOT`, or in a bucket such as `s3://bucket/folder?endpoint_url=https://host`.

    What stands behind the question mark are options of django-storages, such as `region_name`. Keys come from the
    surroundings, as all programs that speak S3 read them (`AWS_ACCESS_KEY_ID`, ..., a role of the machine).
    """
    if not url:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    parts = urlsplit(url)
    if parts.scheme != "s3" or not parts.hostname:
        raise ImproperlyConfigured("STORAGE_URL is an address such as s3://bucket/folder, or not set.")
    given = dict(parse_qsl(parts.query))
    usual = {"location": parts.path.strip("/"), "default_acl": None, "file_overwrite": False}
    usual["max_memory_size"] = SPOOLED  # without it a file that is read stands in memory as a whole
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {"bucket_name": parts.hostname, **usual, **given},
    }


def hosts(public_url: str) -> list[str]:
    """The host name of an address; a faulty address is reported by config.checks, not here."""
    with suppress(ValueError):
        name = urlsplit(public_url).hostname
        return [f"[{name}]" if name and ":" in name else name] if name else []
    return []


def origin(public_url: str) -> list[str]:
    """Scheme, host and port of an address, as CSRF_TRUSTED_ORIGINS wants them."""
    scheme, mark, rest = public_url.partition("://")
    return [f"{scheme}://{rest.split('/')[0]}"] if mark and rest else []
