"""Snapshots for tests: small ones by hand, and simulated ones of any size."""

import numpy as np

from scoring.summaries.parts import Parameters, compute, parts_for
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import (
    BLOCKS,
    CONTEXTS,
    ChoiceRows,
    Efforts,
    Facts,
    Groups,
    Items,
    Participations,
    Raters,
    Ratings,
    Screens,
)
from tests.scoring.choosing import balanced_tables, chosen_by

FEW = Parameters(splits=120, replicates=20, subsets=5, slices=3)
SINGLE = Facts(rounds=("main",), contexts=(("free",),), minimum=0.0, maximum=4.0, step=0.1)
CHOOSING = Facts(rounds=("main",), contexts=(("free",),))
CZECH = Facts(
    rounds=("R2", "R3"),
    contexts=(CONTEXTS, CONTEXTS),
    roles=("A", "B", "C"),
    expected=(6.0, 3.0, 0.0),
    minimum=0.0,
    maximum=6.0,
    step=1.0,
    decimals=4,
    tested=("R3",),
)


def integers(*values):
    return np.array(values, dtype=np.int64)


def items_of(number, **columns):
    """So many items, i0, i1, ...; columns as given."""
    own = {
        "keys": tuple(f"i{place}" for place in range(number)),
        "sentence1": tuple(f"one two {place}" for place in range(number)),
        "sentence2": tuple(f"two three {place}" for place in range(number)),
        "language": ("en",) * number,
        "groups": np.full(number, -1),
        "gold": np.full(number, np.nan),
        "calibration": np.zeros(number, bool),
        "roles": np.full(number, -1),
        "selected": np.full(number, np.nan),
        "unvalidated": np.zeros(number, bool),
    }
    return Items(**own | columns)


def ratings_of(rows, **columns):
    """Ratings from rows of (item, rater, value, round, context, block); the last three may be left out."""
    filled = [(*row, *(0, "free", "main")[len(row) - 3 :]) for row in rows]
    items, raters, values, rounds, contexts, blocks = zip(*filled, strict=True) if rows else ((),) * 6
    made = [
        sum(earlier[1] == row[1] and earlier[3] == row[3] for earlier in filled[:at]) for at, row in enumerate(filled)
    ]
    own = {
        "items": integers(*items),
        "raters": integers(*raters),
        "rounds": integers(*rounds),
        "contexts": integers(*map(CONTEXTS.index, contexts)),
        "blocks": integers(*map(BLOCKS.index, blocks)),
        "session": integers(*(CONTEXTS.index(context) + 1 for context in contexts)),
        "position": integers(*(place + 1 for place in made)),
        "values": np.array(values, dtype=float),
        "thinking_ms": np.full(len(rows), np.nan),
        "waiting_ms": np.full(len(rows), np.nan),
        "counted": np.ones(len(rows), bool),
        "already_made": integers(*made),
    }
    return Ratings(**own | columns)


def choice_rows(choices, **columns):
    """The rows of `scoring.stats.choices.Choices`, all counted."""
    number = choices.judgments
    own = {
        "tuples": choices.tuples,
        "items": choices.items,
        "best": choices.best,
        "worst": choices.worst,
        "annotators": integers(*[0] * number) if choices.annotators is None else choices.annotators,
        "hard_to_say": np.zeros(number, bool),
        "counted": np.ones(number, bool),
    }
    return ChoiceRows(**own | columns)


NO_CHOICES = ChoiceRows(
    integers(), np.zeros((0, 4), np.int64), integers(), integers(), integers(), np.zeros(0, bool), np.zeros(0, bool)
)


def snapshot_of(
    items,
    *,
    ratings=None,
    choices=NO_CHOICES,
    tuples=None,
    facts=SINGLE,
    people=None,
    groups=None,
    participations=None,
    **further,
):
    """A snapshot in which everybody takes part in every round, and chose in the first one, unless told."""
    ratings = ratings_of([]) if ratings is None else ratings
    people = max(ratings.raters.max(initial=-1), choices.annotators.max(initial=-1)) + 1 if people is None else people
    if participations is None:
        rounds = range(len(facts.rounds))
        participations = participations_of([(rater, place) for place in rounds for rater in range(people)])
    return Snapshot(
        items=items,
        groups=groups or Groups((), ()),
        ratings=ratings,
        choices=choices,
        tuples=np.zeros((0, 4), np.int64) if tuples is None else tuples,
        raters=Raters(tuple(f"p{place}" for place in range(people))),
        participations=participations,
        facts=facts,
        **{"screens": screens_of(len(choices.best))} | further,
    )


