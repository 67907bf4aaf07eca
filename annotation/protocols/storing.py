"""A protocol to plain JSON and back."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Union, get_args, get_origin, get_type_hints

from annotation.protocols.spec import Protocol, ProtocolError

KIND = "kind"


def to_json(value: Any) -> Any:
    """A protocol, or any part of one, as dicts, lists, strings and numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        return {KIND: type(value).__name__, **parts}
    if isinstance(value, tuple):
        return [to_json(part) for part in value]
    return str(value) if isinstance(value, Decimal | StrEnum) else value


def protocol_from_json(stored: Mapping[str, Any]) -> Protocol:
    """The protocol that `to_json` stored.

    Raises:
        ProtocolError: a part is missing, unknown or out of range.
    """
    try:
        return _build(Protocol, stored)  # type: ignore[no-any-return]
    except (KeyError, TypeError) as error:
        raise ProtocolError(f"The stored protocol cannot be read: {error}.") from error


def _build(kind: Any, stored: Any) -> Any:
    if get_origin(kind) in (Union, types.UnionType):
        return _build_one_of(get_args(kind), stored)
    if get_origin(kind) is tuple:
        return tuple(_build(get_args(kind)[0], part) for part in stored)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{field.name: _build(hints[field.name], stored[field.name]) for field in fields(kind)})
    return kind(stored)


def _build_one_of(kinds: tuple[Any, ...], stored: Any) -> Any:
    if stored is None:
        return None
    named = {kind.__name__: kind for kind in kinds if kind is not types.NoneType}
    if len(named) == 1:
        return _build(next(iter(named.values())), stored)
    return _build(named[stored[KIND]], stored)
