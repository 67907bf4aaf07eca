"""Cleaning one text: its findings, and the text without what the user agreed to change."""

from collections.abc import Collection, Iterable

from annotation.corpora.cleaning.characters import find_directions, find_invisible, find_lost, find_misencoded
from annotation.corpora.cleaning.identities import find_identities
from annotation.corpora.cleaning.kinds import Kind, Spot
from annotation.corpora.cleaning.markup import find_markup

# Wrongly read characters may hide all the rest, and an invisible one may be in the middle of an address.
FINDERS = (find_misencoded, find_invisible, find_directions, find_markup, find_identities, find_lost)


def find_in_text(text: str) -> list[Spot]:
    """Return all findings in the unchanged text, by kind and then by place."""
    return [spot for find in FINDERS for spot in find(text)]


def clean(text: str, kinds: Collection[Kind]) -> str:
    """Return the text with all findings of these kinds changed, and nothing else.

    What shows only after a change, such as an address with an invisible character in it, is changed too; therefore
    cleaning again changes nothing.
    """
    before = None
    while text != before:
        before = text
        for find in FINDERS:
            text = _changed(text, (spot for spot in find(text) if spot.kind in kinds))
    return text


def _changed(text: str, spots: Iterable[Spot]) -> str:
    """Replace each spot; with a removed one goes the space that would be left double or at an end."""
    cleaned, at = "", 0
    for spot in spots:
        if spot.becomes is None:
            continue
        cleaned, at = cleaned + text[at : spot.start] + spot.becomes, spot.end
        if not spot.becomes and text[at : at + 1] == " " and (not cleaned or cleaned[-1].isspace()):
            at += 1
        if not spot.becomes and at == len(text):
            cleaned = cleaned.removesuffix(" ")
    return cleaned + text[at:]
