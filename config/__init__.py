import os

# Linear algebra on one thread, set before anything loads it: the last digits of a sum depend on the number of threads,
# and a run must give the same results on every worker. The statistics here are no faster with more.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# A release writes a million rows through Arrow; its own pool would keep what it has freed.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
