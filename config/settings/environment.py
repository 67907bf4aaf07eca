"""What is read of the environment everywhere, and the folders."""

from pathlib import Path

from environ import Env

env = Env()


def given(name: str, default: str = "") -> str:
    """A variable of the environment; one that is set to nothing counts as not set."""
    return env.str(name, default="") or default


BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(given("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)
