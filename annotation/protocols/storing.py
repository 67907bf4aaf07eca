"""Conversion of a protocol to plain JSON and back."""

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from annotation.protocols.errors import ProtocolError
from annotation.protocols.spec import Protocol

KIND = "kind"


def to_json(value: Any) -> Any:
    """Return a protocol, or any part of it, as dicts, lists, strings and numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        return {KIND: type(value).__name__, **parts}
    if isinstance(value, tuple):
        return [to_json(part) for part in value]
    return str(value) if isinstance(value, Decimal | StrEnum) else value


def protocol_from_json(stored: Mapping[str, Any]) -> Protocol:
    """Return the stored protocol. Raise ProtocolError if a part is missing, unknown or out of range.

    A part that has a default may be missing, as in a file of an earlier version.
    """
    # Every request needs its project's protocol; protocols are frozen, so that requests can share them.
    return _protocol_from_text(json.dumps(stored, sort_keys=True))


@lru_cache(maxsize=256)
def _protocol_from_text(text: str) -> Protocol:
    try:
        return _build(Protocol, json.loads(text))  # type: ignore[no-any-return]
    except ProtocolError:
        raise
    except (KeyError, TypeError, ValueError, InvalidOperation) as error:
        raise ProtocolError("The stored protocol cannot be read: %(error)s.", error=error) from error


_hints = cache(get_type_hints)


def _build(kind: Any, stored: Any) -> Any:
    if get_origin(kind) in (Union, types.UnionType):
        return _build_one_of(get_args(kind), stored)
    if get_origin(kind) is tuple:
        return tuple(_build(get_args(kind)[0], part) for part in stored)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        given = [field.name for field in fields(kind) if field.name in stored or field.default is MISSING]
        return kind(**{name: _build(hints[name], stored[name]) for name in given})
    return kind(stored)


def _build_one_of(kinds: tuple[Any, ...], stored: Any) -> Any:
    if stored is None:
        return None
    named = {kind.__name__: kind for kind in kinds if kind is not types.NoneType}
    if len(named) == 1:
        return _build(next(iter(named.values())), stored)
    return _build(named[stored[KIND]], stored)
