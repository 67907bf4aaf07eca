"""`script/pin` writes the digests that a registry returns into .env, and docker-compose.yml uses them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.config.surroundings import ROOT

sys.path.append(str(ROOT / "script" / "shipping"))

from compose import interpolated, read_variables

DIGEST = f"sha256:{'a' * 64}"
SECRETS = {"POSTGRES_PASSWORD": "p", "REDIS_PASSWORD": "r"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what the script reads, with the settings of an installation."""
    (tmp_path / "script").mkdir()
    for name in ("script/pin", "docker-compose.yml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".env").write_text("PUBLIC_URL=https://example.org\nREDIS_IMAGE=redis:7-alpine@sha256:old\n")
    return tmp_path


def pin(folder: Path, printed: str) -> subprocess.CompletedProcess[str]:
    """Run the script where a registry, asked through `docker`, returns this digest."""
    docker = folder / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text(f"#!/bin/sh\necho '{printed}'\n")
    docker.chmod(0o755)
    path = f"{docker.parent}{os.pathsep}{os.environ['PATH']}"
    command = [folder / "script" / "pin"]
    return subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=False)


def test_every_base_image_is_pinned(folder):
    done = pin(folder, DIGEST)

    assert done.returncode == 0, done.stderr
    variables = read_variables(folder / ".env")
    assert variables["PUBLIC_URL"] == "https://example.org"
    services = yaml.safe_load(interpolated((folder / "docker-compose.yml").read_text(), variables | SECRETS))[
        "services"
    ]
    bases = [service["image"] for service in services.values() if "build" not in service]
    assert bases == [f"{name}@{DIGEST}" for name in ("postgres:17-alpine", "redis:7-alpine", "caddy:2-alpine")]
    python = services["web"]["build"]["args"]["PYTHON_IMAGE"]
    assert python == f"python:3.12-slim@{DIGEST}"


def test_nothing_changes_if_the_registry_returns_no_digest(folder):
    before = (folder / ".env").read_text()

    done = pin(folder, "")

    assert done.returncode != 0
    assert "no digest" in done.stderr
    assert (folder / ".env").read_text() == before


def test_the_names_without_digests_are_those_of_the_dockerfile():
    text = (ROOT / "docker-compose.yml").read_text()
    assert "${PYTHON_IMAGE:-python:3.12-slim}" in text
    assert (ROOT / "Dockerfile").read_text().startswith("ARG PYTHON_IMAGE=python:3.12-slim\nFROM ${PYTHON_IMAGE}\n")
