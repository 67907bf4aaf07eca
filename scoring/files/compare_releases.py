"""`compare-releases RELEASE_A RELEASE_B`: two releases, or two rounds, compared; a table, or JSON."""

import sys
from argparse import Namespace
from collections.abc import Iterator

from scoring.files.reading import FileFault
from scoring.files.releases import open_release
from scoring.files.writing import write_json
from scoring.summaries.releases.comparing import compare_releases, main_place, place_of
from scoring.summaries.releases.reading import Place, ReleasedData, ReleaseFault
from scoring.summaries.releases.wording import blocks_of

GAP = "  "


def run(options: Namespace) -> None:
    first, second = open_release(options.first), open_release(options.second)
    try:
        places = _place(first, options.first_round), _place(second, options.second_round)
        found = compare_releases(first, second, places)
    except ReleaseFault as error:
        raise FileFault(str(error)) from error
    if options.json:
        write_json(found)
    else:
        sys.stdout.write(
            "\n\n".join("\n".join([block.title, *_lines(block.rows)]) for block in blocks_of(found)) + "\n"
        )


def _place(release: ReleasedData, chosen: str | None) -> Place:
    """Return the round and context that were chosen as ROUND or ROUND.CONTEXT."""
    if not chosen:
        return main_place(release)
    round_key, _, context = chosen.partition(".")
    return place_of(release, round_key, context)


def _lines(rows: list[list[str]]) -> Iterator[str]:
    """Yield the rows with their columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield GAP + GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