def screens_of(number, **columns):
    """So many choices of the first round, without times."""
    return Screens(**{"rounds": np.zeros(number, np.int64), "thinking_ms": np.full(number, np.nan)} | columns)


def participations_of(rows):
    """From rows of (rater, round, pool, state, wait); the last three may be left out."""
    filled = [(*row, *("raters", "finished", np.nan)[len(row) - 2 :]) for row in rows]
    raters, rounds, pools, states, waits = zip(*filled, strict=True) if rows else ((),) * 5
    return Participations(integers(*raters), integers(*rounds), pools, states, np.array(waits, dtype=float))


def chosen_snapshot(items=24, appearances=4, judgments=4, people=6, seed=0):
    """Best-worst choices by simulated annotators, who all have the same utilities."""
    generator = np.random.default_rng(seed)
    tables = balanced_tables(items, appearances, generator)
    shown = np.repeat(tables, judgments, axis=0)
    annotators = generator.integers(0, people, len(shown))
    choices = chosen_by(generator.normal(0, 1, items), generator.permuted(shown, axis=1), generator, annotators)
    choices = type(choices)(
        choices.items, choices.best, choices.worst, np.arange(len(shown)) // judgments, annotators, items
    )
    own = items_of(
        items,
        sentence1=tuple(f"The {place} small words of the {place % 7} long text are here." for place in range(items)),
        sentence2=tuple(f"Here are {place} other words of a {place % 5} text." for place in range(items)),
    )
    return snapshot_of(own, choices=choice_rows(choices), tuples=tables, facts=CHOOSING, people=people)


def czech_snapshot(pairs=30, stack=9, annotators=None, seed=0):
    """Two rounds with both contexts, stacks, calibration and intra blocks, and values of a selection.

    Of each pair the R3 stack is `stack` of all people; R2 rates the last third of the pairs by three people each.
    """
    people = annotators or stack + 1
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 7, pairs + 2)
    roles = np.where(truth > 4, 0, np.where(truth > 2, 1, 2))
    rows = []
    for item in range(pairs):
        for place, raters in ((0, range(3)), (1, generator.permutation(people)[:stack])):
            if place == 0 and item < 2 * pairs // 3:
                continue
            rows += [(item, rater, context, place, "main") for rater in raters for context in (0, 1)]
    rows += [
        (item, r, context, 1, "calibration") for item in (pairs, pairs + 1) for r in range(people) for context in (0, 1)
    ]
    rows += [(pairs - 1, rater, context, 1, "intra") for rater in range(3) for context in (0, 1)]
    table = np.array([row[:4] for row in rows], dtype=np.int64)
    order = np.lexsort((table[:, 2], table[:, 1], table[:, 3]))
    number = len(order)
    values = np.clip(np.round(truth[table[:, 0]] + generator.normal(0, 1, number) + 0.3 * table[:, 2]), 0, 6)
    made = np.arange(number)
    starts = np.unique(table[order][:, 3] * people + table[order][:, 1], return_index=True, return_inverse=True)
    made = made - starts[1][starts[2]]
    ratings = Ratings(
        items=table[order, 0],
        raters=table[order, 1],
        rounds=table[order, 3],
        contexts=table[order, 2],
        blocks=integers(*(BLOCKS.index(rows[place][4]) for place in order)),
        session=table[order, 2] + 1,
        position=made + 1,
        values=values[order],
        thinking_ms=np.round(generator.gamma(2, 4000, number)),
        waiting_ms=np.round(generator.gamma(2, 200, number)),
        counted=np.ones(number, bool),
        already_made=made,
    )
    items = items_of(
        pairs + 2,
        calibration=np.arange(pairs + 2) >= pairs,
        roles=roles,
        selected=np.clip(truth + generator.integers(-1, 2, pairs + 2), 0, 6).astype(float),
        unvalidated=np.arange(pairs + 2) < 3,
    )
    own = participations_of(
        [(rater, place, "", "finished", 72.0 + rater) for place in (0, 1) for rater in range(people)]
    )
    answers = np.bincount(ratings.rounds, minlength=2)
    efforts = Efforts(CZECH.rounds, integers(3, people), answers, answers, answers * 5000, answers * 4000)
    return snapshot_of(items, ratings=ratings, facts=CZECH, people=people, participations=own, efforts=efforts)


def results_of(snapshot, parameters=FEW, seed=1, keys=None):
    """What each part gives, by key."""
    keys = parts_for(snapshot, parameters) if keys is None else keys
    return {key: compute(key, snapshot, parameters, seed) for key in keys}
