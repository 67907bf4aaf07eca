"""Two releases of the same task merged into one dataset."""

import csv
import json
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from scoring.__main__ import main
from scoring.summaries.releases.comparing import compare_releases
from scoring.summaries.releases.merging import merge_releases
from scoring.summaries.releases.reading import ReleaseFault, read_release
from tests.releases.packed import AFTER, BEFORE, FIRST, SECOND, chosen, rated, unpacked


@pytest.fixture
def pair():
    """Two releases of the same six pairs; people changed their minds about the last one."""
    return [read_release(key, rated(key, rows)) for key, rows in (("spring", FIRST), ("autumn", SECOND))]


def test_releases_of_the_same_task_are_merged(tmp_path, capsys):
    first = unpacked(rated("spring", FIRST), tmp_path / "a")
    # The second names its pairs differently; one text is new, and one pseudonym is also in the first.
    files = rated("autumn", SECOND, keys=[f"q{at}" for at in range(6)])
    files["judgments.jsonl"] = files["judgments.jsonl"].replace(b"autumn 0", b"spring 0")
    files["items.csv"] = files["items.csv"].replace(b"First text 5.", b"Another text.")
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {name: {"sha256": sha256(files[name]).hexdigest()} for name in manifest["files"]}
    files["manifest.json"] = json.dumps(manifest).encode()
    second, out = unpacked(files, tmp_path / "b"), tmp_path / "merged"

    assert main(["merge-releases", str(first), str(second), "--out", str(out)]) == 0

    scores = list(csv.DictReader((out / "scores.csv").read_text().splitlines()))
    means = [float(row["mean"]) for row in scores]
    assert [row["item"] for row in scores] == ["p1", "p2", "p3", "p4", "p5", "p6", "q5"]
    assert means[:5] == pytest.approx(np.mean([*FIRST, *SECOND], axis=0)[:5])
    assert [row["ratings"] for row in scores] == ["10"] * 5 + ["5"] * 2
    rows = list(csv.DictReader((out / "judgments.csv").read_text().splitlines()))
    assert {(row["collection"], row["annotator"]) for row in rows} >= {("spring", "spring 0"), ("autumn", "spring 0-2")}
    assert "'=text 0" in (out / "items.csv").read_text()
    found = json.loads((out / "manifest.json").read_text())
    digests = [sha256((folder / "manifest.json").read_bytes()).hexdigest() for folder in (first, second)]
    assert [one["manifest_sha256"] for one in found["merged"]] == digests
    assert found["files"]["scores.csv"]["sha256"] == sha256((out / "scores.csv").read_bytes()).hexdigest()
    assert main(["compare", str(out), str(first)]) == 0
    capsys.readouterr()
    assert main(["merge-releases", str(first), str(second), "--out", str(out)]) == 2
    assert "the folder is not empty" in capsys.readouterr().err


def test_releases_of_one_project_are_merged_without_the_judgments_in_both():
    first, second = (read_release("r", chosen("texts", own)) for own in (BEFORE, [*BEFORE, *AFTER]))

    files = merge_releases(first, second)

    rows = [json.loads(line) for line in files["judgments.jsonl"].splitlines()]
    names = ["texts 2026-03-01 (1)"] * 3 + ["texts 2026-03-01 (2)"] * 3
    assert [row["collection"] for row in rows] == names
    assert {row["tuple"] for row in rows} == {1}
    scores = {row["item"]: row for row in csv.DictReader(files["scores.csv"].splitlines())}
    assert (scores["t1"]["best"], scores["t1"]["worst"], scores["t1"]["appearances"]) == ("4", "1", "6")
    assert float(scores["t1"]["score"]) == 0.5


def test_tuples_of_another_project_have_other_numbers():
    first, second = (read_release(key, chosen(key, own)) for key, own in (("a", BEFORE), ("b", AFTER)))

    rows = [json.loads(line) for line in merge_releases(first, second)["judgments.jsonl"].splitlines()]

    assert [row["tuple"] for row in rows] == [1, 1, 1, 2, 2, 2]
    assert [row["annotator"] for row in rows] == ["anna", "ben", "cleo", "anna-2", "ben-2", "dan"]


def test_releases_of_other_tasks_are_refused_with_all_reasons(pair):
    scale = {"minimum": "0", "maximum": "5", "step": "1", "labels": [{"value": "0", "text": "none"}]}
    other = read_release("other", rated("other", SECOND, question="How alike?", scale=scale))
    other = replace(other, items={**other.items, "p1": {**other.items["p1"], "sentence1": "Changed."}})

    with pytest.raises(ReleaseFault) as refused:
        merge_releases(pair[0], other)

    reasons = str(refused.value).splitlines()
    assert reasons[0] == "These releases cannot be merged."
    assert reasons[1] == "The protocols differ in question: How similar? and How alike?."
    assert "The protocols differ in scale.maximum: – and 5." in reasons
    assert "The labels of the scale differ." in reasons
    assert reasons[-1] == "Items have the same ID but other texts (1): “p1”."
    assert compare_releases(pair[0], other)["not_merged_because"] == reasons[1:]


def test_the_command_refuses_releases_and_folders_with_the_reason(tmp_path, capsys):
    folders = [
        unpacked(rated(key, FIRST, question=question), tmp_path / key)
        for key, question in (("a", "How?"), ("b", "Why?"))
    ]
    (tmp_path / "file").write_text("")

    assert main(["merge-releases", *map(str, folders), "--out", str(tmp_path / "out")]) == 2
    assert "The protocols differ in question: How? and Why?." in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["merge-releases", str(folders[0]), str(folders[0]), "--out", str(tmp_path / "file" / "out")]) == 2
    assert "Not a directory" in capsys.readouterr().err
