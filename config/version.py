"""The version of Semblance. pyproject.toml has it; everything else reads it here."""

import os
import platform
import re
import tomllib
from pathlib import Path

import django
from django.core.exceptions import ImproperlyConfigured

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
BUILD = re.compile(r"[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*")
LONGEST_BUILD = 30  # runs and releases store versions of up to 50 characters


def read_version(build: str = "") -> str:
    """Return the semantic version, followed by the build if there is one, as in 1.2.3+4f2a9c1.

    Raises:
        ImproperlyConfigured: the build has characters that semantic versions do not allow, or is too long.
    """
    version = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["version"]
    if not build:
        return version
    if not BUILD.fullmatch(build) or len(build) > LONGEST_BUILD:
        raise ImproperlyConfigured(
            f"CODE_COMMIT={build!r} is not valid: use at most {LONGEST_BUILD} letters, digits, hyphens and dots, "
            "such as the commit of the code."
        )
    return f"{version}+{build}"


def with_platform() -> str:
    """Return the version with those of Django and Python, as `manage.py version` prints it; it needs no settings."""
    version = read_version(os.environ.get("CODE_COMMIT", ""))
    return f"Semblance {version} (Django {django.get_version()}, Python {platform.python_version()})"
