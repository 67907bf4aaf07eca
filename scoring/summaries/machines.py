"""Models that answered as annotators, compared with people; no score and no other figure is made of their answers."""

from collections.abc import Iterator
from itertools import combinations
from math import nan

import numpy as np

from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.alternative import AlternativeTest, alternative_test, by_error, by_match
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.correlation import pearson
from scoring.stats.means import Mean, one_sample_t_test
from scoring.stats.order import evenness
from scoring.stats.people import beside_others
from scoring.summaries.intervals import bounds, told_agreement
from scoring.summaries.order_effects import even
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, stacks_of
from scoring.summaries.tables import CONTEXTS, NONE, Floats, Integers, Items, MachineAnswers
from scoring.summaries.texts import overlap_of
from scoring.summaries.undefined import Result, column, told

NOTHING_SHARED = "fewer than two items in common with people"
NO_ALPHA = "no item was judged twice, or all values are the same"
NOBODY = "no annotator shares enough items with another annotator and the model"
NO_DIFFERENCE = "fewer than two items in common, or all differences are the same"
NO_BIAS = "fewer than three items in common with people, or no variance"
ONCE = "no item was answered twice"
NOT_REVERSED = "fewer than two pairs were answered in both orders, or all differences are the same"
FEWEST = 2


def has_machines(snapshot: Snapshot) -> bool:
    return len(snapshot.machines.names) > 0


