"""The models of a project and their valid answers as columns."""

import numpy as np
from django.db.models import Count, Q, Sum, Value
from django.db.models.functions import NullIf

from annotation.models import Project
from scoring.domain.runs.answers import columns_by_id
from scoring.domain.runs.columns import FLAG, MISSING, REAL, WHOLE, coded
from scoring.domain.runs.judged import in_order_shown
from scoring.domain.runs.places import Places, integers, places_of
from scoring.models import MachineAnswer, MachineScreen
from scoring.summaries.tables import CONTEXTS, NONE, Facts, Integers, MachineAnswers, Machines

READ = {
    "machine": ("screen__machine_id", WHOLE),
    "repeat": ("screen__repeat", WHOLE),
    "backwards": ("screen__reversed", FLAG),
    "context": (coded("screen__context", places_of(CONTEXTS)), WHOLE),
    "item": ("screen__item_id", WHOLE),
    "tuple": ("screen__tuple_id", WHOLE),
    "order": (NullIf("screen__order", Value("")), WHOLE),
    "value": ("value", REAL),
    "best": ("best_id", WHOLE),
    "worst": ("worst_id", WHOLE),
}


def machines_of(project: Project, facts: Facts) -> tuple[Places, Machines]:
    """Return the models that have answered anything, in the order in which they were added, and their ids."""
    answered, lost = MachineScreen.State.ANSWERED, MachineScreen.State.GIVEN_UP
    counts = {
        "done": Count("screens", filter=Q(screens__state=answered)),
        "lost": Count("screens", filter=Q(screens__state=lost)),
    }
    rows = list(project.machines.annotate(**counts).filter(Q(done__gt=0) | Q(lost__gt=0)).order_by("pk"))
    every = MachineAnswer.objects.filter(screen__machine__project=project).order_by()
    sums = every.values("screen__machine").annotate(wrong=Count("pk", filter=~Q(problem="")), cost=Sum("cost"))
    figures = {row["screen__machine"]: row for row in sums}
    return Places([row.pk for row in rows]), Machines(
        names=tuple(row.name for row in rows),
        models=tuple(f"{row.model} {row.version}".strip() for row in rows),
        rounds=integers(facts.rounds.index(row.round) for row in rows),
        screens=integers(row.done + row.lost for row in rows),
        invalid=integers(figures[row.pk]["wrong"] for row in rows),
        given_up=integers(row.lost for row in rows),
        epsilons=np.array([row.epsilon for row in rows], dtype=np.float64),
        costs=np.array([float(figures[row.pk]["cost"]) for row in rows], dtype=np.float64),
    )


def machine_answers_of(arms: Places, items: Places, tuples: Places, shown: Integers) -> MachineAnswers:
    """Return the valid answers of models, by ascending id. Parameters: shown, the items of each tuple."""
    valid = MachineAnswer.objects.filter(problem="", screen__machine__in=arms.ids.tolist())
    own = columns_by_id(valid, READ)
    own |= {name: items.of(own[name]).astype(np.int64) for name in ("item", "best", "worst")}
    own["tuple"] = tuples.of(own["tuple"]).astype(np.int64)
    best, worst = (_positions(own["tuple"], own["order"], own[name], shown) for name in ("best", "worst"))
    return MachineAnswers(
        ids=own["id"],
        arms=arms.of(own["machine"]).astype(np.int64),
        repeats=own["repeat"],
        backwards=own["backwards"],
        contexts=own["context"],
        items=own["item"],
        tuples=own["tuple"],
        values=own["value"],
        best=own["best"],
        worst=own["worst"],
        best_positions=best,
        worst_positions=worst,
    )


def _positions(tuples: Integers, orders: Integers, chosen: Integers, shown: Integers) -> Integers:
    """Return the place on the screen, from 0, of each chosen item; -1 for an answer that is no choice."""
    places = np.full(len(tuples), NONE, dtype=np.int64)
    rows = orders != MISSING
    if rows.any():
        seen = in_order_shown(shown, tuples[rows], orders[rows])
        places[rows] = np.argmax(seen == chosen[rows, None], axis=1)
    return places
