"""The log: one JSON object a line in production, readable lines elsewhere, both without personal data."""

import logging
import os
from datetime import UTC, datetime
from typing import Any

import orjson

from config.operation.context import REQUEST_ID, TASK
from config.operation.privacy import LEFT_OUT, without_personal_data

NO_ROUTE = "(no route)"
OF_REQUESTS = ("route", "method", "status", "ms")
IN_JSON = (*OF_REQUESTS, "security_event")
# Their messages have the path of the request among their values.
WITH_PATHS = ("django", "gunicorn")


def route_of(request: Any) -> str:
    """Return the name of the route that a request was led to; never its path, which may hold a token."""
    match = getattr(request, "resolver_match", None)
    return match.view_name if match else NO_ROUTE


def id_of(record: logging.LogRecord) -> str:
    """Return the ID of the request that a record is about, or during which it was written."""
    return getattr(getattr(record, "request", None), "request_id", "") or REQUEST_ID.get()


class PrivateFormatter(logging.Formatter):
    """Readable lines, each with the ID of its request, and nothing personal in them."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}{ids}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        record.ids = "".join(f" [{text}]" for text in (id_of(record), TASK.get()) if text)
        record.message = message_of(record)
        values = (getattr(record, name, None) for name in OF_REQUESTS)
        record.message += "".join(f" {value}" for value in values if value is not None)
        record.asctime = self.formatTime(record)
        exception = exception_of(self, record)
        return self.formatMessage(record) + (f"\n{exception}" if exception else "")


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": message_of(record),
        }
        line |= {name: value for name, value in (("request_id", id_of(record)), ("task", TASK.get())) if value}
        line |= {name: record.__dict__[name] for name in IN_JSON if name in record.__dict__}
        if exception := exception_of(self, record):
            line["exception"] = exception
        return orjson.dumps(line, default=str).decode()


def message_of(record: logging.LogRecord) -> str:
    """Return the message of a record, with the route in the place of a path."""
    if record.name.startswith(WITH_PATHS) and isinstance(record.args, tuple):
        request = getattr(record, "request", None)
        path = route_of(request) if request is not None else LEFT_OUT
        args = tuple(path if isinstance(value, str) and value.startswith("/") else value for value in record.args)
        record = logging.makeLogRecord({**record.__dict__, "args": args})
    return without_personal_data(record.getMessage())


def exception_of(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """Return the traceback of a record; none of a request that was merely refused, since it quotes what was sent."""
    if not record.exc_info or not record.exc_info[0]:
        return ""
    if getattr(record, "status_code", 500) < 500:
        return ""
    return without_personal_data(formatter.formatException(record.exc_info))


def log_format() -> str:
    """Return `json` or `text`: as LOG_FORMAT says, else JSON in production."""
    production = os.environ.get("DJANGO_SETTINGS_MODULE", "").endswith(".production")
    return os.environ.get("LOG_FORMAT") or ("json" if production else "text")


def formatter() -> logging.Formatter:
    """Return the formatter of this process."""
    return JsonFormatter() if log_format() == "json" else PrivateFormatter()


def logging_settings(level: str) -> dict[str, Any]:
    """Return Django's settings of the log, on standard error."""
    requests = "INFO" if log_format() == "json" else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"own": {"()": "config.operation.logs.formatter"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "own"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO"},
            "celery": {"level": "WARNING"},
            "celery.app.trace": {"level": "ERROR"},
            "config.operation.requests": {"level": requests},
            "config.operation.tasks": {"level": requests},
        },
    }
