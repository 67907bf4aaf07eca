"""Scores of rated items, and how far their raters agree."""

import numpy as np

from scoring.stats.agreement import (
    inter_annotator,
    intra_annotator_by_context,
    intraclass_correlation,
    leave_one_out,
    mse_bound,
)
from scoring.stats.alpha import all_alphas
from scoring.stats.intervals import alpha_with_interval
from scoring.stats.raters import RaterCorrelations, rater_correlations
from scoring.stats.ratings import rounded
from scoring.summaries.intervals import mean_bounds, told_agreement
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import DEPENDENT, Stacks, by_round_and_context
from scoring.summaries.tables import BLOCKS, Ratings
from scoring.summaries.undefined import Result, column, distribution, told

NO_CORRELATION = "fewer than two ratings, or no variance among them or among the means of the items"
NO_OTHERS = "no item with two ratings, or no variance among the ratings or among the means of the others"
NO_ALPHA = "no item with two ratings, no variance, or values that this level of measurement does not allow"
NO_ICC = "fewer than two items, no item rated twice, or no variance"
NO_BOUND = "no item has more than three ratings"
NO_RATER = "no rater shares two items with others whose ratings vary"
NO_INTRA = "fewer than two ratings given twice by the same person, or no variance among them"
NO_SCORES = "no item was rated"
ONE_RATING = "a single rating has no standard deviation"

INTRA, MAIN = BLOCKS.index("intra"), BLOCKS.index("main")


def scores(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Mean and standard deviation (n - 1) of every rated pair, in each round and context (STSS-131, table 1; DSCS
    eq. 2-3; Czech News 8). The rounded ones have the decimals that the paper prints, halves to the even neighbour."""
    return by_round_and_context(snapshot, lambda stacks: _score_table(snapshot, stacks))


def _score_table(snapshot: Snapshot, stacks: Stacks) -> Result:
    found = stacks.scores()
    numbers = np.bincount(stacks.ratings.items, minlength=len(snapshot.items.keys)).tolist()
    means = [float(score.mean) for score in found.values()]
    deviations = [score.deviation for score in found.values()]
    decimals = snapshot.facts.decimals
    return {
        "item": [snapshot.items.keys[item] for item in found],
        "mean": means,
        "mean_rounded": [float(rounded(score.mean, decimals)) + 0 for score in found.values()],
        **column("sd", deviations, ONE_RATING),
        **column("sd_rounded", [None if sd is None else float(rounded(sd, decimals)) for sd in deviations], ONE_RATING),
        "ratings": [numbers[item] for item in found],
        "decimals": decimals,
        "means": distribution(np.array(means, dtype=np.float64), NO_SCORES),
    }


def agreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Inter-annotator agreement (Czech News 6, table 1), Krippendorff's alpha, ICC and the bound of the mean squared
    error (Czech News 6), in each round and context; also what an average rater reaches (STSS-131, appendix A)."""
    return by_round_and_context(snapshot, lambda stacks: _agreement(stacks, parameters, generator))


def _agreement(stacks: Stacks, parameters: Parameters, generator: np.random.Generator) -> Result:
    items, raters, values = stacks.ratings.items, stacks.ratings.raters, stacks.ratings.values
    shared = int((np.bincount(items)[items] > 1).sum())
    return {
        "items": len(np.unique(items)),
        "annotators": len(np.unique(raters)),
        "ratings": len(values),
        "inter": told_agreement(inter_annotator(items, values), len(values), NO_CORRELATION),
        "leave_one_out": told_agreement(leave_one_out(items, values), shared, NO_OTHERS),
        "alpha": told(all_alphas(items, values), NO_ALPHA) | _bounds(stacks, parameters, generator),
        "icc": told(intraclass_correlation(items, values), NO_ICC),
        **told({"mse_bound": mse_bound(items, values)}, NO_BOUND),
        **_average_rater(rater_correlations(items, raters, values)),
    }


def _average_rater(each: RaterCorrelations) -> Result:
    return told({"average_rater": each.average}, NO_RATER) | mean_bounds("average_rater", each.defined)


def _bounds(stacks: Stacks, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Between what the alpha of intervals lies with 95 % confidence, by resampling items."""
    own = stacks.ratings
    found = alpha_with_interval(own.items, own.values, generator, replicates=parameters.replicates)
    return told({"interval_low": found.low, "interval_high": found.high}, NO_ALPHA)


def has_intra(snapshot: Snapshot) -> bool:
    """Whether some round asked people again for what they rated in an earlier one."""
    return bool((snapshot.ratings.blocks == INTRA).any())


def intra(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """The same people's ratings of the same pairs in the intra block of a round against an earlier round's main block
    (Czech News 4.2.2 and 6, table 1): {round: {earlier round: agreement}}."""
    own = snapshot.ratings.keep(snapshot.ratings.counted & ~np.isnan(snapshot.ratings.values))
    again, first = own.keep(own.blocks == INTRA), own.keep(own.blocks == MAIN)
    names = snapshot.facts.rounds
    return {
        names[late]: {
            names[early]: _intra(
                first.keep(first.rounds == early), again.keep(again.rounds == late), len(snapshot.items.keys)
            )
            for early in range(late)
        }
        for late in np.unique(again.rounds).tolist()
    }


def _intra(first: Ratings, again: Ratings, items: int) -> Result:
    keys, later_keys = _person_and_screen(first, items), _person_and_screen(again, items)
    _, before, after = np.intersect1d(keys, later_keys, return_indices=True)
    dependent = again.contexts[after] == DEPENDENT
    found = intra_annotator_by_context(first.values[before], again.values[after], dependent)
    repeats = {"both": len(after), "free": int((~dependent).sum()), "dependent": int(dependent.sum())}
    return {
        "ratings": len(after),
        "annotators": len(np.unique(again.raters[after])),
        **{
            name: {"ratings": ratings, **told_agreement(getattr(found, name), ratings, NO_INTRA)}
            for name, ratings in repeats.items()
        },
    }


def _person_and_screen(ratings: Ratings, items: int) -> np.ndarray:
    """One number for each rater, item and context; shape (ratings,)."""
    return np.asarray((ratings.raters * items + ratings.items) * 2 + ratings.contexts)
