"""A screen as its page shows it, and an answer to it."""

import random
import re
from decimal import Decimal

HIDDEN = re.compile(r'<input[^>]*\bname="(assignment|key|csrfmiddlewaretoken)"[^>]*\bvalue="([^"]*)"')
SCALE = re.compile(r'data-scale="([^"]+)" data-minimum="([^"]+)" data-maximum="([^"]+)" data-step="([^"]+)"')
CHOICE = re.compile(r'<input[^>]*\bname="best"[^>]*\bvalue="(\d+)"')
PICK = re.compile(r'<input[^>]*\bname="(pick-\w+)"[^>]*\bvalue="(\d+)"')
# What a browser measures: milliseconds until touched and until answered, with the page in use, and changes.
TIMES = {"touched_ms": "2100", "answered_ms": "5200", "active_ms": "5100", "adjustments": "1"}


def fields_of(page: str) -> dict[str, str]:
    """Return what every form of an answer carries; nothing if the page asks for no answer."""
    fields = dict(HIDDEN.findall(page))
    return fields if "assignment" in fields else {}


def answer_to(page: str, chance: random.Random) -> dict[str, str]:
    """Return the fields of an answer as a browser sends them, whatever kind of screen it is; nothing if it is none."""
    fields = fields_of(page)
    if not fields:
        return {}
    fields |= TIMES
    if choices := CHOICE.findall(page):
        fields["best"], fields["worst"] = chance.sample(choices, 2)
        return fields
    fields |= {name: _value(*scale, chance) for name, *scale in SCALE.findall(page)}
    picks: dict[str, list[str]] = {}
    for name, sentence in PICK.findall(page):
        picks.setdefault(name, []).append(sentence)
    if picks:
        fields |= zip(picks, chance.sample(next(iter(picks.values())), len(picks)), strict=True)
    return fields


def _value(minimum: str, maximum: str, step: str, chance: random.Random) -> str:
    low, high, width = Decimal(minimum), Decimal(maximum), Decimal(step)
    return str(low + width * chance.randint(0, int((high - low) / width)))
