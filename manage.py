#!/usr/bin/env python
"""Django's command line for Semblance."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from config.version import with_platform

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
    try:
        if sys.argv[1:] in (["version"], ["--version"]):  # Django would print its own version
            print(with_platform())
        else:
            execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Semblance cannot start. {error}")
