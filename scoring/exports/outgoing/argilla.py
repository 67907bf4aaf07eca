"""Records of Argilla 2, as `Dataset.records.from_json` and `datasets.load_dataset("json")` read them."""

from collections.abc import Iterator
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from scoring.exports.outgoing.contents import Open, Rated, Row, compared, rated

Record = dict[str, Any]
QUESTION, BEST, WORST = "similarity", "best", "worst"
LARGEST = 10  # the largest value of a RatingQuestion


def rating_records(open_file: Open, version: str) -> Iterator[Record]:
    """Yield a record for each item in each round and context, with its exact score among the metadata.

    A RatingQuestion takes whole numbers from 0 to 10. If every value of the release is one, the answers are numbers and
    the suggestion is the rounded mean; otherwise all are texts, for a TextQuestion. Parameters: version, of the
    suggestions.
    """
    units = list(rated(open_file))
    whole = all(_is_whole(row["value"]) for unit in units for row in unit.judgments)
    for unit in units:
        mean = unit.scores["mean"]
        suggested = None if mean is None else {"value": _value(round(mean) if whole else mean, whole), "agent": version}
        answers = [(row, _value(row["value"], whole)) for row in unit.judgments]
        yield {
            "id": unit.key,
            "fields": unit.texts,
            "metadata": _metadata(unit),
            "suggestions": {QUESTION: suggested} if suggested else {},
            "responses": {QUESTION: [_response(row, value) for row, value in answers]},
        }


def choice_records(open_file: Open, version: str) -> Iterator[Record]:
    """Yield a record for each tuple; the labels of its two questions are the names of its fields."""
    for unit in compared(open_file):
        names = [f"text{place}" for place in range(1, len(unit.items) + 1)]
        field = dict(zip(unit.items, names, strict=True))
        scores = {f"score{place}": score for place, score in enumerate(unit.scores, start=1) if score is not None}
        yield {
            "id": unit.key,
            "fields": dict(zip(names, unit.texts, strict=True)),
            "metadata": {f"item{place}": item for place, item in enumerate(unit.items, start=1)} | scores,
            "suggestions": {},
            "responses": {name: [_response(row, field[row[name]]) for row in unit.judgments] for name in (BEST, WORST)},
        }


def _metadata(unit: Rated) -> Record:
    return {"item": unit.item} | {name: value for name, value in unit.scores.items() if value is not None}


def _is_whole(value: float) -> bool:
    return float(value).is_integer() and 0 <= value <= LARGEST


def _value(value: float, whole: bool) -> int | str:
    return int(value) if whole else str(value)


def _response(row: Row, value: int | str) -> Record:
    """Return an answer with the ID of its user, which follows from the pseudonym."""
    return {"value": value, "user_id": str(uuid5(NAMESPACE_OID, row["annotator"]))}
