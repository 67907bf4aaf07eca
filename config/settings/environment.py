"""Environment variables and folders for all settings."""

import os
import sys
from pathlib import Path

from environ import Env

from config.settings.parts import keep_private

env = Env()


def variable(name: str, default: str = "") -> str:
    """Return a variable of the environment; one that is set to nothing counts as not set."""
    return env.str(name, default="") or default


BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(variable("DATA_DIR", str(BASE_DIR / "var"))).resolve()
# What a process writes is for its own account only, except files of the program and those that a web server may serve.
if not {"collectstatic", "compilemessages", "makemessages", "makemigrations"} & set(sys.argv):
    os.umask(0o077)
keep_private(DATA_DIR)
