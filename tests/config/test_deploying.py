"""Django's own list of what production has to have set."""

import subprocess
import sys

from tests.config.surroundings import ROOT, clean_environment
from tests.config.test_settings import NEEDED


def checked(folder, **changes):
    given = {"DJANGO_SETTINGS_MODULE": "config.settings.production", "DATA_DIR": folder, **NEEDED, **changes}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, cwd=ROOT, env=clean_environment(**given), capture_output=True, text=True)


def test_production_passes_all_checks(tmp_path):
    outcome = checked(tmp_path)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert "no issues (2 silenced)" in outcome.stdout


def test_a_weak_key_and_an_address_without_https_are_found(tmp_path):
    outcome = checked(tmp_path, SECRET_KEY="short", PUBLIC_URL="http://semblance.example.org")
    assert outcome.returncode == 1
    for code in ("config.W001", "security.W004", "security.W008", "security.W009", "security.W010"):
        assert code in outcome.stderr
