"""One text: what is found in it, and the text without what was consented to."""

from collections.abc import Collection, Iterable

from annotation.corpora.cleaning.characters import find_directions, find_invisible, find_lost, find_misencoded
from annotation.corpora.cleaning.identities import find_identities
from annotation.corpora.cleaning.kinds import Kind, Spot

# Characters read wrongly may hide all the rest, and an invisible one may stand in the middle of an address.
FINDERS = (find_misencoded, find_invisible, find_directions, find_identities, find_lost)


def find_in_text(text: str) -> list[Spot]:
    """All that is found in a text as it stands, by kind and then by place."""
    return [spot for find in FINDERS for spot in find(text)]


def clean(text: str, kinds: Collection[Kind]) -> str:
    """The text with all that is found of these kinds changed, and nothing else.

    What shows only after a change, such as an address with an invisible character in it, is changed too; therefore
    a second time changes nothing.
    """
    before = None
    while text != before:
        before = text
        for find in FINDERS:
            text = _changed(text, (spot for spot in find(text) if spot.kind in kinds))
    return text


def _changed(text: str, spots: Iterable[Spot]) -> str:
    """Each spot replaced; where one goes, the space that it would leave twice or at an end goes with it."""
    done, at = "", 0
    for spot in spots:
        if spot.becomes is None:
            continue
        done, at = done + text[at : spot.start] + spot.becomes, spot.end
        if not spot.becomes and text[at : at + 1] == " " and (not done or done[-1].isspace()):
            at += 1
        if not spot.becomes and at == len(text):
            done = done.removesuffix(" ")
    return done + text[at:]
