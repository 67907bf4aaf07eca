"""Storage of a snapshot as one .npz file, the same bytes for the same data.

Integers are written in the fewest bytes that hold them, texts as UTF-8 with their lengths (NumPy's own arrays of texts
would give every text the room of the longest), the facts as JSON. Nothing is pickled or compressed, entries have no
times: the bytes depend neither on the clock nor on the version of a library.
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from functools import cache
from io import BytesIO
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import (
    ChoiceRows,
    Dialogues,
    Efforts,
    Facts,
    Groups,
    Items,
    MachineAnswers,
    Machines,
    Origins,
    Participations,
    Raters,
    Ratings,
    Reasons,
    Registered,
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
    "reasons": Reasons,
    "efforts": Efforts,
    "dialogues": Dialogues,
    "machines": Machines,
    "machine_answers": MachineAnswers,
    "registered": Registered,
}
ABSENT_IF_EMPTY = {"machines": "names", "machine_answers": "ids", "registered": "plans"}
"""Tables that files of projects without models, or without a registered plan, do not have, by a column of each."""
SCHEMA_VERSION = 1
"""The version of the format, raised when a later version can no longer read what an earlier one wrote."""
OTHER_VERSION = "This snapshot was written by another version of Semblance. Start a new scoring run."
EPOCH = (1980, 1, 1, 0, 0, 0)
ZIP_LIMIT = 1 << 30  # bytes of an entry whose size may need the 64 bits of a later version of the format
Arrays = Mapping[str, NDArray[Any]]


class OutdatedRun(ValueError):
    """A run that no longer agrees with the stored data, so that another one has to be started."""


def to_bytes(snapshot: Snapshot) -> bytes:
    """Return the content of the file that `write` writes."""
    stream = BytesIO()
    write(snapshot, stream)
    return stream.getvalue()


def write(snapshot: Snapshot, file: IO[bytes]) -> None:
    """Write a file, column by column, which `numpy.load(..., allow_pickle=False)` reads as well."""
    entries: dict[str, Callable[[], NDArray[Any]]] = {
        "facts": lambda: _utf8(_facts_text(snapshot.facts)),
        "tuples": lambda: _narrow(snapshot.tuples),
    }
    for name in TABLES:
        table = getattr(snapshot, name)
        if name in ABSENT_IF_EMPTY and not len(getattr(table, ABSENT_IF_EMPTY[name])):
            continue
        for column in fields(table):
            entries |= _entries(f"{name}.{column.name}", getattr(table, column.name))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array_of in sorted(entries.items()):
            array = array_of()
            entry, large = zipfile.ZipInfo(f"{name}.npy", EPOCH), array.nbytes > ZIP_LIMIT
            with archive.open(entry, "w", force_zip64=large) as content:
                np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)


def from_bytes(content: bytes) -> Snapshot:
    """Return the snapshot of the content of a file; see `stored`."""
    return stored(BytesIO(content))


def stored(file: IO[bytes]) -> Snapshot:
    """Return the snapshot of a file, which stays open: each column is read when it is first needed, without the checks
    that the snapshot passed before it was written.

    Few parts of a run need all columns. The integers of choices, of which there may be millions, have 32 bits where
    that is enough, all others 64.

    Raises:
        ValueError: the file has another format.
    """
    archive: Arrays = np.load(file, allow_pickle=False)
    snapshot = object.__new__(Snapshot)
    found = {name.partition(".")[0] for name in archive}
    for one in fields(Snapshot):
        if one.name == "facts":
            value: Any = _read_facts(archive["facts"])
        elif one.name == "tuples":
            value = _wide(archive["tuples"])
        elif one.name in found:
            value = _stored_table(TABLES[one.name], one.name, archive)
        else:  # earlier versions lack some tables, of which each has a default
            value = Snapshot.__annotations__[one.name]()
        object.__setattr__(snapshot, one.name, value)
    return snapshot


def _stored_table(kind: type[Any], name: str, archive: Arrays) -> Any:
    """Return a table whose columns are read when they are first needed."""
    table = object.__new__(_StoredTable.of(kind))  # type: ignore[arg-type]
    table.__dict__["_read"] = lambda column: _read_column(f"{name}.{column}", archive)
    for column in fields(kind):
        if hasattr(kind, column.name):  # a default of the class would be found instead
            table.__dict__[column.name] = table._read(column.name)
    return table


class _StoredTable:
    """What makes a table read its columns from a file."""

    @staticmethod
    @cache
    def of(kind: type[Any]) -> type[Any]:
        return type(f"Stored{kind.__name__}", (_StoredTable, kind), {})

    def __getattr__(self, name: str) -> Any:
        if name not in {column.name for column in fields(self)}:  # type: ignore[arg-type]
            raise AttributeError(name)
        value = self.__dict__[name] = self.__dict__["_read"](name)
        return value


def read_columns(
    file: BinaryIO, names: Iterable[str], optional: Mapping[str, Any] | None = None
) -> tuple[Facts, dict[str, Any]]:
    """Return the facts and some columns only, by names such as `ratings.values`; integers remain as narrow as stored.

    Parameters: optional, further columns, with what stands for each in a file that does not have it.

    Raises:
        ValueError: the file has another format, or an earlier one without all of these.
    """
    with np.load(file, allow_pickle=False) as archive:
        facts = _read_facts(archive["facts"])
        try:
            columns = {name: archive[name] if name in archive else _read_column(name, archive) for name in names}
        except KeyError as error:
            raise OutdatedRun(OTHER_VERSION) from error
        for name, absent in (optional or {}).items():
            stored_as = {name, f"{name}.text"} & set(archive)
            columns[name] = _read_column(name, archive) if stored_as else absent
    return facts, columns


def _facts_text(facts: Facts) -> str:
    return json.dumps({"form": SCHEMA_VERSION, **asdict(facts)}, sort_keys=True, ensure_ascii=False)


def _read_facts(array: NDArray[Any]) -> Facts:
    found = json.loads(array.tobytes().decode())
    if found.pop("form") != SCHEMA_VERSION:
        raise OutdatedRun(OTHER_VERSION)
    return Facts(**{name: _frozen(value) for name, value in found.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def _entries(name: str, column: Texts | NDArray[Any]) -> dict[str, Callable[[], NDArray[Any]]]:
    """Return the entries of a column, each made when it is written."""
    if not isinstance(column, tuple):
        return {name: lambda: _narrow(column)}
    return {
        f"{name}.text": lambda: np.frombuffer("".join(column).encode(), np.uint8),
        f"{name}.lengths": lambda: _narrow(np.array([len(text.encode()) for text in column], dtype=np.int64)),
    }


def _utf8(text: str) -> NDArray[Any]:
    return np.frombuffer(text.encode(), np.uint8)


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """Return little-endian numbers, in the fewest bytes; of floats, one kind of NaN and one of zero."""
    if array.dtype.kind == "f":
        return np.where(np.isnan(array), np.nan, array + 0.0).astype("<f8")
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array)
    greatest = max(int(array.max(initial=0)), -int(array.min(initial=0)) - 1)
    size = next(size for size in (1, 2, 4, 8) if greatest < 2 ** (8 * size - 1))
    return array.astype(f"<i{size}", order="C")


def _wide(array: NDArray[Any], kind: type[Any] = np.int64) -> NDArray[Any]:
    return array.astype(np.promote_types(array.dtype, kind), copy=False) if array.dtype.kind == "i" else array


def _read_column(name: str, arrays: Mapping[str, NDArray[Any]]) -> Texts | NDArray[Any]:
    if name in arrays:
        return _wide(arrays[name], np.int32 if name.startswith("choices.") else np.int64)
    content, ends = arrays[f"{name}.text"].tobytes(), np.cumsum(arrays[f"{name}.lengths"], dtype=np.int64).tolist()
    return tuple(content[start:end].decode() for start, end in zip([0, *ends[:-1]], ends, strict=False))
