"""The descriptions of a release for programs: Croissant, the Citation File Format and DataCite."""

import json
from importlib.util import find_spec

import pytest
import yaml

from scoring.exports.citing import Dataset, citation_file, datacite
from scoring.exports.hub import licence_on_hub
from tests.releases.making import contents, released
from tests.releases.worlds import CONTESTED, WORLDS

DATASET = Dataset(
    title="Pairs of news",
    description="Human judgments of texts.",
    version="2.0.0",
    day="2026-11-23",
    licence="CC-BY-4.0",
    url="https://example.org/pairs",
    authors=["Nováková, Jana", "Institute of Formal and Applied Linguistics"],
    languages=["cs"],
)


@pytest.mark.parametrize(
    ("licence", "header"),
    [
        ("", {}),
        ("CC-BY-4.0", {"license": "cc-by-4.0"}),
        ("ODbL-1.0", {"license": "odbl"}),
        (
            "Zed",
            {"license": "other", "license_name": "zed", "license_link": "https://spdx.org/licenses/Zed.html"},
        ),
    ],
)
def test_the_hub_gets_a_licence_that_it_knows(licence, header):
    assert licence_on_hub(licence) == header


needs_croissant = pytest.mark.skipif(find_spec("mlcroissant") is None, reason="mlcroissant is not installed.")


def test_a_citation_file_has_people_and_institutions():
    assert yaml.safe_load(citation_file(DATASET)) == {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": "Pairs of news",
        "authors": [
            {"family-names": "Nováková", "given-names": "Jana"},
            {"name": "Institute of Formal and Applied Linguistics"},
        ],
        "abstract": "Human judgments of texts.",
        "version": "2.0.0",
        "date-released": "2026-11-23",
        "license": "CC-BY-4.0",
        "url": "https://example.org/pairs",
    }


def test_datacite_says_that_unknown_authors_are_not_available():
    anonymous = Dataset("T", "D", "1.0.0", "2026-01-02", "", "", [], [])

    assert datacite(anonymous) == {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Human judgments of texts"},
        "creators": [{"name": "(:unav)"}],
        "titles": [{"title": "T"}],
        "publisher": {"name": "(:unav)"},
        "publicationYear": 2026,
        "dates": [{"date": "2026-01-02", "dateType": "Collected"}],
        "version": "1.0.0",
        "descriptions": [{"description": "D", "descriptionType": "Abstract"}],
    }


def test_datacite_has_language_url_and_rights():
    found = datacite(DATASET)

    assert (found["language"], found["url"]) == ("cs", "https://example.org/pairs")
    assert found["rightsList"][0]["rightsUri"] == "https://spdx.org/licenses/CC-BY-4.0.html"


@needs_croissant
@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    "world",
    ["semrel", *(pytest.param(name, marks=pytest.mark.thorough) for name in WORLDS | CONTESTED if name != "semrel")],
)
def test_mlcroissant_accepts_the_description_and_reads_every_record(world, tmp_path):
    import mlcroissant  # noqa: PLC0415 it takes seconds to import

    files = contents(released((WORLDS | CONTESTED)[world](), licence="CC-BY-4.0"))
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    manifest = json.loads(files["manifest.json"])

    dataset = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json"))

    assert dataset.metadata.issues.errors == set()
    assert dataset.metadata.issues.warnings == set()
    described = {own.id: own.sha256 for own in dataset.metadata.distribution}
    assert described == {name: own["sha256"] for name, own in manifest["files"].items() if name != "croissant.json"}
    assert ("contested.csv" in described) == (world in CONTESTED)
    for records in dataset.metadata.record_sets:
        [name] = {field.source.file_object for field in records.fields}
        assert sum(1 for _row in dataset.records(records.id)) == manifest["files"][name]["rows"]
