"""Removal of personal data and secrets from what is logged."""

import re

LEFT_OUT = "…"
_RULES = (
    (re.compile(r"(://)[^/\s@]+@"), rf"\1{LEFT_OUT}@"),  # names and passwords in addresses
    (re.compile(r"\b(https?://[^/\s\"'<>?#]+)[/?#][^\s\"'<>]*"), rf"\1/{LEFT_OUT}"),  # everything after the host
    (re.compile(r"[^\s@/<>\"'(){}\[\],;:=]+@[^\s@/<>\"'(){}\[\],;:=]+\.\w+"), "(e-mail address)"),
    # Paths whose next part is a token, such as /join/TOKEN/.
    (re.compile(r"/(join|resume|unsubscribe|members|enter|confirm-email|key|tokens)/[^\s/\"'<>]+"), rf"/\1/{LEFT_OUT}"),
    (re.compile(r"\?[^\s\"'<>=]+=[^\s\"'<>]*"), f"?{LEFT_OUT}"),
    # What PostgreSQL quotes from the row that it refuses.
    (re.compile(r"\b(DETAIL|CONTEXT):.*"), rf"\1: {LEFT_OUT}"),
    (re.compile(r"\bip=\S+"), f"ip={LEFT_OUT}"),
)


_NEEDED = re.compile(r"[/@?:=]")  # every rule needs one of these


def without_personal_data(text: str) -> str:
    """Return the text without e-mail addresses, tokens in paths, queries, passwords and quoted rows."""
    if not _NEEDED.search(text):
        return text
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
