"""Tables of docs/adaptive.md."""

from collections.abc import Iterable, Iterator

import numpy as np

from benchmarks.adaptive.measures import Curve

Curves = dict[tuple[str, str], Curve]
NAMES = {
    ("fixed", "counting"): "fixed, counting",
    ("fixed", "model"): "fixed, model",
    ("different", "model"): "fixed, other tuples, model",
    ("iterative", "ranks"): "iterative, ranks",
    ("iterative", "model"): "iterative, model",
}
OURS = {"adaptive": "even", "uneven": "uneven"}
BUDGETS = (4, 6, 8)
RATINGS = (4, 8, 16)
EXTREMES = {
    ("fixed", "counting"): "fixed, counting",
    ("fixed", "model"): "fixed, model",
    ("adaptive", "counting"): "adaptive, counting",
    ("adaptive", "likelihood"): "adaptive, maximum likelihood",
    ("adaptive", "model"): "adaptive, model",
    ("uneven", "counting"): "adaptive (uneven), counting",
    ("uneven", "likelihood"): "adaptive (uneven), maximum likelihood",
    ("uneven", "model"): "adaptive (uneven), model",
    ("iterative", "ranks"): "iterative, ranks",
}


def section(title: str, settings: str, rows: Iterable[str]) -> str:
    return f"### {title}\n\n{settings}\n\n" + "\n".join(rows) + "\n"


def needed_rows(found: dict[float, Curves]) -> Iterator[str]:
    """Yield how many judgments the adaptive designs need for what another design reaches."""
    yield "| noise | compared with | its judgments per item | Spearman | adaptive | share | adaptive, uneven | share |"
    yield "| --- " * 8 + "|"
    for noise, curves in found.items():
        for key, name in NAMES.items():
            for budget in BUDGETS if key[0] != "iterative" else curves[key].judgments:
                reached = curves[key].at(float(budget), "spearman")
                cells = [f"{noise:g}", name, f"{budget:.1f}", f"{reached:.4f}"]
                for own in OURS:
                    needed = curves[own, "model"].needed(reached)
                    known = np.isfinite(needed)
                    cells += [f"{needed:.1f}" if known else "more than 8", f"{needed / budget:.0%}" if known else "-"]
                yield f"| {' | '.join(cells)} |"


def extreme_rows(found: dict[float, Curves]) -> Iterator[str]:
    """Yield what becomes of the extreme items with 8 judgments per item, and the estimated reliability."""
    yield "| noise | scores | Spearman | ranks moved inward | farther from the mean | estimated reliability | true |"
    yield "| --- " * 7 + "|"
    for noise, curves in found.items():
        for key, name in EXTREMES.items():
            curve, at = curves[key], float(BUDGETS[-1])
            estimated = curve.at(at, "estimated") if key[1] == "model" else float("nan")
            cells = [
                f"{noise:g}",
                name,
                f"{curve.at(at, 'spearman'):.4f}",
                f"{curve.at(at, 'moved'):+.2f} points",
                f"{curve.at(at, 'stretched'):+.3f} SD",
                f"{estimated:.4f}" if np.isfinite(estimated) else "-",
                f"{curve.at(at, 'reliability'):.4f}",
            ]
            yield f"| {' | '.join(cells)} |"


def rating_rows(found: dict[tuple[float, float], Curves]) -> Iterator[str]:
    """Yield Spearman's correlation of designs of ratings after equally many ratings."""
    yield "| noise | items differ in noise | ratings per item | equal numbers | in waves | EASL |"
    yield "| --- " * 6 + "|"
    for (noise, unequal), curves in found.items():
        for budget in RATINGS:
            reached = [curves[name, "mean"].at(budget, "spearman") for name in ("equal", "waves", "EASL")]
            figures = " | ".join(f"{figure:.4f}" for figure in reached)
            yield f"| {noise:g} | {f'by {unequal:g}' if unequal else 'no'} | {budget} | {figures} |"
