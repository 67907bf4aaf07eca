"""croissant.json: the description of a release in MLCommons' Croissant 1.0, with its extension for responsible AI."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.exports.citing import Dataset
from scoring.exports.manifest import Listed

NAME = "croissant.json"
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The terms of Croissant 1.0, as its specification gives them."""
CONFORMS_TO = ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
TYPES = {"string": "sc:Text", "int64": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean"}
"""Croissant's types of Parquet's; times are dates and times."""
FORMATS = {".parquet": "application/x-parquet", ".jsonl": "application/jsonlines"}
"""The names that Croissant uses for formats where they are not those of our manifest."""
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?")
"""A number; not an identifier such as 007, whose zeros have a meaning."""
RECORDS = ("judgments.parquet", "scores.parquet", "distributions.parquet", "machine_judgments.parquet")
"""The typed tables of every release, as far as it has them."""


def describe(
    dataset: Dataset,
    folder: Path,
    files: Mapping[str, Listed],
    tables: Sequence[str],
    *,
    cite_as: str,
    further: Mapping[str, str],
) -> dict[str, Any]:
    """Return the description of the files in a folder.

    Parameters: tables, the CSV files with a header of which the records are described, in addition to `RECORDS`;
        cite_as, an entry of BibTeX; further, properties of the extension for responsible AI, by name.
    """
    described = [name for name in (*RECORDS, *tables) if name in files and files[name].rows]
    optional = {
        "license": dataset.licence_url,
        "url": dataset.url,
        "creator": [{"@type": "sc:Person", "name": name} for name in dataset.authors],
        "inLanguage": list(dataset.languages),
    }
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": dataset.title,
        "description": dataset.description,
        "version": dataset.version,
        "datePublished": dataset.day,
        "citeAs": cite_as,
        "isLiveDataset": False,
        **{name: value for name, value in optional.items() if value},
        **{f"rai:{name}": value for name, value in further.items()},
        "distribution": [_file(name, own) for name, own in sorted(files.items())],
        "recordSet": [_records(folder / name) for name in described],
    }


def _file(name: str, listed: Listed) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{listed.bytes} B",
        "encodingFormat": FORMATS.get(Path(name).suffix, listed.media_type),
        "sha256": listed.sha256,
    }


def _records(path: Path) -> dict[str, Any]:
    """Return the columns of a table as fields. A table is named without the ending of its file."""
    columns = _columns_of_parquet(path) if path.suffix == ".parquet" else _columns_of_csv(path)
    return {
        "@type": "cr:RecordSet",
        "@id": path.stem,
        "name": path.stem,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{path.stem}/{_without_spaces(name)}",
                "name": name,
                "dataType": kind,
                "source": {"fileObject": {"@id": path.name}, "extract": {"column": name}},
            }
            for name, kind in columns
        ],
    }


def _without_spaces(name: str) -> str:
    """Return the name of a column as a part of an identifier, in which Croissant allows no white space."""
    return "_".join(name.split())


def _columns_of_parquet(path: Path) -> Iterator[tuple[str, str]]:
    from pyarrow.parquet import read_schema  # noqa: PLC0415 35 MB that serving pages does not need

    return ((column.name, TYPES.get(str(column.type), "sc:DateTime")) for column in read_schema(path))


def _columns_of_csv(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each column as numbers if all its values are, or else as text."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        numeric = [True] * len(header)
        for row in rows:
            numeric = [still and NUMBER.fullmatch(value) is not None for still, value in zip(numeric, row, strict=True)]
    return ((name, "sc:Float" if is_number else "sc:Text") for name, is_number in zip(header, numeric, strict=True))
