"""Ratings on any scale and a preset of somebody's own, by commands from an empty database to a release."""

import csv
import json
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

import annotation.presets
import scoring.presets
from annotation.models import Project
from annotation.presets.registry import presets
from scoring.models import Release
from scoring.presets.registry import publications

pytestmark = pytest.mark.django_db

PAIRS = annotation.presets.registry.presets()["rating"].folder / "demo" / "pairs.csv"
SCALES = {
    "binary": ["scale.maximum=1", "label.0=no", "label.1=yes"],
    "five points": ["label.0=low", "label.2=middling", "label.4=high"],
    "slider": ["scale.maximum=100", "label.100=the same"],
    "tens from ten": ["scale.maximum=90", "scale.minimum=10", "scale.step=10", "label.10=", "label.90="],
}


SHOWN = [
    *("binary", "slider"),
    *(pytest.param(name, marks=pytest.mark.thorough) for name in ("five points", "tens from ten")),
]
PRESET = """
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from annotation.planning.costs import Material
from annotation.presets.rating.protocol import PROTOCOL
from annotation.presets.registration import Preset, Words

PRESET = Preset(
    protocol=replace(PROTOCOL, key="tone", title="Tone of two texts", question="How alike is the tone?"),
    folder=Path(__file__).parent,
    words=Words("Tone", "People compare the tone of two texts.", "Pairs.", "The scale.", Material(items=10)),
)
"""
PUBLICATION = """
from scoring.exports.files import write_plain_csv
from scoring.exports.publication import DataFile, Publication


def write(view, split, folder):
    rows = ((item.key, item.sentence1, item.sentence2) for _, item in view.items())
    return {"tone.csv": write_plain_csv(folder / "tone.csv", ("id", "first", "second"), rows)}


PUBLICATION = Publication(paper="the Tone Study", write=write, files=(DataFile("tone.csv"),))
"""


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def released(preset: str, folder: Path, *changes: str, people: str = "3") -> dict[str, str]:
    """The text files of a release of ten pairs that simulated people rated; every command was a success."""
    items = folder / "pairs.csv"
    items.write_text("\n".join(PAIRS.read_text(encoding="utf-8").splitlines()[:11]), encoding="utf-8")
    named = [f"--set={change}" for change in (*changes, f"ratings={people}")]
    run("create_project", "own", "--preset", preset, "--language", "en", *named)
    run("import_items", "own", str(items))
    run("plan", "own", "main")
    run("simulate", "own", "main")
    results = json.loads(run("score", "own", "--splits", "10"))
    assert results["overview"]["ratings"] == 10 * int(people)
    out = folder / "release"
    run("release", "own", "--out", str(out))
    return {path.name: path.read_text(encoding="utf-8") for path in out.iterdir() if path.suffix in (".md", ".csv")}


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.slow
@pytest.mark.parametrize("scale", SHOWN)
def test_any_scale_is_rated_scored_and_released(tmp_path, scale):
    files = released("rating", tmp_path, "items_a_person=4", *SCALES[scale])

    project = Project.objects.get()
    points = {float(point) for point in project.protocol.scale.points}
    judgments = table(files["judgments.csv"])
    assert {float(row["value"]) for row in judgments} <= points
    assert set(Counter(row["item"] for row in judgments).values()) == {3}
    assert set(Counter(row["annotator"] for row in judgments).values()) <= {3, 4}
    scores = table(files["scores.csv"])
    assert [(row["item"], row["ratings"]) for row in scores] == [(f"r{place:02}", "3") for place in range(1, 11)]
    assert all(row["mean"] and row["sd"] for row in scores)
    assert "collected with Semblance" in files["README.md"] and "paper" not in files["README.md"]
    assert {"scores.csv", "judgments.csv", "items.csv", "distributions.csv"} == {
        name for name in files if name.endswith(".csv")
    }


def test_labels_and_the_question_are_set_by_name(db):
    run("create_project", "own", "--preset", "rating", "--set=question=How formal?", *(f"--set={one}" for one in (
        "scale.maximum=100", "label.0=not at all", "label.50=so-so", "label.highest=very")))  # fmt: skip

    protocol = Project.objects.get().protocol
    assert protocol.question == "How formal?"
    assert [(int(label.value), label.text) for label in protocol.scale.labels] == [
        (0, "not at all"),
        (50, "so-so"),
        (100, "very"),
    ]


@pytest.mark.parametrize(
    ("preset", "change", "reason"),
    [
        ("rating", "label.9=x", "outside the scale"),
        ("rating", "label.1.5=x", "between two points"),
        ("rating", "label.top=x", "is not a number"),
        ("semrel", "label.1=x", "has no scale"),
        ("semrel", "label.lowest=x", "has no scale"),
        ("rating", "words=x", "has no setting “words”"),
    ],
)
def test_a_label_that_is_none_is_refused(preset, change, reason):
    with pytest.raises(CommandError, match=reason):
        run("create_project", "own", "--preset", preset, f"--set={change}")
    assert not Project.objects.exists()


@pytest.fixture
def tone(tmp_path, monkeypatch):
    """A preset in a folder of its own; its releases are as those of every preset."""
    folder = tmp_path / "annotation" / "tone"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PRESET)
    (folder / "guidelines.md").write_text("# Tone\n")
    (tmp_path / "scoring").mkdir()
    for package in (annotation.presets, scoring.presets):
        own = tmp_path / package.__name__.partition(".")[0]
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(own)])
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    for found in (presets, publications):
        found.cache_clear()
    for name in [name for name in sys.modules if name.endswith(".presets.tone")]:
        del sys.modules[name]


@pytest.mark.slow
def test_a_preset_is_one_folder_and_has_a_full_release(tone):
    files = released("tone", tone)

    assert Project.objects.get().guidelines == "# Tone\n"
    assert len(table(files["scores.csv"])) == 10
    assert "collected with Semblance" in files["README.md"] and "How alike is the tone?" in files["README.md"]
    assert Release.objects.get().manifest["protocol"]["key"] == "tone"


@pytest.mark.slow
def test_a_preset_with_a_folder_in_scoring_has_files_of_its_own(tone):
    (tone / "scoring" / "tone").mkdir()
    (tone / "scoring" / "tone" / "__init__.py").write_text(PUBLICATION)
    forget()

    files = released("tone", tone)

    assert len(table(files["tone.csv"])) == 10
    assert (
        "following the protocol of the Tone Study" in files["README.md"] and "config_name: tone" in files["README.md"]
    )


@pytest.mark.slow
def test_a_project_whose_preset_is_gone_has_a_full_release_and_its_pages(tone, admin_client):
    released("tone", tone)
    project = Project.objects.get()
    project.protocol_json["key"] = "gone"
    project.save()

    run("release", "own", "--out", str(tone / "again"))

    assert "collected with Semblance" in (tone / "again" / "README.md").read_text()
    pages = "/ /setup/ /setup/protocol/ /plans/ /watch/ /people/ /forecast/ /runs/1/ /releases/".split()
    assert {page: admin_client.get(f"/projects/own{page}").status_code for page in pages} == dict.fromkeys(pages, 200)
