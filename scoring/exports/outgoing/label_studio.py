"""Tasks of Label Studio: each with its score as a prediction and its judgments as annotations."""

from collections.abc import Iterator
from typing import Any

from scoring.exports.outgoing.contents import Compared, Open, compared, rated

Task = dict[str, Any]
SCORE, BEST, WORST = "similarity", "best", "worst"
"""The names of the controls in the labeling configuration."""


def rating_tasks(open_file: Open, version: str) -> Iterator[Task]:
    """Yield a task for each item in each round and context. Parameters: version, of the predictions."""
    for unit in rated(open_file):
        target = next(iter(unit.texts))
        mean = unit.scores["mean"]
        predictions = [] if mean is None else [{"model_version": version, "result": [_number(target, mean)]}]
        yield {
            "data": {"id": unit.item, **unit.texts, "key": unit.key, **unit.scores},
            "predictions": predictions,
            "annotations": [_annotation(row, [_number(target, row["value"])]) for row in unit.judgments],
        }


def choice_tasks(open_file: Open, version: str) -> Iterator[Task]:
    """Yield a task for each tuple; the scores of its items are among its data, because no control takes them."""
    for unit in compared(open_file):
        yield {
            "data": _data(unit),
            "annotations": [
                _annotation(row, [_choice(name, unit.items.index(row[name]) + 1) for name in (BEST, WORST)])
                for row in unit.judgments
            ],
        }


def _data(unit: Compared) -> Task:
    data: Task = {"id": unit.key}
    for place, (item, text, score) in enumerate(zip(unit.items, unit.texts, unit.scores, strict=True), start=1):
        data |= {f"item{place}": item, f"text{place}": text, f"score{place}": score}
    return data


def _number(target: str, value: float) -> Task:
    return {"from_name": SCORE, "to_name": target, "type": "number", "value": {"number": value}}


def _choice(name: str, place: int) -> Task:
    return {"from_name": name, "to_name": "text1", "type": "choices", "value": {"choices": [f"text{place}"]}}


def _annotation(row: Task, result: list[Task]) -> Task:
    """Return the answer of one person, whose pseudonym is a comment: Label Studio knows only people with accounts."""
    person = {"meta": {"text": [row["annotator"]]}}
    annotation = {"result": [answer | person for answer in result]}
    milliseconds = row.get("thinking_ms")
    return annotation if milliseconds is None else annotation | {"lead_time": milliseconds / 1000}
