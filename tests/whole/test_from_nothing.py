"""From an empty folder to a checked dataset, as a researcher with curl does it: real processes, real downloads."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest
from django.db import connection

from tests.config.surroundings import ROOT, clean_environment

pytestmark = pytest.mark.slow
EMAIL = "researcher@example.org"
BROKEN_AFTER = 1000  # bytes
LOADING = """
    import json, sys
    import pandas, yaml
    from datasets import load_dataset
    folder = sys.argv[1]
    header = yaml.safe_load(open(f"{folder}/README.md", encoding="utf-8").read().split("---")[1])
    loaded = {}
    for config in header["configs"]:
        parts = load_dataset(folder, config["config_name"])
        loaded[config["config_name"]] = {
            file["path"]: [parts[file["split"]].num_rows, parts[file["split"]].column_names]
            for file in config["data_files"]
        }
    typed = load_dataset("parquet", data_files=f"{folder}/judgments.parquet")["train"]
    table = pandas.read_parquet(f"{folder}/judgments.parquet")
    print(json.dumps({"configs": loaded, "typed": typed.num_rows, "pandas": len(table), "columns": list(table)}))
"""


class Place:
    """An installation of its own: its data, its server with a worker, and the commands of its keeper."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/api/v1"
        self.folder = folder
        password = {"DJANGO_SUPERUSER_PASSWORD": "not-a-secret-1"}
        self.environment = clean_environment(DATA_DIR=folder / "data", PYTHONWARNINGS="ignore", **password)
        self.environment["PUBLIC_URL"] = f"http://127.0.0.1:{self.port}"
        self.token = ""

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def manage_all(self, *commands: tuple[str, ...]) -> None:
        """Several commands in one process, which takes longer to start than to do any of them."""
        code = f"from django.core.management import call_command\nfor words in {commands!r}: call_command(*words)"
        self.manage("shell", "--verbosity", "0", "-c", code)

    def curl(self, *arguments: str, url: str, expected: int = 0) -> str:
        command = ["curl", "--silent", "--show-error", "--fail", "-H", f"Authorization: Token {self.token}"]
        done = subprocess.run([*command, *arguments, url], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == expected, done.stderr
        return done.stdout

    def post(self, path: str, body: dict[str, object]) -> dict:
        answer = self.curl("-H", "Content-Type: application/json", "-d", json.dumps(body), url=f"{self.url}/{path}")
        return json.loads(answer)

    def poll(self, url: str, ready: str = "state") -> dict:
        """Asks until the work has ended, as the documentation says."""
        deadline = time.monotonic() + 180
        while True:
            row = json.loads(self.curl(url=url))
            if row["state"] == "failed" or (row["state"] == "done" and row[ready]):
                return row
            assert time.monotonic() < deadline, row
            time.sleep(0.2)

    def begin_to_download(self, name: str, url: str) -> None:
        """A connection that breaks after some bytes."""
        curl = ["curl", "--silent", "-H", f"Authorization: Token {self.token}", url]
        with subprocess.Popen(curl, stdout=subprocess.PIPE) as download:
            (self.folder / name).write_bytes(download.stdout.read(BROKEN_AFTER))
            download.stdout.close()
        assert download.returncode != 0


@pytest.fixture
def place(template, tmp_path) -> Iterator[Place]:
    place = Place(tmp_path)
    begin(place, template)
    place.manage("createsuperuser", "--noinput", "--username", "researcher", "--email", EMAIL)
    place.token = place.manage("create_token", EMAIL, "--scope", "write").split()[-1]
    command = [sys.executable, "manage.py", "serve", "--port", str(place.port)]
    with (tmp_path / "serve.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=place.environment, stdout=log, stderr=log)
    try:
        wait_for(place, process)
        yield place
    finally:
        process.terminate()
        process.wait(30)


def begin(place: Place, template: str) -> None:
    """With an empty database, migrated here where the tests' own is of another kind."""
    if connection.vendor == "sqlite":
        (place.folder / "data").mkdir()
        shutil.copy(template, place.folder / "data" / "semblance.sqlite3")
    else:
        place.manage("migrate", "--verbosity", "0")


def wait_for(place: Place, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 60
    while subprocess.run(["curl", "--silent", "--output", os.devnull, f"{place.url}/schema/"]).returncode:
        said = (place.folder / "serve.log").read_text()
        assert process.poll() is None and time.monotonic() < deadline, said
        time.sleep(0.2)


def semrel(place: Place) -> str:
    place.manage_all(
        ("create_project", "pairs", "--preset", "semrel", "--set", "tuples_a_person=0"),
        ("import_items", "pairs", "annotation/presets/semrel/demo/pairs.csv"),
        ("plan", "pairs", "main", "--people", "4"),
        ("simulate", "pairs", "main", "--people", "4"),
    )
    return "pairs"


def czech_news(place: Place) -> str:
    numbers = {"R1.incidents": 4, "R2.tuples": 3, "R3.annotators": 1, "R3.tuples": 6, "R3.stack_size": 1, "R3.intra": 1}
    numbers |= {"R3.calibration": "0,3,6"}
    chosen = [word for name, value in numbers.items() for word in ("--set", f"{name}={value}")]
    place.manage_all(
        ("create_project", "news", "--preset", "czech_news", *chosen),
        ("import_items", "news", "annotation/presets/czech_news/demo/incidents-cs.jsonl"),
        *((command, "news", key) for key in ("R1", "R2", "R3") for command in ("plan", "simulate")),
    )
    return "news"


@pytest.mark.thorough
@pytest.mark.parametrize("prepare", [semrel, pytest.param(czech_news, marks=pytest.mark.thorough)])
def test_everything_is_had_with_curl(place, prepare):
    key = prepare(place)

    run = place.post(f"projects/{key}/runs/", {"seed": 1, "parameters": {"splits": 20, "replicates": 20}})
    run = place.poll(run["url"], ready="figures")
    assert (run["state"], run["error"], run["seed"]) == ("done", "", 1)
    drawn = json.loads(place.curl(url=run["figures"]))["results"]
    assert drawn and "<svg" in place.curl(url=drawn[0]["svg"])

    release = place.post(f"projects/{key}/releases/", {"licence": "CC-BY-4.0"})
    release = place.poll(release["url"])
    assert (release["state"], release["error"]) == ("done", "")
    for file in release["files"]:
        download(place, file)

    manifest = json.loads((place.folder / "manifest.json").read_text(encoding="utf-8"))
    assert {file["name"] for file in release["files"]} == manifest["files"].keys() | {"manifest.json"}
    assert sha256((place.folder / "manifest.json").read_bytes()).hexdigest() == release["sha256"]
    for name, listed in manifest["files"].items():
        assert sha256((place.folder / name).read_bytes()).hexdigest() == listed["sha256"], name
    assert f"figures/{drawn[0]['name']}.svg" in manifest["files"]
    loads_with_pandas_and_datasets(place, manifest)


def download(place: Place, file: dict) -> None:
    """Where there is enough to break off, the connection breaks, and curl goes on from there."""
    (place.folder / file["name"]).parent.mkdir(exist_ok=True)
    if file["size"] > 100 * BROKEN_AFTER:
        place.begin_to_download(file["name"], file["url"])
        assert (place.folder / file["name"]).stat().st_size == BROKEN_AFTER
    said = place.curl("-C", "-", "-o", file["name"], "-w", "%{http_code}", url=file["url"])
    assert said == ("206" if file["size"] > 100 * BROKEN_AFTER else "200")


def loads_with_pandas_and_datasets(place: Place, manifest: dict) -> None:
    if find_spec("datasets") is None:
        pytest.skip("The package datasets is not installed.")
    offline = {"HF_HOME": str(place.folder / "hub"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-c", dedent(LOADING), str(place.folder)]
    done = subprocess.run(command, env=place.environment | offline, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    rows = {name: listed["rows"] for name, listed in manifest["files"].items()}
    assert found["configs"]
    for files in found["configs"].values():
        assert {name: number for name, (number, _) in files.items()} == {name: rows[name] for name in files}
    assert found["typed"] == found["pandas"] == rows["judgments.parquet"] > 50
    written = {name.partition(".")[0] for name in rows if name.endswith(".tsv") and rows[name]}
    assert written <= found["configs"].keys()
    assert {"scores", "judgments"} < found["configs"].keys()
