"""Long lists in one response: read in chunks and sent at once, so that memory does not grow with them."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from rest_framework.renderers import BaseRenderer
from rest_framework.utils.encoders import JSONEncoder

CHUNK = 2000
Row = dict[str, Any]


class JsonLinesRenderer(BaseRenderer):
    """The media type for content negotiation; `stream` writes the response."""

    media_type = "application/x-ndjson"
    format = "ndjson"
    charset = None


class CsvRenderer(JsonLinesRenderer):
    media_type = "text/csv"
    format = "csv"


def stream(
    renderer: BaseRenderer, rows: QuerySet, complete: Callable[[list[Row]], list[Row]], columns: Sequence[str]
) -> StreamingHttpResponse:
    """Return a response that produces the rows while they are being sent."""
    chunks = (complete(chunk) for chunk in _chunks(rows))
    content_type = f"{renderer.media_type}; charset=utf-8"
    return StreamingHttpResponse(STREAMS[renderer.format](chunks, columns), content_type=content_type)


def _chunks(rows: QuerySet) -> Iterator[list[Row]]:
    found = rows.iterator(chunk_size=CHUNK)
    while chunk := list(islice(found, CHUNK)):
        yield chunk


def _json_lines(chunks: Iterator[list[Row]], columns: Sequence[str]) -> Iterator[bytes]:
    for chunk in chunks:
        yield "".join(f"{written(row)}\n" for row in chunk).encode()


def _csv(chunks: Iterator[list[Row]], columns: Sequence[str]) -> Iterator[bytes]:
    yield _table([columns])
    for chunk in chunks:
        yield _table([[cell(row[column]) for column in columns] for row in chunk])


def _table(rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def written(value: Any) -> str:
    return json.dumps(value, cls=JSONEncoder, ensure_ascii=False)


def cell(value: Any) -> Any:
    """Return the value of a CSV cell: empty for null, JSON for a value that is neither text nor number."""
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return written(value).strip('"') if isinstance(value, datetime) else written(value)


STREAMS: dict[str, Callable[[Iterator[list[Row]], Sequence[str]], Iterator[bytes]]] = {
    "csv": _csv,
    "ndjson": _json_lines,
}
