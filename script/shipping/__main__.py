"""Build and start what ships, from the Dockerfile and docker-compose.yml as they stand, and let people use it."""

import os
import re
import secrets
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from browser import find_browser
from building import BuildFailed, build
from compose import megabytes, read_services, read_variables
from container import keep_in_memory, leave_the_network
from machine import is_root
from services import wait_until
from serving import NotServing, Services

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://semblance.localhost"
SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")
PROFILES = {"tls"}
CODE = re.compile(r"setup code (\w+)")
VISITORS = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser/test_from_nothing.py"]
LINTERS = {
    "Dockerfile": ["hadolint", "Dockerfile"],
    "docker-compose.yml": ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"],
}


class Failed(Exception):
    """Something that has to be true of what ships is not."""


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.umask(0o022)  # the layers are read by accounts of the containers
    if not (sys.platform == "linux" and is_root()):
        print("This makes namespaces and mounts file systems: it needs Linux and root.", file=sys.stderr)
        return 2
    chromium = find_browser()
    folder = Path(tempfile.mkdtemp(prefix="semblance-production-"))
    keep_in_memory(folder)
    variables = read_variables(ROOT / ".env.example") | {name: secrets.token_hex(24) for name in SECRETS}
    variables["PUBLIC_URL"] = SITE
    services = Services(read_services(ROOT / "docker-compose.yml", variables, PROFILES), variables, ROOT, folder)
    try:
        for name, command in LINTERS.items():
            step(f"{name} is well formed", lambda command=command: lint(command))
        image, layer = step("The image is built", lambda: build(ROOT, folder / "image"))
        services.make(image, layer)
        leave_the_network(folder, urlsplit(SITE).hostname)
        step("All services start", services.start)
        step("Each is confined", lambda: look_at_confinement(services))
        step("The proxy leads to https", look_at_addresses)
        step("People use it", lambda: visit(services, chromium, arguments))
        step("Memory", lambda: look_at_memory(services))
        step("All services stop when asked", lambda: stop(services))
        step("All services start again", services.start)
        step("What was there is there", lambda: look_at_pages(services))
        step("Nothing went wrong unseen", lambda: look_at_logs(services))
    except (Failed, BuildFailed, NotServing) as problem:
        print(f"FAILED: {problem}", file=sys.stderr)
        return 1
    finally:
        services.stop()
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()
    return 0


def step(title: str, act: Callable[[], Any]) -> Any:
    print(f"\n== {title}", flush=True)
    began = time.monotonic()
    result = act()
    print(f"ok, {time.monotonic() - began:.1f} s", flush=True)
    return result


def demand(condition: object, problem: str) -> None:
    if not condition:
        raise Failed(problem)


def lint(command: list[str]) -> None:
    program = str(Path(sys.executable).with_name(command[0]))
    outcome = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True)
    demand(outcome.returncode == 0, outcome.stdout + outcome.stderr)


def look_at_confinement(services: Services) -> None:
    """No service keeps a right that it was not given, and what it may not write it cannot."""
    for name in services.lasting:
        container = services.containers[name]
        status = container.execute(["cat", "/proc/1/status"]).stdout
        rights = int(re.search(r"CapBnd:\s*(\w+)", status)[1], 16)
        demand(rights.bit_count() == len(container.capabilities or []), f"{name} keeps rights: {rights:x}")
        written = container.execute(["sh", "-c", "echo x > /etc/semblance-was-here"]).returncode == 0
        demand(not written, f"{name} could write to /etc")


def look_at_addresses() -> None:
    plain = urllib.request.Request(SITE.replace("https", "http"), method="HEAD")
    opener = urllib.request.build_opener(StayHere)
    demand(opener.open(plain).headers["Location"].startswith(SITE), "http does not lead to https")
    page = fetch("/account/login/")
    demand(page.status == 200 and page.headers["Strict-Transport-Security"], "the page does not demand https")
    style = re.search(r'href="(/static/[^"]+\.css)"', page.read().decode())[1]
    demand("immutable" in fetch(style).headers["Cache-Control"], f"{style} may not be kept by a browser")


class StayHere(urllib.request.HTTPRedirectHandler):
    def http_error_301(self, request, response, *rest):
        return response

    http_error_302 = http_error_307 = http_error_308 = http_error_301


def fetch(path: str):
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE  # the proxy signs this address itself
    return urllib.request.urlopen(SITE + path, timeout=30, context=unchecked)


def visit(services: Services, chromium: str, arguments: list[str]) -> None:
    """Several people, from the first account to a downloaded release."""
    code = CODE.search(services.containers["migrate"].log.read_text())
    demand(code, "the log of the start has no setup code")
    environment = {**os.environ, "SEMBLANCE_CHROMIUM": chromium, "DATABASE_URL": "", "REDIS_URL": ""}
    command = [*VISITORS, "--site", SITE, "--setup-code", code[1], *arguments]
    demand(subprocess.run(command, cwd=ROOT, env=environment).returncode == 0, "see above")


def look_at_memory(services: Services) -> None:
    for name in services.lasting:
        used, limit = services.containers[name].memory(), megabytes(services.described[name]["mem_limit"])
        print(f"  {name:8}{used:6} MB of {limit}")
        demand(used < limit, f"{name} needs more than it may have")


def stop(services: Services) -> None:
    late = services.stop()
    demand(not late, f"had to be killed: {', '.join(late)}")


def look_at_pages(services: Services) -> None:
    demand(fetch("/account/login/").status == 200, "the login page does not answer")
    count = "from annotation.models import Project; print(Project.objects.count())"
    found = services.containers["web"].execute(["python", "manage.py", "shell", "-v", "0", "-c", count])
    demand(found.stdout.strip().isdigit() and int(found.stdout) > 0, f"no project: {found.stdout}{found.stderr}")
    demand(wait_until(lambda: services.healthy("worker"), 60), "the worker does not answer")


def look_at_logs(services: Services) -> None:
    for name, container in services.containers.items():
        text = container.log.read_text()
        demand("Traceback" not in text, f"{name} logged an error:\n{text[-3000:]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
