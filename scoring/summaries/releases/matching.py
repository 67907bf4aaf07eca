"""Items that two releases share: by their IDs and texts."""

from collections import Counter
from dataclasses import dataclass

from scoring.summaries.releases.reading import ReleasedData


@dataclass(frozen=True)
class Matches:
    """pairs: the keys of each shared item in both releases. by_id: how many have the same ID, with the same texts;
    by_text: how many have the same texts under another ID. differing: keys with other texts in the second release;
    they are not shared. only_first, only_second: how many items the other release does not have."""

    pairs: tuple[tuple[str, str], ...]
    by_id: int
    by_text: int
    differing: tuple[str, ...]
    only_first: int
    only_second: int


def match_items(first: ReleasedData, second: ReleasedData) -> Matches:
    """Return the shared items, in the order of the first release.

    An item without the same ID and texts is matched by its texts, if they occur once in each release.
    """
    same = {key for key in first.items if key in second.items and first.texts(key) == second.texts(key)}
    differing = tuple(key for key in first.items if key in second.items and key not in same)
    texts = [_once(release, same) for release in (first, second)]
    pairs = [(key, key) for key in first.items if key in same]
    by_text = [(key, texts[1][text]) for text, key in texts[0].items() if text in texts[1]]
    order = {key: place for place, key in enumerate(first.items)}
    shared = sorted([*pairs, *by_text], key=lambda pair: order[pair[0]])
    return Matches(
        pairs=tuple(shared),
        by_id=len(pairs),
        by_text=len(by_text),
        differing=differing,
        only_first=len(first.items) - len(shared),
        only_second=len(second.items) - len(shared),
    )


def _once(release: ReleasedData, matched: set[str]) -> dict[tuple[str, ...], str]:
    """Return the items that are not matched yet by their texts, without texts that occur more than once."""
    texts = {key: release.texts(key) for key in release.items if key not in matched}
    times = Counter(texts.values())
    return {text: key for key, text in texts.items() if text and times[text] == 1}
