import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from config.checks import check_public_url, check_single_sign_on
from config.settings.parts import SQLITE_OPTIONS, database, hosts, keep_private, origin, rate, stored_secret
from tests.config.surroundings import ROOT, clean_environment

NEEDED = {
    "SECRET_KEY": "a-long-random-text-of-more-than-fifty-characters-0123456789",
    "DATABASE_URL": "postgres://name:word@db:5432/semblance",
    "REDIS_URL": "redis://redis:6379/0",
    "PUBLIC_URL": "https://semblance.example.org",
}


def started(module, folder, code="pass", **environment):
    """A fresh Python with these settings, and what it said."""
    settings = {"DJANGO_SETTINGS_MODULE": f"config.settings.{module}", "DATA_DIR": folder}
    command = [sys.executable, "-c", f"import django; django.setup(); from django.conf import settings; {code}"]
    return subprocess.run(
        command, cwd=ROOT, env=clean_environment(**settings, **environment), capture_output=True, text=True
    )


# stored_secret


def test_stored_secret_is_made_once(tmp_path):
    path = tmp_path / "secret"
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(stored_secret, [path] * 16))
    assert len(secrets) == 1
    assert len(secrets.pop()) > 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["secret"]


def test_stored_secret_stays(tmp_path):
    (tmp_path / "secret").write_text("mine\n")
    assert stored_secret(tmp_path / "secret") == "mine"


# the folder of the data


def test_what_commands_write_is_private(tmp_path):
    folder = tmp_path / "data"
    code = """
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.mail import send_mail
from django.core.management import call_command
from config.celery import app
call_command("migrate", "contenttypes", verbosity=0)
default_storage.save("imports/one.csv", ContentFile(b"x" * 10))
send_mail("To", "whom", None, ["ann@example.org"])
app.send_task("annotation.tasks.beat_heart")
"""
    outcome = started("base", folder, code)
    assert outcome.stderr == ""
    modes = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert {"semblance.sqlite3", "secret_key", "files/imports/one.csv", "mail", "broker/messages"} <= set(modes)
    assert {name: mode for name, mode in modes.items() if mode not in (0o600, 0o700)} == {}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_could_read_is_closed_with_all_in_it(tmp_path):
    inner, outside = tmp_path / "data" / "files", tmp_path / "outside"
    inner.mkdir(parents=True)
    (inner / "one.csv").touch()
    outside.touch()
    outside.chmod(0o644)
    (inner / "link").symlink_to(outside)

    for path, mode in ((inner.parent, 0o755), (inner, 0o755), (inner / "one.csv", 0o644)):
        path.chmod(mode)

    keep_private(inner.parent)

    modes = [stat.S_IMODE(path.stat().st_mode) for path in (inner.parent, inner, inner / "one.csv", outside)]
    assert modes == [0o700, 0o700, 0o600, 0o644]


# database, hosts, origin


def test_database_embedded(tmp_path):
    assert database("", tmp_path / "db") == {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(tmp_path / "db"),
        "OPTIONS": SQLITE_OPTIONS,
    }


@pytest.mark.parametrize(
    ("text", "read"), [("120/hour", (120, 3600)), ("5/s", (5, 1)), ("0/min", (0, 60)), ("7/d", (7, 86400))]
)
def test_rate(text, read):
    assert rate(text) == read


@pytest.mark.parametrize("text", ["120", "many/hour", "-1/hour", "5/", "5/fortnight"])
def test_rate_that_is_none(text):
    with pytest.raises(ImproperlyConfigured, match="is not a rate"):
        rate(text)


def test_database_postgresql(tmp_path):
    config = database("postgres://ann:word@host:5433/semblance?sslmode=require", tmp_path)
    assert (config["ENGINE"], config["NAME"], config["HOST"], config["PORT"], config["USER"], config["PASSWORD"]) == (
        "config.postgresql",
        "semblance",
        "host",
        5433,
        "ann",
        "word",
    )
    assert config["OPTIONS"] == {"connect_timeout": 5, "options": "-c jit=off", "sslmode": "require"}
    assert config["CONN_HEALTH_CHECKS"] is True


@pytest.mark.parametrize(
    ("url", "names", "trusted"),
    [
        ("https://semblance.example.org", ["semblance.example.org"], ["https://semblance.example.org"]),
        ("http://host:8000/", ["host"], ["http://host:8000"]),
        ("http://[::1]:8000", ["[::1]"], ["http://[::1]:8000"]),
        ("semblance", [], []),
        ("http://[::1", [], ["http://[::1"]),
    ],
)
def test_hosts_and_origin(url, names, trusted):
    assert hosts(url) == names
    assert origin(url) == trusted


# check_public_url


