"""`reliability JUDGMENTS.csv`: split-half reliability of best-worst judgments (SemRel2024 3.2)."""

from argparse import Namespace
from dataclasses import asdict
from typing import Any

import numpy as np

from scoring.files.choices import read_choices
from scoring.files.progress import measured
from scoring.files.writing import defined, write_json
from scoring.stats.reliability import Spread, split_half


def run(options: Namespace) -> None:
    choices = read_choices(options.judgments, keep_invalid=options.keep_invalid, signed=options.by == "annotator")
    chance = np.random.default_rng(options.seed)
    with measured(options.splits, "halving", " splits") as progress:
        found = split_half(choices, chance, splits=options.splits, by=options.by, progress=progress)
    spearman, pearson = found.summary()
    write_json(
        {
            "by": options.by,
            "splits": options.splits,
            "items": choices.number,
            "judgments": choices.judgments,
            "spearman": _defined(spearman),
            "pearson": _defined(pearson),
        }
    )


def _defined(spread: Spread) -> dict[str, Any]:
    figures = asdict(spread) | {"full_length": spread.full_length}
    reason = figures.pop("reason")
    values = defined(figures, reason or "the mean of the correlations is negative")
    # Some splits may be undefined while the spread of the others is defined: the reason is reported as well.
    return values if reason is None else values | {"reason": reason}