def machines(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return each model with its agreement with people as one more annotator, the alternative annotator test, its bias
    by length, overlap and position, and its stability over repeats; by context where it rates."""
    return {"arms": [_arm(snapshot, arm) for arm in range(len(snapshot.machines.names))]}


def _arm(snapshot: Snapshot, arm: int) -> Result:
    table, own = snapshot.machines, snapshot.machine_answers
    answers = own.keep(own.arms == arm)
    result: Result = {
        "name": table.names[arm],
        "model": table.models[arm],
        "round": snapshot.facts.rounds[int(table.rounds[arm])],
        "screens": int(table.screens[arm]),
        "answers": len(answers.ids),
        "invalid": int(table.invalid[arm]),
        "given_up": int(table.given_up[arm]),
        "cost": float(table.costs[arm]),
    }
    epsilon = float(table.epsilons[arm])
    if (answers.tuples != NONE).any():
        return result | {"choices": _of_choices(snapshot, int(table.rounds[arm]), answers, epsilon)}
    contexts = [context for context in range(len(CONTEXTS)) if (answers.contexts == context).any()]
    found = {
        CONTEXTS[context]: _of_ratings(
            snapshot.items,
            stacks_of(snapshot, int(table.rounds[arm]), context),
            answers.keep(answers.contexts == context),
            epsilon,
        )
        for context in contexts
    }
    return result | {"ratings": found}


# Ratings


def _of_ratings(items: Items, stacks: Stacks, answers: MachineAnswers, epsilon: float) -> Result:
    number = len(items.keys)
    passes = [_values(answers, rows, number) for rows in _passes(answers)]
    means, model = stacks.means(number), passes[0]
    own = stacks.ratings
    shared = int((~np.isnan(means + model)).sum())
    return {
        "items": shared,
        "agreement": told_agreement(model, means, NOTHING_SHARED),
        "raters": _beside(stacks, model),
        "alternative": _tested(
            alternative_test(own.items, own.raters, own.values, model, by_error, epsilon=epsilon), epsilon
        ),
        "bias": _bias(items, model - means) | {"position": _reversed(answers, model)},
        "stability": _stability(passes),
    }


def _passes(answers: MachineAnswers) -> Iterator[np.ndarray]:
    """Yield the rows of each repeat in the usual order of the texts, the first one even if it is empty."""
    for repeat in range(1, int(answers.repeats.max(initial=1)) + 1):
        yield (answers.repeats == repeat) & ~answers.backwards


def _values(answers: MachineAnswers, rows: np.ndarray, number: int) -> Floats:
    found = np.full(number, nan)
    found[answers.items[rows]] = answers.values[rows]
    return found


def _beside(stacks: Stacks, model: Floats) -> Result:
    """Return Krippendorff's alpha without and with the model, and the correlation of the model with the mean of people
    among the people's with the mean of the others."""
    own = stacks.ratings
    judged = np.flatnonzero(~np.isnan(model))
    units, values = np.concatenate([own.items, judged]), np.concatenate([own.values, model[judged]])
    people = beside_others(own.items, own.raters, own.values, own.counted, int(own.raters.max(initial=-1)) + 1)
    each = people.correlations
    r = pearson(model, stacks.means(len(model)))
    figures = {
        "alpha_people": krippendorff_alpha(own.items, own.values, "interval"),
        "alpha_with_model": krippendorff_alpha(units, values, "interval"),
    }
    mean = {"people_mean": float(each.mean()) if len(each) else nan}
    below = int((each < r).sum()) if not np.isnan(r) else 0
    return told(figures, NO_ALPHA) | told(mean, NOTHING_SHARED) | {"people": len(each), "below_model": below}


def _tested(found: AlternativeTest, epsilon: float) -> Result:
    figures = {"winning_rate": found.winning_rate, "advantage": found.advantage}
    return told(figures, NOBODY) | {
        "epsilon": epsilon,
        "passed": found.passed,
        "people": len(found.people),
        "won": int(found.won.sum()),
        "signed_rank": int(found.signed_rank.sum()),
        "items": found.items.tolist(),
        **column("p", found.p, NOBODY),
        "advantages": found.model.tolist(),
    }


def _bias(items: Items, differences: Floats) -> Result:
    """Return the mean difference of the model from people with its t-test, and the correlation of the difference with
    the number of words and with the share of words in common."""
    lengths = np.array([float(np.mean([len(text.split()) for text in texts])) for texts in items.texts])
    known = differences[~np.isnan(differences)]
    result = {"mean": _mean(known, NO_DIFFERENCE), "length": _related(differences, lengths)}
    return result | ({"overlap": _related(differences, overlap_of(items))} if items.paired else {})


def _mean(values: Floats, reason: str) -> Result:
    figures = {"estimate": nan, "p": nan, "p_degrees": nan}
    if len(values) >= FEWEST:
        test = one_sample_t_test(Mean.of(values), 0.0)
        figures = {"estimate": float(values.mean()), "p": test.p_two_sided, "p_degrees": float(test.degrees)}
    return told(figures, reason) | {"items": len(values)}


def _related(differences: Floats, property_: Floats) -> Result:
    rows = int((~np.isnan(differences + property_)).sum())
    r = pearson(differences, property_)
    return {"items": rows, **told({"r": r}, NO_BIAS), **bounds("r", r, rows)}


def _reversed(answers: MachineAnswers, model: Floats) -> Result:
    """Return the mean difference between both orders of the texts, with its t-test."""
    backwards = _values(answers, answers.backwards, len(model))
    differences = backwards - model
    return _mean(differences[~np.isnan(differences)], NOT_REVERSED)


def _stability(passes: list[Floats]) -> Result:
    """Return how alike the answers to the same item are over repeats: the share of items with one answer, the mean
    range, and the mean correlation of two repeats."""
    table = np.array(passes)
    twice = (~np.isnan(table)).sum(axis=0) >= FEWEST
    own = table[:, twice]
    ranges = np.nanmax(own, axis=0) - np.nanmin(own, axis=0) if own.size else np.empty(0)
    correlations = [pearson(one, other) for one, other in combinations(passes, 2)]
    defined = [r for r in correlations if not np.isnan(r)]
    figures = {
        "same": float((ranges == 0).mean()) if len(ranges) else nan,
        "range": float(ranges.mean()) if len(ranges) else nan,
        "pearson": float(np.mean(defined)) if defined else nan,
    }
    reasons = {"same": ONCE, "range": ONCE, "pearson": f"{ONCE}, or no variance"}
    return {"repeats": len(passes), "items": int(twice.sum()), **told(figures, reasons)}


# Choices


def _of_choices(snapshot: Snapshot, round_: int, answers: MachineAnswers, epsilon: float) -> Result:
    counted = snapshot.choices.counted & (snapshot.screens.rounds == round_)
    people = snapshot.every_choice.keep(counted)
    first = answers.keep(answers.repeats == 1)
    ours, theirs = _scores(snapshot, first), best_worst_scores(count_choices(people))
    shared = int((~np.isnan(ours + theirs)).sum())
    size = snapshot.tuples.shape[1]
    positions = {"best": answers.best_positions, "worst": answers.worst_positions}
    return {
        "tuples": len(first.ids),
        "items": shared,
        "scores": told_agreement(ours, theirs, NOTHING_SHARED),
        "alternative": _tested(_alternative(people, first, len(snapshot.tuples), epsilon), epsilon),
        "bias": _bias(snapshot.items, ours - theirs)
        | {"positions": {name: even(evenness(own, size)) for name, own in positions.items()}},
        "stability": _same_choices(answers, len(snapshot.tuples)),
    }


def _scores(snapshot: Snapshot, answers: MachineAnswers) -> Floats:
    items = snapshot.tuples[answers.tuples]
    chosen = Choices(items, answers.best, answers.worst, answers.tuples, None, len(snapshot.items.keys))
    return best_worst_scores(count_choices(chosen))


def _alternative(people: Choices, answers: MachineAnswers, tuples: int, epsilon: float) -> AlternativeTest:
    """Return the test with the best and the worst item of a tuple as two labels to give."""
    model = np.full(2 * tuples, nan)
    model[answers.tuples], model[tuples + answers.tuples] = answers.best, answers.worst
    annotators = np.zeros(people.judgments, np.int64) if people.annotators is None else people.annotators
    return alternative_test(
        np.concatenate([people.tuples, tuples + people.tuples]).astype(np.int64),
        np.tile(annotators, 2).astype(np.int64),
        np.concatenate([people.best, people.worst]).astype(np.float64),
        model,
        by_match,
        epsilon=epsilon,
    )


def _same_choices(answers: MachineAnswers, tuples: int) -> Result:
    """Return the share of tuples answered more than once in which every repeat has the same best, or the same worst."""
    times = np.bincount(answers.tuples, minlength=tuples)
    twice = times >= FEWEST
    figures = {
        f"same_{name}": float(_all_same(answers.tuples, chosen, tuples)[twice].mean()) if twice.any() else nan
        for name, chosen in (("best", answers.best), ("worst", answers.worst))
    }
    return {"repeats": int(answers.repeats.max(initial=1)), "tuples": int(twice.sum()), **told(figures, ONCE)}


def _all_same(tuples: Integers, chosen: Integers, number: int) -> np.ndarray:
    low, high = np.full(number, np.iinfo(np.int64).max), np.full(number, NONE)
    np.minimum.at(low, tuples, chosen)
    np.maximum.at(high, tuples, chosen)
    return np.asarray(low == high)