@pytest.mark.parametrize(
    ("url", "identifier", "words"),
    [
        ("semblance.example.org", "config.E001", "has no scheme"),
        ("ftp://semblance.example.org", "config.E001", "has no scheme"),
        ("https:semblance", "config.E001", "has no scheme"),
        ("https://", "config.E001", "has no host"),
        ("https://host/semblance", "config.E001", "has a path, query or fragment"),
        ("https://host?x=1", "config.E001", "has a path, query or fragment"),
        ("https://host#x", "config.E001", "has a path, query or fragment"),
        ("https://ann:word@host", "config.E001", "contains a user name or a"),
        ("https://host:0", "config.E001", "port 0"),
        ("https://host:99999", "config.E001", "is not a valid URL"),
        ("https://[::1", "config.E001", "is not a valid URL"),
        ("http://semblance.example.org", "config.W001", "uses http, so passwords and answers"),
    ],
)
def test_public_url_wrong(settings, url, identifier, words):
    settings.PUBLIC_URL, settings.DEBUG = url, False
    (message,) = check_public_url()
    assert message.id == identifier
    assert words in message.msg
    assert url in message.msg


@pytest.mark.parametrize(
    ("url", "debug"),
    [
        ("https://semblance.example.org", False),
        ("https://semblance.example.org:8443/", False),
        ("http://localhost:8000", False),
        ("http://[::1]:8000", False),
        ("http://semblance.example.org", True),
    ],
)
def test_public_url_right(settings, url, debug):
    settings.PUBLIC_URL, settings.DEBUG = url, debug
    assert check_public_url() == []


@pytest.mark.parametrize(
    ("url", "secret", "found"),
    [
        ("", "", []),
        ("https://id.example.org", "s", []),
        ("http://localhost:8080/realms/x", "s", []),
        ("http://id.example.org", "s", ["OIDC_URL must start with https://."]),
        ("https://id.example.org", "", ["OIDC_URL is set, but OIDC_CLIENT_SECRET is not."]),
    ],
)
def test_single_sign_on_is_checked(settings, url, secret, found):
    settings.OIDC_URL, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = url, "semblance", secret

    assert [each.msg for each in check_single_sign_on()] == found


def test_public_url_is_checked_at_the_start(settings):
    settings.PUBLIC_URL = "nowhere"
    with pytest.raises(SystemCheckError, match="PUBLIC_URL='nowhere' has no scheme"):
        call_command("check")


# the settings of each mode


def test_production_names_everything_that_is_missing(tmp_path):
    outcome = started("production", tmp_path)
    assert outcome.returncode == 1
    assert [name for name in NEEDED if f"Set {name}: " in outcome.stderr] == list(NEEDED)


@pytest.mark.parametrize("missing", NEEDED)
def test_production_names_what_is_missing(tmp_path, missing):
    outcome = started("production", tmp_path, **(NEEDED | {missing: ""}))
    assert outcome.returncode == 1
    assert [name for name in NEEDED if f"Set {name}: " in outcome.stderr] == [missing]


def test_production_with_everything_given(tmp_path):
    code = "print(settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE, settings.DEBUG, settings.CELERY_BROKER_URL)"
    code += "; print(settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.FORWARD_SECURITY_LOG)"
    outcome = started("production", tmp_path, code, HSTS_SUBDOMAINS="1", **NEEDED)
    read = "['semblance.example.org'] True False redis://redis:6379/0\nTrue False\n"
    assert (outcome.stdout, outcome.stderr) == (read, "")


def test_nothing_given_is_the_embedded_mode(tmp_path):
    code = "print(settings.DATABASES['default']['NAME'], settings.CELERY_BROKER_URL, settings.DEBUG)"
    outcome = started("base", tmp_path / "var", code, EMAIL_URL="", REDIS_URL="")
    assert outcome.stdout == f"{tmp_path}/var/semblance.sqlite3 embedded://files False\n"
    assert (tmp_path / "var" / "secret_key").exists()


def test_mail_goes_where_the_address_says(tmp_path):
    code = (
        "print(settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS, settings.ACCOUNT_EMAIL_VERIFICATION)"
    )
    outcome = started("dev", tmp_path, code, EMAIL_URL="smtp+tls://name:word@mail.example.org:587")
    assert outcome.stdout == "mail.example.org 587 True mandatory\n"


def test_command_line_says_what_is_missing(tmp_path):
    clean = clean_environment(DJANGO_SETTINGS_MODULE="config.settings.production")
    command = [sys.executable, "manage.py", "check"]
    outcome = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True)
    assert outcome.returncode == 1
    assert outcome.stderr.startswith("Semblance cannot start. Set SECRET_KEY: ")
