"""The locks have every required package, with hashes, and name no index, host or folder."""

import re

import pytest

from tests.config.surroundings import ROOT

REQUIREMENTS = sorted(path.name for path in ROOT.glob("requirements*.txt"))
PINNED = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?==(\S+)")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def pins(lines: list[str]) -> set[tuple[str, str]]:
    """Return name and version of each line that pins a package, the names as packaging compares them."""
    found = (PINNED.match(line) for line in lines)
    return {(re.sub(r"[-_.]+", "-", match[1]).lower(), match[2]) for match in found if match}


def direct_in(name: str) -> list[str]:
    """Return the lines of a requirements file and of those that it includes."""
    lines = [line for line in (ROOT / name).read_text().splitlines() if not line.startswith("#")]
    parts = [direct_in(line.removeprefix("-r ")) if line.startswith("-r ") else [line] for line in lines]
    return [line for part in parts for line in part]


def locked_in(name: str) -> list[str]:
    """Return the packages of the lock of a requirements file, each as one line with its hashes."""
    text = (ROOT / name).with_suffix(".lock").read_text().replace("\\\n", "")
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_is_pinned_and_in_the_lock(name):
    direct = direct_in(name)
    assert len(pins(direct)) == len(direct)
    assert pins(direct) <= pins(locked_in(name))


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_a_lock_has_hashes_and_names_no_place(name):
    lines = locked_in(name)
    assert [line for line in lines if not (PINNED.match(line) and HASH.search(line))] == []
    assert [line for line in lines if "://" in line or line.startswith(("-", "/", "."))] == []


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_all_locks_have_the_same_versions(name):
    assert pins(locked_in(name)) <= pins(locked_in("requirements-dev.txt"))
