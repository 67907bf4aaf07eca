"""A snapshot as one .npz file, the same bytes for the same data.

Integers are written in the fewest bytes that hold them, texts as UTF-8 with their lengths (NumPy's own arrays of texts
would give every text the room of the longest), the facts as JSON. Nothing is pickled or compressed, entries carry no
times: neither the clock nor the version of a library shows.
"""

import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import (
    ChoiceRows,
    Facts,
    Groups,
    Items,
    Origins,
    Participations,
    Raters,
    Ratings,
    Screens,
    Sources,
    Texts,
)

TABLES: dict[str, type[Any]] = {
    "items": Items,
    "groups": Groups,
    "ratings": Ratings,
    "choices": ChoiceRows,
    "raters": Raters,
    "participations": Participations,
    "sources": Sources,
    "screens": Screens,
    "origins": Origins,
}
FORM = 1
"""Raised when a later version can no longer read what an earlier one wrote."""
OTHER_VERSION = "This snapshot was written by another version of the program. Start another run."
EPOCH = (1980, 1, 1, 0, 0, 0)
Arrays = dict[str, NDArray[Any]]


def to_bytes(snapshot: Snapshot) -> bytes:
    """The content of the file, which `numpy.load(..., allow_pickle=False)` reads as well."""
    arrays = {"facts": _utf8(_facts_text(snapshot.facts)), "tuples": _narrow(snapshot.tuples)}
    for name in TABLES:
        table = getattr(snapshot, name)
        for column in fields(table):
            arrays |= _column(f"{name}.{column.name}", getattr(table, column.name))
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, array in sorted(arrays.items()):
            content = BytesIO()
            np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", EPOCH), content.getvalue())
    return stream.getvalue()


def from_bytes(content: bytes) -> Snapshot:
    """The snapshot of a file.

    Raises:
        ValueError: the file is of another form.
    """
    with np.load(BytesIO(content), allow_pickle=False) as archive:
        arrays: Arrays = {name: archive[name] for name in archive.files}
    tables = {name: _table(kind, name, arrays) for name, kind in TABLES.items() if name in _tables_in(arrays)}
    return Snapshot(**tables, tuples=_wide(arrays["tuples"]), facts=_read_facts(arrays["facts"]))


def read_columns(file: BinaryIO, names: Iterable[str]) -> tuple[Facts, dict[str, Any]]:
    """The facts and some columns only, by names such as `ratings.values`; integers stay as narrow as they are stored.

    Raises:
        ValueError: the file is of another form, or of the time before it held all of these.
    """
    with np.load(file, allow_pickle=False) as archive:
        facts = _read_facts(archive["facts"])
        try:
            columns = {name: archive[name] if name in archive else _read_column(name, archive) for name in names}
        except KeyError as error:
            raise ValueError(OTHER_VERSION) from error
    return facts, columns


def _facts_text(facts: Facts) -> str:
    return json.dumps({"form": FORM, **asdict(facts)}, sort_keys=True, ensure_ascii=False)


def _read_facts(array: NDArray[Any]) -> Facts:
    found = json.loads(array.tobytes().decode())
    if found.pop("form") != FORM:
        raise ValueError(OTHER_VERSION)
    return Facts(**{name: _frozen(value) for name, value in found.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def _column(name: str, column: Texts | NDArray[Any]) -> Arrays:
    if isinstance(column, tuple):
        encoded = [text.encode() for text in column]
        lengths = np.array([len(text) for text in encoded], dtype=np.int64)
        return {f"{name}.text": np.frombuffer(b"".join(encoded), np.uint8), f"{name}.lengths": _narrow(lengths)}
    return {name: _narrow(column)}


def _utf8(text: str) -> NDArray[Any]:
    return np.frombuffer(text.encode(), np.uint8)


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """Little-endian; of floats, one kind of NaN and one of zero."""
    if array.dtype.kind == "f":
        return np.where(np.isnan(array), np.nan, array + 0.0).astype("<f8")
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array)
    greatest = max(int(array.max(initial=0)), -int(array.min(initial=0)) - 1)
    size = next(size for size in (1, 2, 4, 8) if greatest < 2 ** (8 * size - 1))
    return array.astype(f"<i{size}", order="C")


def _wide(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.int64) if array.dtype.kind == "i" else array


def _tables_in(arrays: Arrays) -> set[str]:
    """Files of earlier versions have no `sources`, `screens` and `origins`: what is made of these is not there."""
    return {name.partition(".")[0] for name in arrays}


def _table(kind: type[Any], name: str, arrays: Arrays) -> Any:
    return kind(*(_read_column(f"{name}.{column.name}", arrays) for column in fields(kind)))


def _read_column(name: str, arrays: Mapping[str, NDArray[Any]]) -> Texts | NDArray[Any]:
    if name in arrays:
        return _wide(arrays[name])
    content, ends = arrays[f"{name}.text"].tobytes(), np.cumsum(arrays[f"{name}.lengths"], dtype=np.int64).tolist()
    return tuple(content[start:end].decode() for start, end in zip([0, *ends[:-1]], ends, strict=False))
