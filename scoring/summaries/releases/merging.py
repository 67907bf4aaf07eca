"""Two releases merged into one dataset: the judgments of both, and scores computed from all of them."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from typing import Any

from annotation.corpora.spreadsheets import harmless
from scoring.stats.ratings import mean_and_deviation
from scoring.summaries.releases.matching import match_items
from scoring.summaries.releases.people import identity
from scoring.summaries.releases.protocols import protocol_differences, reasons_against_merging
from scoring.summaries.releases.reading import (
    ITEMS,
    JUDGMENTS,
    MANIFEST,
    ReleasedData,
    ReleaseFault,
    Row,
    rows_of,
    shown,
)

SCHEMA_VERSION = 1
COLLECTION = "collection"
SCORES_OF_RATINGS = ("item", "round", "context", "mean", "sd", "ratings")
SCORES_OF_CHOICES = ("item", "score", "best", "worst", "appearances")


def merge_releases(first: ReleasedData, second: ReleasedData) -> dict[str, str]:
    """Return the files of a merged dataset by their names; `docs/comparing.md` describes them.

    Judgments that are in both releases of a project are there once.

    Raises: ReleaseFault with all reasons if the protocols do not allow it.
    """
    if reasons := reasons_against_merging(first, second):
        raise ReleaseFault("These releases cannot be merged.\n" + "\n".join(reasons))
    names = _collection_names(first, second)
    rows = [*_labelled(first.rows, names[0]), *_of_second(first, second, names[1])]
    items = {row["item"]: row for row in _items(first, second)}
    whole = ReleasedData("merged", "", first.manifest, (), items, tuple(rows))
    columns = list(dict.fromkeys(name for row in (first.rows[:1] + second.rows[:1]) for name in row))
    texts = {
        JUDGMENTS: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
        "judgments.csv": _csv([COLLECTION, *columns], rows),
        ITEMS: _csv(list(dict.fromkeys((*first.header, *second.header))), items.values()),
        "scores.csv": _scores(whole),
        "README.md": _card(first, second, names, len(rows)),
    }
    return texts | {MANIFEST: _manifest(first, second, names, texts)}


def _collection_names(first: ReleasedData, second: ReleasedData) -> tuple[str, str]:
    """Return how the two are named in the column `collection`: by project, else also by the day of the judgments."""
    projects = [str(release.manifest.get("project", "")) for release in (first, second)]
    if projects[0] != projects[1]:
        return projects[0], projects[1]
    days = [str(release.manifest.get("as_of", ""))[:10] for release in (first, second)]
    dated = [f"{project} {day}" for project, day in zip(projects, days, strict=True)]
    return (dated[0], dated[1]) if dated[0] != dated[1] else (f"{dated[0]} (1)", f"{dated[1]} (2)")


def _labelled(rows: Iterable[Row], name: str) -> Iterator[Row]:
    return ({COLLECTION: name, **row} for row in rows)


def _of_second(first: ReleasedData, second: ReleasedData, name: str) -> Iterator[Row]:
    """Yield the judgments of the second release under the items, people and tuples of the merged dataset."""
    items = {new: old for old, new in match_items(first, second).pairs}
    again = first.manifest.get("project") == second.manifest.get("project")
    known = {identity(row) for row in first.rows} if again else set()
    people = set() if again else {row["annotator"] for row in first.rows}
    tuples = 0 if again else max((row.get("tuple") or 0 for row in first.rows), default=0)
    for row in second.rows:
        if identity(row) in known:
            continue
        changed = {key: items.get(row[key], row[key]) for key in row if _names_item(key)}
        if row["annotator"] in people:
            changed["annotator"] = f"{row['annotator']}-2"
        if row.get("tuple") is not None:
            changed["tuple"] = row["tuple"] + tuples
        yield {COLLECTION: name, **row, **changed}


def _names_item(column: str) -> bool:
    return column in ("best", "worst") or (column.startswith("item") and column[4:].isdecimal()) or column == "item"


def _items(first: ReleasedData, second: ReleasedData) -> Iterator[Row]:
    shared = {new for _, new in match_items(first, second).pairs}
    yield from first.items.values()
    yield from (row for key, row in second.items.items() if key not in shared)


def _scores(whole: ReleasedData) -> str:
    if whole.compares:
        return _csv(SCORES_OF_CHOICES, _scores_of_choices(whole))
    return _csv(SCORES_OF_RATINGS, _scores_of_ratings(whole))


def _scores_of_ratings(whole: ReleasedData) -> Iterator[Row]:
    for place in whole.places:
        values: dict[str, list[float]] = defaultdict(list)
        for row in rows_of(whole, place):
            values[row["item"]].append(float(row["value"]))
        for item in filter(values.__contains__, whole.items):
            score = mean_and_deviation(values[item])
            deviation = None if score.deviation is None else float(score.deviation)
            figures = {"mean": float(score.mean), "sd": deviation, "ratings": len(values[item])}
            yield {"item": item, "round": place.round, "context": place.context, **figures}


def _scores_of_choices(whole: ReleasedData) -> Iterator[Row]:
    best, worst = (Counter(row[name] for row in whole.counted) for name in ("best", "worst"))
    appearances = Counter(item for row in whole.counted for item in shown(row))
    for item in whole.items:
        times = appearances[item]
        score = float(Fraction(best[item] - worst[item], times)) if times else None
        yield {"item": item, "score": score, "best": best[item], "worst": worst[item], "appearances": times}


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([harmless(name) for name in columns])
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else harmless(value)


def _manifest(first: ReleasedData, second: ReleasedData, names: Sequence[str], texts: Mapping[str, str]) -> str:
    differences = protocol_differences(first.protocol, second.protocol)
    files = {
        name: {"sha256": sha256(text.encode()).hexdigest(), "bytes": len(text.encode())} for name, text in texts.items()
    }
    tree = {
        "form": SCHEMA_VERSION,
        "title": f"{first.manifest.get('title', '')} and {second.manifest.get('title', '')}",
        "protocol": first.protocol,
        "merged": [_source(release, name) for release, name in zip((first, second), names, strict=True)],
        "differences": [{"setting": name, "first": one, "second": other} for name, one, other in differences],
        "files": files,
    }
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _source(release: ReleasedData, name: str) -> Row:
    known = ("project", "title", "as_of", "licence", "authors", "contact", "url", "code_version")
    own = {key: release.manifest.get(key) for key in known}
    return {COLLECTION: name, **own, "manifest_sha256": release.sha256}


def _card(first: ReleasedData, second: ReleasedData, names: Sequence[str], judgments: int) -> str:
    lines = ["# A merged dataset", "", f"This dataset has {judgments:,} judgments from two releases:", ""]
    for release, name in zip((first, second), names, strict=True):
        own = release.manifest
        lines.append(
            f"- `{name}`: {own.get('title') or own.get('project')}, judgments as of {own.get('as_of')}, licence: "
            f"{own.get('licence') or 'none given'}, SHA-256 of the manifest `{release.sha256}`"
        )
    lines += ["", "The column `collection` names the release that a judgment is from. Scores are computed from all"]
    lines += [
        "judgments that count. Both licences apply. `manifest.json` has the settings in which the protocols differ."
    ]
    return "\n".join(lines) + "\n"
