"""`python -m benchmarks.watching`: the pages of 500 people and 100,000 judgments.

In a database of its own beside that of DATABASE_URL, thrown away afterwards; on SQLite without it.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

from benchmarks.watching.pages import main  # noqa: E402 - models need the settings first

main()
