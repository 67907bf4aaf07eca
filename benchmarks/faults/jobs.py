"""Background work beside the people; needs Django's settings.

`python -m benchmarks.faults.jobs start` sends a run to the worker, and prints its id and that of the last judgment.
`python -m benchmarks.faults.jobs wait ID` waits for its end, and prints its state.
"""

import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from django.db.models import Max  # noqa: E402

from annotation.models import Judgment, Project  # noqa: E402
from annotation.models.jobs import ENDED  # noqa: E402
from annotation.tasks import run_job  # noqa: E402
from scoring.domain.runs.starting import start_run  # noqa: E402
from scoring.models import Run  # noqa: E402

PATIENCE = 180.0  # seconds
LONG = {"splits": 2000, "slices": 10}
"""A run in many parts, so that a fault finds it at work."""


def start() -> str:
    run = start_run(project=Project.objects.order_by("pk").first(), actor=None, parameters=LONG)
    run_job.delay("run", run.pk)
    return f"{run.pk} {Judgment.objects.aggregate(last=Max('pk'))['last'] or 0}"


def wait(pk: str) -> str:
    until = time.monotonic() + PATIENCE
    while (state := Run.objects.values_list("state", flat=True).get(pk=pk)) not in ENDED:
        if time.monotonic() > until:
            return f"{state} after {PATIENCE:.0f} s"
        time.sleep(0.2)
    return state


if __name__ == "__main__":
    print({"start": start, "wait": wait}[sys.argv[1]](*sys.argv[2:]))
