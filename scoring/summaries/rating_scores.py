"""Scores of rated items, and the agreement of their raters."""

from collections.abc import Callable
from functools import partial

import numpy as np

from scoring.stats.agreement import (
    intraclass_correlation,
    mse_bound,
    mse_oracle,
    with_others,
    with_stack,
)
from scoring.stats.alpha import all_alphas
from scoring.stats.intervals import FEWEST_UNITS, alpha_with_interval
from scoring.stats.people import beside_others
from scoring.stats.ratings import rounded
from scoring.stats.reasons import first_reason, why_no_agreement, why_no_alpha, why_no_icc
from scoring.summaries.intervals import average_bounds, repeated_agreement, resampled_agreement
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import DEPENDENT, Stacks, by_round_and_context
from scoring.summaries.tables import BLOCKS, NONE, Ratings
from scoring.summaries.undefined import Result, column, distribution, told

NO_BOUND = "no item has more than three ratings"
NO_ORACLE = "no item has more than one rating"
NO_RATER = "no annotator shares two items with others whose ratings vary"
NO_INTRA = "fewer than two ratings were repeated by the same annotator"
NO_SCORES = "no item was rated"
ONE_RATING = "the standard deviation of a single rating is not defined"

INTRA, MAIN = BLOCKS.index("intra"), BLOCKS.index("main")


def scores(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return mean and standard deviation (n - 1) of every rated pair, by round and context (STSS-131, table 1; DSCS eq.
    2-3; Czech News 8). The rounded ones have the decimals that the paper prints, halves to the even neighbour."""
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
    """Return inter-annotator agreement (Czech News 6, table 1), Krippendorff's alpha, ICC and the squared error of a
    model with all true means, in each round and context; also the figure of an average rater (STSS-131, appendix A)."""
    return by_round_and_context(snapshot, lambda stacks: agreement_of(stacks, parameters, generator))


def agreement_of(stacks: Stacks, parameters: Parameters, generator: np.random.Generator) -> Result:
    items, raters, values = stacks.ratings.items, stacks.ratings.raters, stacks.ratings.values
    stacks_of_items, bounds = np.bincount(items), _bounds(stacks, parameters, generator)
    own, others = with_stack(items, values), with_others(items, values)
    compared = {
        # A rating is part of the mean of its pair: the correlation is above 0 without any agreement.
        "inter": resampled_agreement(own, parameters, generator, why_no_agreement(own, "item means"), tested=False),
        "leave_one_out": resampled_agreement(
            others, parameters, generator, why_no_agreement(others, "means of the others")
        ),
    }
    return {
        "items": len(np.unique(items)),
        "annotators": len(np.unique(raters)),
        "ratings": len(values),
        "items_compared": int((stacks_of_items > 1).sum()),
        "ratings_compared": int(stacks_of_items[stacks_of_items > 1].sum()),
        **compared,
        "alpha": told(all_alphas(items, values), why_no_alpha(items, values)) | bounds,
        "icc": told(intraclass_correlation(items, values), why_no_icc(items, values)),
        **told({"mse_bound": mse_bound(items, values)}, NO_BOUND),
        **told({"mse_oracle": mse_oracle(items, values)}, NO_ORACLE),
        **_average_rater(stacks.ratings),
    }


def _average_rater(own: Ratings) -> Result:
    """Return the mean of the correlations that are defined: what an average person reaches."""
    people = int(own.raters.max(initial=-1)) + 1
    each = beside_others(own.items, own.raters, own.values, own.counted, people).correlations
    average = float(each.mean()) if len(each) else float("nan")
    pools = np.where(np.bincount(own.raters, minlength=people) > 0, 0, NONE)
    return told({"average_rater": average}, NO_RATER) | average_bounds("average_rater", own, pools, 0)


def _bounds(stacks: Stacks, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the 95 % confidence interval of interval alpha, by resampling items."""
    own = stacks.ratings
    found = alpha_with_interval(own.items, own.values, generator, replicates=parameters.replicates)
    paired = int((np.bincount(own.items) > 1).sum())
    reason = first_reason(
        (np.isnan(found.value), "α is not defined"),
        (paired < FEWEST_UNITS, f"fewer than {FEWEST_UNITS} items have two ratings"),
        (True, "α is 1 or -1"),
    )
    return told({"interval_low": found.low, "interval_high": found.high}, reason)


def has_intra(snapshot: Snapshot) -> bool:
    """Return whether some round asked people again for what they had rated."""
    return bool((snapshot.ratings.blocks == INTRA).any())


def intra(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the agreement of the same people's ratings of the same pairs in the intra block of a round and an earlier
    main block (Czech News 4.2.2 and 6, table 1): {round: {earlier round: agreement}}.

    The first round has no earlier one; its intra block repeats pairs of its own main block: {round: {round}}."""
    own = snapshot.ratings.keep(snapshot.ratings.counted & ~np.isnan(snapshot.ratings.values))
    again, first = own.keep(own.blocks == INTRA), own.keep(own.blocks == MAIN)
    names = snapshot.facts.rounds
    resample = partial(repeated_agreement, parameters=parameters, generator=generator, few=NO_INTRA)
    return {
        names[late]: {
            names[early]: _intra(
                first.keep(first.rounds == early), again.keep(again.rounds == late), len(snapshot.items.keys), resample
            )
            for early in (range(late) or [late])
        }
        for late in np.unique(again.rounds).tolist()
    }


def _intra(first: Ratings, again: Ratings, items: int, resample: Callable[..., Result]) -> Result:
    keys, later_keys = _person_and_screen(first, items), _person_and_screen(again, items)
    _, before, after = np.intersect1d(keys, later_keys, return_indices=True)
    columns = again.raters[after], again.items[after], first.values[before], again.values[after]
    dependent = again.contexts[after] == DEPENDENT
    repeats = {"both": np.ones(len(after), np.bool_), "free": ~dependent, "dependent": dependent}
    return {
        "ratings": len(after),
        "annotators": len(np.unique(again.raters[after])),
        **{
            name: {"ratings": int(rows.sum()), **resample(tuple(column[rows] for column in columns))}
            for name, rows in repeats.items()
        },
    }


def _person_and_screen(ratings: Ratings, items: int) -> np.ndarray:
    """Return one number for each rater, item and context; shape (ratings,)."""
    return np.asarray((ratings.raters * items + ratings.items) * 2 + ratings.contexts)
