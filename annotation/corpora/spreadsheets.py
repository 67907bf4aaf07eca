"""Texts in files that spreadsheets open: those that they would run get an apostrophe before them."""

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(value: object) -> object:
    """Return a text that is safe in a spreadsheet; numbers are not changed."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_SIGNS) else value


def without_apostrophe(text: str) -> str:
    """Return a text as it was before `harmless`."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_SIGNS) else text
