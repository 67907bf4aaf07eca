"""The demo, served by a process of its own, of this version or of another one."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

HERE = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds until the server has to answer


@contextmanager
def served(code: Path, port: int) -> Iterator[str]:
    """Make the demo with the code of the folder, serve it, and yield its address."""
    with tempfile.TemporaryDirectory(prefix="semblance-firstpage-") as data:
        nothing = dict.fromkeys(("DATABASE_URL", "REDIS_URL", "STORAGE_URL", "DJANGO_SETTINGS_MODULE"), "")
        environment = {**os.environ, **nothing, "DATA_DIR": data, "LOG_LEVEL": "WARNING"}
        del environment["DJANGO_SETTINGS_MODULE"]
        for command in (["migrate", "--verbosity", "0"], ["demo"]):
            manage = [sys.executable, "manage.py", *command]
            subprocess.run(manage, cwd=code, env=environment, check=True, stdout=subprocess.DEVNULL)
        serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
        with subprocess.Popen(serve, cwd=code, env=environment, stdout=subprocess.DEVNULL) as process:
            try:
                yield answering(f"http://localhost:{port}", process)
            finally:
                process.terminate()


def answering(url: str, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            urlopen(f"{url}/account/login/", timeout=5).close()
            return url
        except (URLError, OSError):
            time.sleep(0.2)
    raise SystemExit("The demo did not start. See the output above.")
