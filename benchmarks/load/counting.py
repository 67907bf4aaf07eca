"""How many queries an answer costs, counted on the same request by Django itself; needs Django's settings.

`python -m benchmarks.load.counting PATH SESSION` answers some screens of a person and prints the mean number, and
the last judgment after that.
"""

import json
import os
import random
import sys
from statistics import fmean
from urllib.parse import urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Max  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from annotation.models import Judgment  # noqa: E402
from benchmarks.load.annotators import AS_HTMX  # noqa: E402
from benchmarks.load.screens import answer_to  # noqa: E402

FIRST, COUNTED = 3, 10  # answers that fill caches, and those that count
CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")  # they mark transactions and read nothing


def count(path: str, session: str) -> float:
    """Return the mean number of queries of an answer with the next screen."""
    address = urlsplit(settings.PUBLIC_URL)
    browser = Client(enforce_csrf_checks=True)
    browser.cookies[settings.SESSION_COOKIE_NAME] = session
    given = {"secure": address.scheme == "https", "headers": {"Host": address.netloc, **AS_HTMX}}
    given["headers"] |= {"Origin": settings.PUBLIC_URL}
    page, chance, numbers = browser.get(path, **given).text, random.Random(0), []
    for number in range(FIRST + COUNTED):
        fields = answer_to(page, chance)
        if not fields:
            break
        with CaptureQueriesContext(connection) as queries:
            page = browser.post(path, fields, follow=True, **given).text
        if number >= FIRST:
            numbers.append(sum(not query["sql"].startswith(CONTROL) for query in queries))
    return fmean(numbers) if numbers else float("nan")


if __name__ == "__main__":
    print(json.dumps([count(*sys.argv[1:]), Judgment.objects.aggregate(last=Max("pk"))["last"] or 0]))
