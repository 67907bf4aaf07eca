"""Pages of long lists: each begins after the last row of the page before, so that late pages are as fast as early ones,
and new rows do not move others to another page."""

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.db.models import F, Q, QuerySet

SALT = "keyset"


@dataclass(frozen=True)
class KeysetPage:
    """The ids of a page in their order, and the cursor of the page after it, empty on the last one."""

    ids: list[int]
    next: str
    is_first: bool


def keyset_page(rows: QuerySet, by: str, *, descending: bool = False, cursor: str = "", size: int = 50) -> KeysetPage:
    """Return one page of rows in the order of a field, and of their ids where it is equal; rows without a value last.

    Parameters: by, a field or an annotation of the rows; cursor, `next` of the page before; an invalid one is ignored.
    """
    last = _decoded(cursor)
    if last is not None:
        rows = rows.filter(_after(rows, by, *last, descending=descending))
    found = list(rows.order_by(*ordering(rows, by, descending=descending)).values_list("pk", by)[: size + 1])
    more = len(found) > size
    key, value = found[size - 1] if more else (0, None)
    following = signing.dumps([_plain(value), key], salt=SALT) if more else ""
    return KeysetPage([pk for pk, _value in found[:size]], following, last is None)


def ordering(rows: QuerySet, by: str, *, descending: bool = False) -> tuple[Any, ...]:
    """Return the order of the pages, for `order_by`.

    PostgreSQL reads an index backwards only for an order that puts missing values first, so their place is named only
    where values can be missing.
    """
    last = True if _may_be_missing(rows, by) else None
    return (F(by).desc(nulls_last=last) if descending else F(by).asc(nulls_last=last), "pk")


def _may_be_missing(rows: QuerySet, by: str) -> bool:
    """Return whether rows may have no value: of an annotation or a relation, it is taken for possible."""
    fields = {field.name: field for field in rows.model._meta.concrete_fields} | {"pk": rows.model._meta.pk}
    return by not in fields or fields[by].null


def _after(rows: QuerySet, by: str, value: Any, pk: int, *, descending: bool) -> Q:
    if value is None:
        return Q(**{f"{by}__isnull": True, "pk__gt": pk})
    beyond, reached = ("lt", "lte") if descending else ("gt", "gte")
    among = Q(**{f"{by}__{reached}": value}) & (Q(**{f"{by}__{beyond}": value}) | Q(pk__gt=pk))
    return among | Q(**{f"{by}__isnull": True}) if _may_be_missing(rows, by) else among


def _decoded(cursor: str) -> tuple[Any, int] | None:
    try:
        value, pk = signing.loads(cursor, salt=SALT)
    except signing.BadSignature:
        return None
    return value, pk


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
