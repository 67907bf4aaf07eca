"""manifest.json: the sources of a release, and the checksum of every file."""

import json
import mimetypes
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 1
"""The version of the manifest, raised when a key changes its meaning or is removed."""
NAME = "manifest.json"
MEDIA_TYPES = {
    ".cff": "application/yaml",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
BLOCK = 1 << 20


@dataclass(frozen=True)
class Listed:
    """One file in the manifest. rows: None for a file without any."""

    sha256: str
    bytes: int
    rows: int | None
    media_type: str


def list_files(folder: Path, rows: Mapping[str, int]) -> dict[str, Listed]:
    """List every file of a folder and its subfolders, by its name such as figures/scores.svg, in the order of names."""
    return {name: listed(path, rows.get(name)) for name, path in files_in(folder)}


def listed(path: Path, rows: int | None = None) -> Listed:
    return Listed(digest(path), path.stat().st_size, rows, media_type(path.name))


def files_in(folder: Path) -> list[tuple[str, Path]]:
    """Return name and place of every file, in the order of names."""
    return sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())


def digest(path: Path) -> str:
    with path.open("rb") as file:
        found = sha256()
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest()


def media_type(name: str) -> str:
    suffix = Path(name).suffix
    return MEDIA_TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")


def manifest_of(about: Mapping[str, Any], files: Mapping[str, Listed]) -> dict[str, Any]:
    return {"form": SCHEMA_VERSION, **about, "files": {name: asdict(listed) for name, listed in files.items()}}


def as_text(tree: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys: the same content, the same bytes."""
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
