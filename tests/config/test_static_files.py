"""Static files as the Dockerfile collects them and as production serves them."""

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage

from config.joining import JoinError
from config.storage import EmbeddedStaticFilesStorage
from tests.config.surroundings import ROOT, clean_environment
from tests.config.test_settings import NEEDED

STATIC_TAG = re.compile(r"""{% static ["'](.+?)["'] %}""")
ASKED_FOR = re.compile(r"""(?:src|href)="(/static/[^"]+)\"""")
IMPORTED = re.compile(r"""^(?:import|@import|export)\b""", re.MULTILINE)
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of static files that `collectstatic` fills under the settings of production."""
    folder = tmp_path_factory.mktemp("static")
    given = {"STATIC_ROOT": folder, "DATA_DIR": tmp_path_factory.mktemp("data")}
    outcome = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput"],
        cwd=ROOT,
        env=clean_environment(DJANGO_SETTINGS_MODULE="config.settings.production", **NEEDED, **given),
        capture_output=True,
        text=True,
        umask=0o022,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return folder


@pytest.fixture
def production_storage(collected, settings):
    """Pages of this test name their static files as in production."""
    settings.STATIC_ROOT = collected
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "config.storage.JoinedStaticFilesStorage"}}
    yield
    staticfiles_storage._wrapped = None


def test_every_file_that_a_template_names_is_in_the_manifest(collected):
    manifest = json.loads((collected / "staticfiles.json").read_text())["paths"]
    named = {name for page in (ROOT / "templates").rglob("*.html") for name in STATIC_TAG.findall(page.read_text())}
    assert {"js/pages/rating.js", "css/pages/annotation.css"} <= named <= set(manifest)
    assert all(HASHED.search(manifest[name]) and (collected / manifest[name]).is_file() for name in named)


def test_whoever_serves_the_files_may_read_them(collected):
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in collected.rglob("*")}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o755}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o644}


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/account/login/", "/account/signup/", "/api/v1/docs/"])
def test_pages_ask_for_collected_files_by_their_hashed_names(client, collected, production_storage, address):
    addresses = ASKED_FOR.findall(client.get(address).content.decode())
    assert addresses
    for each in addresses:
        assert HASHED.search(each)
        assert (collected / each.removeprefix("/static/")).is_file()


def test_scripts_and_style_sheets_of_pages_hold_all_that_they_import(collected):
    pages = [path for kind in ("js", "css") for path in (collected / kind / "pages").iterdir() if path.suffix != ".gz"]
    sources = [path for kind in ("js", "css") for path in (ROOT / "static" / kind / "pages").iterdir()]
    assert {re.sub(r"\.[0-9a-f]{12}\.", ".", path.name) for path in pages} == {path.name for path in sources}
    assert all(HASHED.search(path.name) and path.with_name(f"{path.name}.gz").is_file() for path in pages)
    assert all(IMPORTED.search(path.read_text()) for path in sources)
    assert not any(IMPORTED.search(path.read_text()) for path in pages)


def test_a_page_names_one_script_for_all_of_its_modules():
    named = {name for page in (ROOT / "templates").rglob("*.html") for name in STATIC_TAG.findall(page.read_text())}
    scripts = {name for name in named if name.endswith(".js")}
    assert scripts == {"js/early.js", *(f"js/pages/{path.name}" for path in (ROOT / "static/js/pages").iterdir())}


def test_what_no_page_asks_for_is_not_collected(collected):
    manifest = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert {"django_htmx/htmx-2.min.js", "admin/css/base.css"} <= manifest.keys()
    assert not [name for name in manifest if name.endswith(".map") or name.startswith("rest_framework/")]
    assert sum(path.stat().st_size for path in collected.rglob("*")) < 8_000_000


def test_only_files_named_by_their_content_are_kept(collected):
    named = re.compile(r"\.[0-9a-f]{12}(\.\w+)?$")  # a licence has no ending
    files = [path for path in collected.rglob("*") if path.is_file() and path.name != "staticfiles.json"]
    assert [path for path in files if not named.search(path.name.removesuffix(".gz"))] == []


def test_files_keep_their_own_names_until_they_are_collected(tmp_path):
    storage, source = (
        EmbeddedStaticFilesStorage(location=tmp_path, base_url="/static/"),
        FileSystemStorage(ROOT / "static"),
    )
    assert storage.url("css/base.css") == "/static/css/base.css"
    assert list(storage.post_process({"css/base.css": (source, "css/base.css")}))
    assert HASHED.search(storage.url("css/base.css"))
    with pytest.raises(ValueError, match=r"missing\.css"):
        storage.url("css/missing.css")


def test_an_import_that_leads_nowhere_is_refused(tmp_path):
    storage, source = EmbeddedStaticFilesStorage(location=tmp_path), FileSystemStorage(ROOT / "static")
    with pytest.raises(JoinError, match=r"css/base\.css is imported, but does not exist\."):
        list(storage.post_process({"css/pages/common.css": (source, "css/pages/common.css")}))
