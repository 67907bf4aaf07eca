"""The text that a model answered, read strictly and by the rules for people."""

import json
import re
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.judgment.rules import on_scale, require_choice
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.scale import Scale
from scoring.domain.machines.prompts import BEST, RATING, WORST

FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def read_rating(text: str, scale: Scale) -> float:
    """Return the rating of an answer: a JSON object with `rating`, or a number alone.

    Raises:
        Refusal: it is neither, or the number is not on the scale.
    """
    found = _read(text)
    value = found.get(RATING) if isinstance(found, dict) else found
    if not isinstance(value, str) or not NUMBER.fullmatch(value):
        raise Refusal(_("The answer is neither a JSON object with “rating” nor a number."))
    return on_scale(scale, value)


def read_choice(text: str, design: BestWorstDesign, shown: Sequence[int]) -> tuple[int, int]:
    """Return the ids of the best and the worst item of an answer: a JSON object with the numbers `best` and `worst`.

    Parameters: shown, the ids of the items in the order shown.

    Raises:
        Refusal: it is something else, a number is not one of the items, or both are the same.
    """
    found = _read(text)
    numbers = [found.get(key) for key in (BEST, WORST)] if isinstance(found, dict) else []
    known = {str(number): item for number, item in enumerate(shown, start=1)}
    if len(numbers) != 2 or any(not isinstance(number, str) or number not in known for number in numbers):
        raise Refusal(_("The answer is not a JSON object with the numbers “best” and “worst” of two items."))
    best, worst = (known[str(number)] for number in numbers)
    require_choice(design, set(shown), best, worst)
    return best, worst


def _read(text: str) -> Any:
    """Return the JSON of an answer, with numbers as they were written; a code block around it is left out."""
    stripped = text.strip()
    fenced = FENCED.fullmatch(stripped)
    try:
        return json.loads(fenced[1] if fenced else stripped, parse_int=str, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise Refusal(_("The answer is not valid JSON.")) from error
