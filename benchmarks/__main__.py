"""`python -m benchmarks [--items 5500 55000]`: compare times and memory with peers, and print a Markdown table."""

import argparse
import os
import platform

import numpy as np
import scipy

from benchmarks.cases import CASES, PLAIN_REPEATS, REPEATS, Case
from benchmarks.measuring import Measured, measure, measure_here

HEADING = "| what | Semblance | memory | compared with | its time | its memory | ratio |\n" + "|" + " --- |" * 7


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--items", type=int, nargs="+", default=[5_500, 55_000])
    parser.add_argument("--one", choices=CASES, help="run a single case and print JSON")
    parser.add_argument("--peer", action="store_true", help="with --one: measure the peer instead")
    asked = parser.parse_args()
    if asked.one:
        measure_here(asked.one, asked.items[0], peer=asked.peer)
        return
    print(f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}, ", end="")
    print(f"{os.cpu_count()} cores, one used; best of up to seven runs; memory above the data.")
    print(
        f"The plain implementation ran {PLAIN_REPEATS} of the {REPEATS:,} splits or replicates; its time is scaled up."
    )
    for items in asked.items:
        print(f"\n## {items:,} items, {2 * items:,} 4-tuples, {8 * items:,} judgments\n\n{HEADING}", flush=True)
        for name, case in CASES.items():
            print(table_row(name, case, items), flush=True)


def table_row(name: str, case: Case, items: int) -> str:
    engine = measure(name, items)
    if case.peer is None:
        return f"| {name} | {cells(engine)} | - | | | |"
    if case.peer_most and items > case.peer_most:
        return f"| {name} | {cells(engine)} | {case.peer_name} | requires an items × items table | | |"
    peer = measure(name, items, peer=True)
    ratio = (
        f"{peer.seconds / engine.seconds:,.0f}" if isinstance(engine, Measured) and isinstance(peer, Measured) else ""
    )
    return f"| {name} | {cells(engine)} | {case.peer_name} | {cells(peer)} | {ratio} |"


def cells(measured: Measured | str) -> str:
    if isinstance(measured, str):
        return f"{measured.replace('|', '/')} | "
    seconds = measured.seconds
    shown = (
        f"{seconds * 1000:.2g} ms" if seconds < 0.01 else f"{seconds:.3g} s" if seconds < 100 else f"{seconds:,.0f} s"
    )
    return f"{shown} | {measured.megabytes:,.0f} MB"


if __name__ == "__main__":
    main()
