"""CITATION.cff and datacite.json: how to cite a release, for programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

CITATION = "CITATION.cff"
DATACITE = "datacite.json"
UNAVAILABLE = "(:unav)"
"""DataCite's value for a required property that is not available (Metadata Schema 4.5, appendix 3)."""
LICENCES = "https://spdx.org/licenses/{}.html"


@dataclass(frozen=True)
class Dataset:
    """What a release says about itself in every format. day: of the data, in ISO 8601. licence: an SPDX identifier."""

    title: str
    description: str
    version: str
    day: str
    licence: str
    url: str
    authors: Sequence[str]
    languages: Sequence[str]

    @property
    def licence_url(self) -> str:
        return LICENCES.format(self.licence) if self.licence else ""


def citation_file(dataset: Dataset) -> str:
    """Return the content of CITATION.cff in the Citation File Format 1.2.0, which GitHub and Zenodo read."""
    fields = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": dataset.title,
        "authors": [_author(name) for name in dataset.authors] or [{"name": "unknown"}],
        "abstract": dataset.description,
        "version": dataset.version,
        "date-released": dataset.day,
        "license": dataset.licence,
        "url": dataset.url,
    }
    known = {name: value for name, value in fields.items() if value}
    return yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=120)


def _author(name: str) -> dict[str, str]:
    """Return a person if the name is written “Family, Given”; otherwise the name as it stands."""
    family, comma, given = (part.strip() for part in name.partition(","))
    return {"family-names": family, "given-names": given} if comma and family and given else {"name": name}


def datacite(dataset: Dataset) -> dict[str, Any]:
    """Return the properties of DataCite's Metadata Schema 4.5 as its REST API takes them; the DOI is given later."""
    return {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Human judgments of texts"},
        "creators": [{"name": name} for name in dataset.authors] or [{"name": UNAVAILABLE}],
        "titles": [{"title": dataset.title}],
        "publisher": {"name": UNAVAILABLE},
        "publicationYear": int(dataset.day[:4]),
        "dates": [{"date": dataset.day, "dateType": "Collected"}],
        "version": dataset.version,
        "descriptions": [{"description": dataset.description, "descriptionType": "Abstract"}],
        **dict(_where_known(dataset)),
    }


def _where_known(dataset: Dataset) -> Iterator[tuple[str, Any]]:
    if dataset.languages:
        yield "language", dataset.languages[0]
    if dataset.url:
        yield "url", dataset.url
    if dataset.licence:
        rights: Mapping[str, str] = {
            "rightsIdentifier": dataset.licence,
            "rightsIdentifierScheme": "SPDX",
            "schemeUri": "https://spdx.org/licenses/",
            "rightsUri": dataset.licence_url,
        }
        yield "rightsList", [rights]
