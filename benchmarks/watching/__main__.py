"""`python -m benchmarks.watching [--kind ratings|choices] [--write]`: time every page of managers at two sizes.

Creates a temporary database on the server of DATABASE_URL, which must be PostgreSQL, with a small and a large project,
and uses the settings of production. `--write` replaces the table in docs/performance.md. It fails if a page takes too
long, or needs more queries in the large project than in the small one.
"""

import argparse
import os
import sys
from tempfile import mkdtemp

import django

if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
    raise SystemExit("Set DATABASE_URL to a PostgreSQL server. Its databases are not changed.")
folder = mkdtemp(prefix="semblance-watching-")
os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings.production", "PUBLIC_URL": "https://testserver"}
os.environ |= {"DATA_DIR": folder, "STATIC_ROOT": f"{folder}/static", "SECRET_KEY": "for measurements only" * 3}
os.environ.setdefault("REDIS_URL", "redis://127.0.0.1:6379/9")
django.setup()

from benchmarks.watching.measuring import measured  # noqa: E402 - models need the settings first
from benchmarks.watching.table import problems, table, write  # noqa: E402

SMALL = {"people": 4, "items": 24, "rows": 3}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watching")
    parser.add_argument("--kind", choices=("ratings", "choices"), default="ratings")
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--items", type=int, default=100_000, help="items, and as many answers")
    parser.add_argument("--write", action="store_true", help="replace the table in docs/performance.md")
    asked = parser.parse_args()
    rows = measured(asked.kind, SMALL, {"people": asked.people, "items": asked.items, "rows": 5_000})
    printed = table(asked.kind, rows)
    print(printed)
    if asked.write:
        write(asked.kind, printed)
    if found := problems(rows):
        sys.exit("\n".join(found))


main()
