"""Whether what the server acknowledged is in the database, each once; needs Django's settings.

`python -m benchmarks.load.checking LAST_JUDGMENT` reads pairs of assignment and key as JSON, and prints what it found.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from django.db.models import Count, F, Q  # noqa: E402

from annotation.models import Judgment, Tuple  # noqa: E402


def check(acknowledged: Iterable[tuple[str, str]], last: int) -> dict[str, int]:
    """Compare acknowledged answers with the judgments that came after `last`.

    Returns: the number of acknowledged and of stored answers; of acknowledged ones that are missing, and that are
    stored more than once; of screens with two current answers; of stored answers that nobody acknowledged, whose
    requests were broken off; and of tuples with more answers than planned.
    """
    sent = Counter((int(assignment), UUID(key)) for assignment, key in acknowledged)
    rows = Judgment.objects.filter(pk__gt=last)
    stored = Counter(rows.values_list("assignment_id", "key").iterator())
    current = rows.filter(superseded_at__isnull=True).order_by().values("assignment")
    return {
        "acknowledged": sum(sent.values()),
        "stored": sum(stored.values()),
        "missing": sum((sent - stored).values()),
        "doubled": sum(number - 1 for number in (*stored.values(), *sent.values())),
        "screens with two answers": current.annotate(answers=Count("pk")).filter(answers__gt=1).count(),
        "not acknowledged": sum((stored - sent).values()),
        "overshoot": overshoot(),
    }


def overshoot() -> int:
    """Return the number of tuples with more current answers than planned, or given away more often."""
    current = Count("assignments__judgments", filter=Q(assignments__judgments__superseded_at__isnull=True))
    counted = Tuple.objects.annotate(answers=current)
    return counted.filter(Q(answers__gt=F("planned")) | Q(given__gt=F("planned"))).count()


if __name__ == "__main__":
    print(json.dumps(check(json.load(sys.stdin), int(sys.argv[1]))))
