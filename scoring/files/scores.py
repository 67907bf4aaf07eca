"""`scores JUDGMENTS.csv`: counts and scores of every item, in one pass that holds only the items in memory."""

import csv
import sys
from argparse import Namespace
from collections import Counter
from fractions import Fraction

from scoring.files.choices import read_rows
from scoring.files.reading import FileFault, open_table
from scoring.stats.ratings import rounded

HEADER = ("item", "score", "best", "worst", "appearances")


def run(options: Namespace) -> None:
    appearances: Counter[str] = Counter()
    best: Counter[str] = Counter()
    worst: Counter[str] = Counter()
    with open_table(options.judgments) as table:
        for row in read_rows(table, keep_invalid=options.keep_invalid):
            appearances.update(row.items)
            best[row.best] += 1
            worst[row.worst] += 1
        if not appearances:
            raise FileFault(f"{table.name}: there are no judgments.")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADER)
    for item, shown in appearances.items():
        score = Fraction(best[item] - worst[item], shown)
        score = (score + 1) / 2 if options.scale == "unit" else score
        writer.writerow((item, _written(score, options.decimals), best[item], worst[item], shown))


def _written(score: Fraction, decimals: int | None) -> float | str:
    return float(score) if decimals is None else f"{rounded(score, decimals):f}"
