"""One version, which pages, programs, files and the changelog agree on."""

import datetime
import os
import re
import subprocess
import sys
import tomllib

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from annotation.models import Membership
from config.version import read_version
from tests.config.surroundings import ROOT, clean_environment
from tests.factories import make_project, make_user
from tests.views.sending import client_of
from tests.watching.worlds import member

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
HEADING = re.compile(r"^## \[(.+?)\](?: - (\S+))?$", re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_is_semantic_and_may_name_a_build():
    assert SEMANTIC.fullmatch(VERSION)
    assert read_version() == VERSION
    assert read_version("4f2a9c1") == f"{VERSION}+4f2a9c1"


@pytest.mark.parametrize("build", ["a b", "a..b", "a_b", "é", "a" * 31])
def test_a_build_that_semantic_versions_do_not_allow(build):
    with pytest.raises(ImproperlyConfigured, match="CODE_COMMIT="):
        read_version(build)


def test_the_changelog_has_the_version_above_all_earlier_ones():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (first, undated), *released = HEADING.findall(text)
    versions = [tuple(map(int, SEMANTIC.fullmatch(name).groups())) for name, _ in released]
    days = [datetime.date.fromisoformat(day) for _, day in released]
    assert (first, undated, released[0][0]) == ("Unreleased", "", VERSION)
    assert versions == sorted(set(versions), reverse=True)
    assert days == sorted(days, reverse=True)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= KINDS


@pytest.mark.parametrize("argument", ["version", "--version"])
def test_the_command_line_names_the_version_without_any_setting(argument):
    clean = clean_environment(DJANGO_SETTINGS_MODULE="config.settings.production", CODE_COMMIT="4f2a9c1")
    command = [sys.executable, "manage.py", argument]
    outcome = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True)
    assert outcome.stdout.startswith(f"Semblance {VERSION}+4f2a9c1 (Django ")
    assert (outcome.returncode, outcome.stderr) == (0, "")


@pytest.mark.django_db
def test_pages_of_managers_and_administrators_show_it_and_no_others():
    project, shown = make_project(), f"<p>Semblance {settings.CODE_VERSION}</p>"
    manager, root = client_of(member(project, Membership.Role.MANAGER)), make_user("root", is_superuser=True)
    assert shown in manager.get(f"/projects/{project.key}/items/").text
    assert shown in client_of(root).get("/jobs/").text
    assert shown not in Client().get("/").text
    assert shown not in manager.get("/").text


@pytest.mark.django_db
def test_the_schema_of_the_api_names_it():
    schema = Client().get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
    assert schema["info"]["version"] == settings.CODE_VERSION
    assert read_version(os.environ.get("CODE_COMMIT", "")) == settings.CODE_VERSION
