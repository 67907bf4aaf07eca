"""`python -m benchmarks.watching`: time the progress pages of 500 annotators with 100,000 judgments.

Creates a temporary database on the server of DATABASE_URL, or uses SQLite if DATABASE_URL is not set.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

from benchmarks.watching.pages import main  # noqa: E402 - models need the settings first

main()
