"""Processes that serve pages load no package that only jobs and downloads need."""

import os
import subprocess
import sys

HEAVY = {"pyarrow", "scipy.sparse", "scipy.special", "scipy.optimize", "scipy.stats", "ftfy", "icalendar", "vl_convert"}
HEAVY |= {"openpyxl", "requests", "Stemmer"}
NOT_CONFIGURED = {"annotation.single_sign_on", "allauth.socialaccount.providers.openid_connect"}
LOAD = """
import sys
import config.wsgi
from django.urls import reverse
reverse("home")
print(*sys.modules)
"""


def test_a_web_process_loads_nothing_heavy(tmp_path):
    environment = os.environ | {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    loaded = subprocess.run([sys.executable, "-c", LOAD], env=environment, capture_output=True, text=True, check=True)

    assert "scoring.urls" in loaded.stdout.split()
    assert (HEAVY | NOT_CONFIGURED) & set(loaded.stdout.split()) == set()
