"""Releases of few judgments, written by hand as far as comparisons read them."""

import json
from hashlib import sha256


class Content(dict):
    """The files of a release by name."""

    def read(self, name):
        return self[name]


def rated(key, rows, keys=None, at=None, **settings):
    """The files of a release of ratings, as far as they are read: a row for each person, a value for each pair.

    Parameters: at, when everybody answered.
    """
    keys = keys or [f"p{at}" for at in range(1, len(rows[0]) + 1)]
    items = [f"{own},First text {at}.,'=text {at}" for at, own in enumerate(keys)]
    known = {"round": "main", "context": "free", "block": "main", "session": 1, "counted": True}
    judgments = [
        {
            "item": own,
            "annotator": f"{key} {person}",
            "value": float(value),
            "position": place,
            "answered_at": at,
            **known,
        }
        for person, row in enumerate(rows)
        for place, (own, value) in enumerate(zip(keys, row, strict=True))
    ]
    return packed(key, items, "item,sentence1,sentence2", judgments, settings)


def packed(key, items, header, judgments, settings):
    files = Content(
        {
            "items.csv": "\n".join([header, *items, ""]).encode(),
            "judgments.jsonl": "".join(json.dumps(row) + "\n" for row in judgments).encode(),
        }
    )
    protocol = {"kind": "Protocol", "question": "How similar?", "rounds": [{"key": "main", "design": {"ratings": 5}}]}
    listed = {name: {"sha256": sha256(content).hexdigest()} for name, content in files.items()}
    about = {"project": key, "title": key.title(), "as_of": "2026-03-01T12:00:00Z", "licence": "CC-BY-4.0"}
    files["manifest.json"] = json.dumps({**about, "protocol": protocol | settings, "files": listed}).encode()
    return files


def unpacked(files, folder):
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def chosen(key, choices, **settings):
    """The files of a release of best-worst choices among three texts."""
    items = [f"t{at},Text {at}." for at in range(1, 4)]
    judgments = [
        {
            **{"item": None, "annotator": person, "value": None, "round": "main", "context": "free", "block": "main"},
            **{"counted": True, "answered_at": f"2026-0{month}-01T12:00:00Z", "session": 1, "position": 1, "tuple": 1},
            **{"item1": "t1", "item2": "t2", "item3": "t3", "best": best, "worst": worst},
        }
        for person, month, best, worst in choices
    ]
    return packed(key, items, "item,text", judgments, settings)


FIRST = [[0, 1, 2, 3, 4, 0], [0, 1, 2, 3, 4, 1], [1, 1, 2, 2, 4, 0], [0, 2, 2, 3, 3, 0], [0, 1, 1, 3, 4, 1]]
SECOND = [[0, 1, 2, 3, 4, 4], [1, 1, 2, 3, 4, 3], [0, 2, 2, 3, 4, 4], [1, 1, 3, 3, 4, 4], [0, 1, 2, 4, 4, 3]]


BEFORE = [("anna", 1, "t1", "t3"), ("ben", 1, "t1", "t2"), ("cleo", 1, "t2", "t3")]
AFTER = [("anna", 7, "t1", "t2"), ("ben", 7, "t1", "t2"), ("dan", 7, "t3", "t1")]
