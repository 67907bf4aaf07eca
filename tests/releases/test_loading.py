"""The lines of Python on a release's page and in its data card, run as they are printed with pandas and datasets."""

import re
import subprocess
import sys
from html import unescape
from importlib.util import find_spec

import pytest

from annotation.models import Membership
from scoring.api.archives import archive_of
from scoring.exports.loading import configurations, loading
from tests.config.surroundings import clean_environment
from tests.factories import make_user
from tests.releases.making import contents, released
from tests.releases.worlds import CONTESTED, WORLDS, rating

needs_datasets = pytest.mark.skipif(find_spec("datasets") is None, reason="The package datasets is not installed.")
PRINTED = "\nprint(len(judgments), typed['train'].num_rows)"
SIZES = r'dataset = (load_dataset\(folder, "(.+)"\))'
"""A line that loads a configuration; the test prints what came of it."""


def run_printed(lines: str, folder, home) -> list[str]:
    """The output of the lines in a folder, with the rows of each configuration's splits."""
    asked = re.sub(SIZES, r'dataset = \1\nprint("\2", {name: part.num_rows for name, part in dataset.items()})', lines)
    offline = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    environment = clean_environment() | offline
    command = [sys.executable, "-c", asked + PRINTED]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


LOADED = {
    "semrel": [
        "parts {'train': 8, 'validation': 1, 'test': 3}",
        "scores {'train': 12}",
        "judgments {'train': 96}",
        "distributions {'train': 12}",
        "96 96",
    ],
    "czech_news": [
        *(f"test-{name} {{'test': 36}}" for name in ("dep", "free", "shift")),
        *(f"train-{name} {{'train': 69}}" for name in ("N1", "N2", "RAW")),
        "scores {'train': 216}",
        "judgments {'train': 552}",
        "distributions {'train': 216}",
        "552 552",
    ],
    "giccs": [
        "giccs {'train': 15}",
        "scores {'train': 15}",
        "judgments {'train': 150}",
        "distributions {'train': 15}",
        "150 150",
    ],
    "dscs": [
        "dscs {'train': 5}",
        "scores {'train': 5}",
        "judgments {'train': 25}",
        "distributions {'train': 5}",
        "25 25",
    ],
    "stss131": [
        "stss131 {'train': 4}",
        "scores {'train': 4}",
        "judgments {'train': 24}",
        "distributions {'train': 4}",
        "24 24",
    ],
    "rating": ["scores {'train': 6}", "judgments {'train': 18}", "distributions {'train': 6}", "18 18"],
    "best_worst": ["scores {'train': 12}", "judgments {'train': 96}", "distributions {'train': 12}", "96 96"],
    "contested": [
        "scores {'train': 4}",
        "judgments {'train': 32}",
        "distributions {'train': 4}",
        "contested {'train': 2}",
        "32 32",
    ],
    "contested_texts": [
        "scores {'train': 3}",
        "judgments {'train': 5}",
        "distributions {'train': 3}",
        "contested {'train': 1}",
        "5 5",
    ],
}


@needs_datasets
@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    "world",
    ["czech_news", *(pytest.param(name, marks=pytest.mark.thorough) for name in LOADED if name != "czech_news")],
)
def test_the_printed_lines_load_every_configuration_of_a_folder_and_of_a_zip(world, client, tmp_path):
    project = (WORLDS | CONTESTED | {"rating": rating})[world]()
    release = released(project)
    user = make_user("reader")
    Membership.objects.create(project=project, user=user, role=Membership.Role.RESEARCHER)
    client.force_login(user)
    name = f"{project.key}-release-1"
    (tmp_path / "zip").mkdir()
    (tmp_path / "zip" / f"{name}.zip").write_bytes(bytes(archive_of(release, name)))

    page = client.get(f"/projects/{project.key}/releases/1/")
    on_page = unescape(re.search(r'<pre id="with-python"[^>]*>(.*?)</pre>', page.text, re.DOTALL)[1])
    in_card = contents(release)["README.md"].decode().partition("```python\n")[2].partition("\n```")[0]

    assert run_printed(on_page, tmp_path / "zip", tmp_path / "hub") == LOADED[world]
    assert run_printed(in_card, tmp_path / "zip" / name, tmp_path / "hub") == LOADED[world]


def test_without_configurations_only_pandas_reads_the_judgments():
    assert configurations("# A release of an earlier version") == []
    assert "load_dataset(" not in loading([])
    assert "pandas.read_parquet(" in loading([])
