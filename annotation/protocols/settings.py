"""The numbers of a protocol that a manager may change, each under a name such as `R3.pause_hours`."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from annotation.protocols.errors import ProtocolError
from annotation.protocols.limits import Limits, limits_of
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Protocol

# Levels that would only lengthen the names: rounds go by their key, a design's numbers by their round.
SILENT = {"rounds", "design", "pools"}
BOOLEANS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}

Path = tuple[str | int, ...]


def setting_names(protocol: Protocol) -> dict[str, Any]:
    """Return every name that `with_settings` accepts, with its present value."""
    return {name: value for name, _, value, _ in _walk(protocol, (), ())}


def setting_limits(protocol: Protocol) -> dict[str, Limits]:
    """Return the limits of the numbers that have any, by the names that `with_settings` accepts."""
    return {name: limits for name, _, _, limits in _walk(protocol, (), ()) if limits}


def with_settings(protocol: Protocol, changes: Mapping[str, str]) -> Protocol:
    """Return the protocol with some numbers changed.

    A name may be shortened to its last parts where that is unambiguous: `intra` for `R3.intra`. A scale whose ends move
    loses the labels that were written for its earlier ends; `require_labels` asks for new ones.

    Raises:
        ProtocolError: an unknown or ambiguous name, a value of the wrong kind, or numbers that contradict.
    """
    values: dict[Path, Any] = {}
    for name, text in changes.items():
        path, present = _find(protocol, name)
        values[path] = _read(name, text, present)
    changed: Protocol = _replaced(protocol, values, ())
    if changed.scale is None or changed.scale == protocol.scale or protocol.scale is None:
        return changed
    return replace(changed, scale=_relabelled(protocol.scale, changed.scale))


def _relabelled(before: Scale, after: Scale) -> Scale:
    """Return the new scale with the labels that still hold.

    Once an end has moved, this is only that of the other end: the labels between told what the points mean there.
    """
    kept = {end for end, same in ((before.minimum, after.minimum), (before.maximum, after.maximum)) if end == same}
    if len(kept) == 2:
        kept = set(after.points)
    return replace(after, labels=tuple(label for label in before.labels if label.value in kept))


def written(value: Any) -> str:
    """Return a number in the form in which `with_settings` reads it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _walk(
    node: Any, name: tuple[str, ...], path: Path, limits: Limits | None = None
) -> Iterator[tuple[str, Path, Any, Limits | None]]:
    """Yield the name, the path, the value and the limits of every number."""
    if is_dataclass(node) and not isinstance(node, type):
        known = limits_of(type(node))
        for field in fields(node):
            deeper = name if field.name in SILENT else (*name, field.name)
            yield from _walk(getattr(node, field.name), deeper, (*path, field.name), known.get(field.name))
    elif isinstance(node, tuple) and node and is_dataclass(node[0]):
        for index, part in enumerate(node):
            if hasattr(part, "key"):
                yield from _walk(part, (*name, part.key), (*path, index))
    elif _is_numeric(node):
        yield ".".join(name), path, node, limits


def _is_numeric(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(part, Decimal) for part in value)
    return isinstance(value, int | float | Decimal)


def _find(protocol: Protocol, name: str) -> tuple[Path, Any]:
    settings = [(full, path, value) for full, path, value, _ in _walk(protocol, (), ())]
    exact = [entry for entry in settings if entry[0] == name]
    found = exact or [entry for entry in settings if entry[0].endswith(f".{name}")]
    if len(found) == 1:
        return found[0][1], found[0][2]
    if found:
        raise ProtocolError(
            "“%(name)s” is ambiguous. Use %(names)s.",
            name=name,
            names=" or ".join(full for full, _, _ in found),
        )
    known = ", ".join(full for full, _, _ in settings)
    raise ProtocolError("This protocol has no setting “%(name)s”. Its settings: %(known)s.", name=name, known=known)


def _read(name: str, text: str, present: Any) -> Any:
    try:
        if isinstance(present, tuple):
            return tuple(Decimal(part.strip()) for part in text.split(","))
        if isinstance(present, bool):
            return BOOLEANS[text.strip().lower()]
        return type(present)(text)
    except (ValueError, KeyError, InvalidOperation):
        if isinstance(present, bool):
            raise ProtocolError("%(name)s must be true or false, not “%(text)s”.", name=name, text=text) from None
        raise ProtocolError(
            "Set %(name)s to a value such as %(example)s, not “%(text)s”.",
            name=name,
            example=written(present),
            text=text,
        ) from None


def _replaced(node: Any, values: Mapping[Path, Any], path: Path) -> Any:
    """Return the tree with the values at their paths, replaced all at once, as numbers may depend on each other."""
    if path in values:
        return values[path]
    if is_dataclass(node) and not isinstance(node, type):
        names = [field.name for field in fields(node)]
        return replace(node, **{name: _replaced(getattr(node, name), values, (*path, name)) for name in names})
    if isinstance(node, tuple):
        return tuple(_replaced(part, values, (*path, index)) for index, part in enumerate(node))
    return node
