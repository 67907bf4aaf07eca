"""The words of a protocol that a manager may change: the question, the scale's labels, what best and worst mean."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from annotation.protocols.scale import Label, Scale
from annotation.protocols.settings import setting_names, with_settings, written
from annotation.protocols.spec import BestWorstDesign, Protocol, Round

QUESTION = "question"
LOWEST, HIGHEST, BETWEEN = "label.lowest", "label.highest", "label.at."


def texts_of(protocol: Protocol) -> dict[str, str]:
    """Every name that `with_texts` takes, with its present text."""
    return {QUESTION: protocol.question} | dict(_labels_of(protocol.scale)) | dict(_choices_of(protocol))


def _labels_of(scale: Scale | None) -> Iterator[tuple[str, str]]:
    if scale is None:
        return
    texts = {label.value: label.text for label in scale.labels}
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


def with_texts(protocol: Protocol, texts: Mapping[str, str]) -> Protocol:
    """The protocol with these words; labels are replaced as a whole, and an empty one is none.

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
    """The preset with the numbers and words of a protocol: the protocol itself, if it was made from the preset.

    Raises:
        ProtocolError: it has other numbers than the preset.
    """
    numbers = {name: written(value) for name, value in setting_names(protocol).items()}
    return with_texts(with_settings(preset, numbers), texts_of(protocol))
