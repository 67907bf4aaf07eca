from hashlib import sha256

import pytest

from tests.commands.test_commands import refusal, said
from tests.factories import add_pairs, make_project
from tests.importing.files import write

pytestmark = pytest.mark.django_db

CHOICES = "item1,item2,item3,best,worst\np1,p2,p3,p1,p2\np4,p5,p6,p4,p5\n"


@pytest.fixture
def project(tmp_path):
    """Six pairs in two tuples, each judged by somebody unknown."""
    project = make_project("semrel", key="pairs", tuple_size="3")
    add_pairs(project, 6, source="web")
    assert said("import_judgments", "pairs", str(write(tmp_path, CHOICES))).splitlines() == [
        "judgments: 2",
        "annotators: 0",
        "without an annotator (counted as different people): 2",
    ]
    return project


def parts(folder):
    return [(folder / name).read_text() for name in ("train.csv", "dev.csv", "test.csv")]


def test_release_of_best_worst_scores(project, tmp_path):
    folder = tmp_path / "out"
    assert said("release", "pairs", out=str(folder)).splitlines() == [
        "dev.csv: 0",
        "distributions.csv: 6",
        "distributions.parquet: 6",
        "items.csv: 6",
        "judgments.csv: 2",
        "judgments.jsonl: 2",
        "judgments.parquet: 2",
        "scores.csv: 6",
        "scores.parquet: 6",
        "test.csv: 2",
        "train.csv: 4",
        "tuples.csv: 2",
        "release: 1",
        f"manifest.json: sha256 {sha256((folder / 'manifest.json').read_bytes()).hexdigest()}",
        f"written to {folder}",
    ]


def test_release_of_what_is_known_already_needs_no_run(project, tmp_path):
    for _ in range(2):
        said("release", "pairs", out=str(tmp_path / "out"))
    runs = list(project.runs.values_list("number", flat=True))
    assert (runs, project.releases.count()) == ([1], 2)

    add_pairs(make_project("semrel", key="others"), 1)
    said("import_judgments", "pairs", str(write(tmp_path, "item1,item2,item3,best,worst\np1,p2,p3,p3,p2\n")))
    said("release", "pairs", out=str(tmp_path / "out"))

    assert project.releases.first().run.number == 2


def test_folder_that_cannot_be_written(project, tmp_path):
    (tmp_path / "file").write_text("")
    assert "file: File exists." in refusal("release", "pairs", out=str(tmp_path / "file"))[0]


def test_release_with_sizes_and_seed(project, tmp_path):
    options = ["--split=train=rest,dev=1,test=2", "--seed=3", "--apart"]
    for name in ("one", "two"):
        told = said("release", "pairs", f"--out={tmp_path / name}", *options).splitlines()
    assert {"train.csv: 3", "dev.csv: 1", "test.csv: 2"} <= set(told)
    assert parts(tmp_path / "one") == parts(tmp_path / "two")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            ["--split=train=5,dev=2"],
            "The sizes add up to 7, not to 6 items. One part can take the rest, as in train=rest.",
        ),
        (["--split="], "“” is not a part of the dataset. Use one of: train, dev, test."),
        (["--seed=-1"], "The random seed must be a whole number of 0 or more."),
    ],
)
def test_release_that_cannot_be_split_so(project, tmp_path, options, reason):
    assert refusal("release", "pairs", f"--out={tmp_path / 'out'}", *options)[0] == reason
    assert not (tmp_path / "out").exists()


def test_release_of_ratings_has_no_split(tmp_path):
    make_project("dscs", key="ratings")
    reason = refusal("release", "ratings", f"--out={tmp_path / 'out'}", "--apart")[0]
    assert reason == "This project collects ratings. Only best-worst scores can be split."


def test_import_of_choices_lists_what_is_wrong(project, tmp_path):
    error, listed = refusal("import_judgments", "pairs", str(write(tmp_path, CHOICES + "p1,p2,p9,p1,p2\n")))
    assert error == "Nothing was imported: the file has 1 problem."
    assert listed == "line 4, item3: The project has no item “p9”.\n"
