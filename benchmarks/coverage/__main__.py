"""`python -m benchmarks.coverage`: how often intervals of 95 % have the true figure, as Markdown.

`--part agreement` computes one part, and can be repeated for others; `--write` puts what was computed into its section
of docs/results.md.

Each collection is simulated from a known truth. An interval of an item's utility is its value -+ 1.96 errors, and of
its score by counting the score -+ t errors with the degrees of freedom of the error.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from benchmarks.coverage.parts import PARTS, Part, World
from benchmarks.coverage.sections import RESULTS, section, with_section

COLLECTIONS = 400


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=list(PARTS), help="compute only this part")
    parser.add_argument("--collections", type=int, default=COLLECTIONS)
    parser.add_argument("--processes", type=int, default=cpu_count())
    parser.add_argument("--write", action="store_true", help=f"write to {RESULTS.name}")
    asked = parser.parse_args(arguments)
    for name in asked.part or PARTS:
        text = _compute(PARTS[name], asked.collections, asked.processes)
        print(text, flush=True)
        if asked.write:
            RESULTS.write_text(with_section(RESULTS.read_text(), text))


def _compute(part: Part, collections: int, processes: int) -> str:
    with ProcessPoolExecutor(processes) as workers:
        found = list(workers.map(World.cover, part.worlds, [collections] * len(part.worlds)))
    return section(part, zip(part.worlds, found, strict=True), collections)


if __name__ == "__main__":
    main()
