"""Numbers in words, as used in descriptions, subtitles and labels."""

from collections.abc import Sequence
from decimal import Decimal
from math import isnan

MINUS = "\N{MINUS SIGN}"


def number(value: float, decimals: int = 2) -> str:
    """Return a number without needless zeros: 1,200, 0.27, −1.5; “not defined” for NaN."""
    value += 0.0  # makes 0 of minus 0
    if isnan(value):
        return "not defined"
    if value and abs(value) < 0.5 * 10**-decimals:
        text = f"{value:.2g}"
    else:
        text = f"{value:,.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", MINUS)


def fixed(value: float, decimals: int) -> str:
    """Return a number with all its decimals, as correlations are printed: 0.970."""
    return "not defined" if isnan(value) else f"{value:z.{decimals}f}".replace("-", MINUS)


def plain(value: Decimal) -> str:
    """Return a value of a scale without needless zeros: 4 for 4.0, 0.5, 10."""
    return f"{value.normalize() + 0:f}".replace("-", MINUS)


def signed(value: float) -> str:
    """Return a number with its sign: +0.27, −0.1, 0."""
    return f"+{number(value)}" if value > 0 else number(value)


def share(part: float) -> str:
    """Return a share in per cent: 7.5%."""
    return f"{number(100 * part, 1)}%"


def counted(amount: int, singular: str, plural: str | None = None) -> str:
    """Return an amount with its noun: 1 pair, 1,200 pairs."""
    return f"{amount:,} {singular if amount == 1 else plural or singular + 's'}"


def listed(parts: Sequence[str]) -> str:
    """Return the parts as a list in words: a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def missing_sentence(missing: int, noun: str, value: str) -> list[str]:
    """Return a sentence on the number left out, if any."""
    return [f"Left out: {counted(missing, noun)} without a {value}."] if missing else []
