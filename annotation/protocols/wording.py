"""The words of a protocol that a manager may change: the question, the scale's labels, what best and worst mean."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.errors import OffScale, ProtocolError
from annotation.protocols.scale import Label, Scale
from annotation.protocols.settings import setting_names, with_settings, written
from annotation.protocols.spec import Protocol, Round

QUESTION = "question"
LABEL, LOWEST, HIGHEST, BETWEEN = "label.", "label.lowest", "label.highest", "label.at."
MOST_LABELLED = 7
"""The maximum number of points of a scale on which every point can have a label."""


def texts_of(protocol: Protocol) -> dict[str, str]:
    """Return every name that `with_texts` accepts, with its present text."""
    return {QUESTION: protocol.question} | dict(_labels_of(protocol.scale)) | dict(_choices_of(protocol))


def _labels_of(scale: Scale | None) -> Iterator[tuple[str, str]]:
    if scale is None:
        return
    texts = dict.fromkeys(scale.points if scale.size <= MOST_LABELLED else (), "")
    texts |= {label.value: label.text for label in scale.labels}
    yield LOWEST, texts.get(scale.minimum, "")
    for value, text in texts.items():
        if value not in (scale.minimum, scale.maximum):
            yield f"{BETWEEN}{scale.write(value)}", text
    yield HIGHEST, texts.get(scale.maximum, "")


def _choices_of(protocol: Protocol) -> Iterator[tuple[str, str]]:
    for round_ in protocol.rounds:
        if isinstance(round_.design, BestWorstDesign):
            yield f"{round_.key}.best", round_.design.best
            yield f"{round_.key}.worst", round_.design.worst


def with_changes(protocol: Protocol, changes: Mapping[str, str]) -> Protocol:
    """Return the protocol with some numbers and words changed, under the names of `setting_names` and `texts_of`.

    A name may be shortened to its last part, such as `best`. A label can be named by its value, such as `label.50`.

    Raises:
        ProtocolError: as `with_settings` and `require_labels`, or a label of a value that is not on the scale.
    """
    present = texts_of(protocol)
    names = {name.rpartition(".")[2]: name for name in present if not name.startswith(BETWEEN)}
    words = [name for name in changes if name in present or name in names or name.startswith(LABEL)]
    changed = with_settings(protocol, {name: text for name, text in changes.items() if name not in words})
    named = {_text_name(changed.scale, names.get(name, name)): changes[name] for name in words}
    require_labels(protocol, changed, named)
    return with_texts(changed, texts_of(changed) | named)


def require_labels(before: Protocol, after: Protocol, named: Container[str]) -> None:
    """Raise ProtocolError if an end of the scale has moved and the new end is not given a label, as the old one had.

    Parameters: named, the names of `texts_of` for which there is a new text; an empty text removes the label.
    """
    if missing := [name for name in moved_labels(before, after) if name in (LOWEST, HIGHEST) and name not in named]:
        old, new = before.scale, after.scale
        raise ProtocolError(
            "The labels were written for a scale from %(old_minimum)s to %(old_maximum)s, but the scale "
            "now goes from %(minimum)s to %(maximum)s. Set the labels of the new scale: %(missing)s, and "
            "label.VALUE=… for each value in between that has a label. An empty text means no label.",
            old_minimum=old.minimum,  # type: ignore[union-attr]
            old_maximum=old.maximum,  # type: ignore[union-attr]
            minimum=new.minimum,  # type: ignore[union-attr]
            maximum=new.maximum,  # type: ignore[union-attr]
            missing=", ".join(f"{name}=…" for name in missing),
        )


def moved_labels(before: Protocol, after: Protocol) -> list[str]:
    """Return the labels, by their names in `texts_of`, that a change of the scale's ends has made doubtful."""
    old, new = before.scale, after.scale
    if old is None or new is None:
        return []
    moved = {LOWEST: old.minimum != new.minimum, HIGHEST: old.maximum != new.maximum}
    labelled = [name for name, text in _labels_of(old) if text]
    return [name for name in labelled if (moved[name] if name in moved else any(moved.values()) and _fits(name, new))]


def _fits(name: str, scale: Scale) -> bool:
    """Return whether a label between the ends would still be between them."""
    value = Decimal(name.removeprefix(BETWEEN))
    return value in scale.points and value not in (scale.minimum, scale.maximum)


def _text_name(scale: Scale | None, name: str) -> str:
    """Return the name in `texts_of` of a label that is named by its value; other names are returned unchanged."""
    if not name.startswith(LABEL):
        return name
    if scale is None:
        raise ProtocolError("“%(name)s” is a label, but this protocol has no scale.", name=name)
    if name in (LOWEST, HIGHEST):
        return name
    try:
        value = Decimal(str(scale.read(name.removeprefix(BETWEEN).removeprefix(LABEL))))
    except OffScale as error:
        raise ProtocolError("“%(name)s” is not a label: %(error)s", name=name, error=error) from error
    return {scale.minimum: LOWEST, scale.maximum: HIGHEST}.get(value, f"{BETWEEN}{scale.write(value)}")


def with_texts(protocol: Protocol, texts: Mapping[str, str]) -> Protocol:
    """Return the protocol with these texts; all labels are replaced, and an empty text is no label.

    A label of a point that is no longer on the scale, or that is an end by now, is left out.
    """
    return replace(
        protocol,
        question=texts.get(QUESTION, protocol.question),
        scale=_labelled(protocol.scale, texts),
        rounds=tuple(_named(round_, texts) for round_ in protocol.rounds),
    )


def _labelled(scale: Scale | None, texts: Mapping[str, str]) -> Scale | None:
    if scale is None or LOWEST not in texts:
        return scale
    between = {Decimal(name.removeprefix(BETWEEN)): text for name, text in texts.items() if name.startswith(BETWEEN)}
    ends = {scale.minimum: texts[LOWEST], scale.maximum: texts.get(HIGHEST, "")}
    labels = {value: text for value, text in (between | ends).items() if text and value in scale.points}
    as_written = {label.value: label.value for label in scale.labels}  # 1, where the scale's points are 1.0
    return replace(scale, labels=tuple(Label(as_written.get(value, value), labels[value]) for value in sorted(labels)))


def _named(round_: Round, texts: Mapping[str, str]) -> Round:
    design = round_.design
    if not isinstance(design, BestWorstDesign):
        return round_
    best, worst = (texts.get(f"{round_.key}.{name}", getattr(design, name)) for name in ("best", "worst"))
    return replace(round_, design=replace(design, best=best, worst=worst))


def like(protocol: Protocol, preset: Protocol) -> Protocol:
    """Return the preset with the numbers and texts of a protocol: the protocol itself, if it was made from the preset.

    Raises:
        ProtocolError: the protocol has other numbers than the preset.
    """
    numbers = {name: written(value) for name, value in setting_names(protocol).items()}
    return with_texts(with_settings(preset, numbers), texts_of(protocol))
