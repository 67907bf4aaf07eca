"""The checks and the test suite, one after the other, on every database that can be had."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from browser import find_browser, have_fonts, have_other_browsers
from services import find_postgres, find_redis

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
TYPED = (
    "annotation/protocols",
    "annotation/planning",
    "annotation/corpora",
    "scoring/stats",
    "scoring/figures",
    "scoring/summaries",
    "scoring/forecasting",
)
NO_TESTS = 5  # pytest's exit code


@dataclass
class Report:
    """What was run, with its outcome, and pytest's closing lines."""

    steps: list[tuple[str, bool, float]] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)

    def step(self, name: str, command: list[str], **environment: str) -> None:
        heading(name)
        began = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}).returncode
        self.note(name, code == 0, began)

    def pytest(self, name: str, arguments: list[str], may_be_empty: bool = False, **environment: str) -> None:
        heading(name)
        began = time.monotonic()
        code, last = show_and_keep([PYTHON, "-m", "pytest", *arguments], {**os.environ, **environment})
        self.closing.append(last)
        self.note(name, code == 0 or (code == NO_TESTS and may_be_empty), began)

    def note(self, name: str, passed: bool, began: float) -> None:
        self.steps.append((name, passed, time.monotonic() - began))

    def close(self) -> int:
        heading("Summary")
        for name, passed, seconds in self.steps:
            print(f"{'ok' if passed else 'FAILED':8}{name:44}{seconds:8.1f} s")
        print(*self.closing, sep="\n", flush=True)
        return 0 if all(passed for _, passed, _ in self.steps) else 1


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Hundreds of processes are started, and each would compile every module that it imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    require_all = os.environ.get("CI") == "true" or "--require-all" in arguments
    everything = "--everything" in arguments
    chosen = [argument for argument in arguments if argument not in ("--require-all", "--everything")]
    with ExitStack() as stack:
        surroundings, missing = prepare(stack)
        if everything and (others := have_other_browsers()):
            missing.append(f"Not found and not installed: {others}. Tests with Firefox or WebKit are skipped.")
        for line in missing:
            print(line)
        if missing and require_all:
            print("Stopped because all services are required here.", file=sys.stderr)
            return 1
        report = Report()
        if not chosen:
            check(report)
        run_tests(report, surroundings, chosen, everything)
        return report.close()


def prepare(stack: ExitStack) -> tuple[dict[str, str], list[str]]:
    """The services and the browser as environment variables, and a line for each that could not be had."""
    heading("Services and browser")
    found = {
        "DATABASE_URL": find_postgres(stack),
        "REDIS_URL": find_redis(stack),
        "SEMBLANCE_CHROMIUM": find_browser(),
    }
    for name, value in found.items():
        print(f"{name:20}{without_password(value) or 'none'}", flush=True)
    lines = {
        "DATABASE_URL": "PostgreSQL was not found and could not be started. The tests run on SQLite only.",
        "REDIS_URL": "Redis was not found and could not be started. The tests use the file broker only.",
        "SEMBLANCE_CHROMIUM": "Chromium was not found and could not be installed. Browser tests are skipped.",
    }
    if fonts := have_fonts():
        print(f"No font for {fonts}: screenshots show boxes instead.")
    return {k: v for k, v in found.items() if v}, [lines[k] for k, v in found.items() if not v]


def check(report: Report) -> None:
    report.step("ruff check", [PYTHON, "-m", "ruff", "check", "--output-format", "concise", "."])
    report.step("ruff format", [PYTHON, "-m", "ruff", "format", "--check", "."])
    if typed := [folder for folder in TYPED if (ROOT / folder).is_dir()]:
        report.step("mypy", [PYTHON, "-m", "mypy", *typed])
    report.step("import layers", [str(Path(PYTHON).with_name("lint-imports")), "--no-logo"])
    report.step("known vulnerabilities", [PYTHON, "script/audit"])
    manage = [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"]
    embedded = {"DJANGO_SETTINGS_MODULE": "config.settings.test", "DATABASE_URL": "", "REDIS_URL": ""}
    report.step("migrations", manage, **embedded)


def run_tests(report: Report, surroundings: dict[str, str], arguments: list[str], everything: bool) -> None:
    """Everything on SQLite, then on PostgreSQL with Redis what can differ there, or everything once more."""
    database, broker = surroundings.pop("DATABASE_URL", ""), surroundings.pop("REDIS_URL", "")
    base = ["-n", str(workers()), "--dist", "worksteal", "--durations", "20", *["--everything"] * everything]
    no_browser = [] if "SEMBLANCE_CHROMIUM" in surroundings else ["not browser"]
    both = [*base, *marked(no_browser), *arguments]
    report.pytest("pytest on SQLite", both, **surroundings, DATABASE_URL="", REDIS_URL="")
    if database:
        some = [*base, *marked(no_browser if everything else ["postgres"]), *arguments]
        name = "pytest on PostgreSQL" + (" and Redis" if broker else "")
        empty = bool(arguments)
        report.pytest(name, some, may_be_empty=empty, **surroundings, DATABASE_URL=database, REDIS_URL=broker)


def marked(wanted: list[str]) -> list[str]:
    return ["-m", " and ".join(wanted)] if wanted else []


def workers() -> int:
    """One more than there are processors, because many a test waits for a process that it started."""
    return (os.cpu_count() or 1) + 1


def show_and_keep(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a command with its output shown as it comes; the exit code and the last line."""
    if sys.stdout.isatty():
        command = [*command, "--color=yes"]
    end = b""
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        while chunk := os.read(process.stdout.fileno(), 65536):
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            end = (end + chunk)[-10_000:]
    lines = end.decode(errors="replace").strip().splitlines()
    return process.returncode, lines[-1] if lines else ""


def without_password(url: str) -> str:
    start, mark, rest = url.rpartition("@")
    scheme, _, account = start.partition("://")
    return f"{scheme}://{account.split(':')[0]}{mark}{rest}" if mark else url


def heading(text: str) -> None:
    print(f"\n\033[1m== {text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
