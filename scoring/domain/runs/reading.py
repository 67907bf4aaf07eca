"""Stored judgments as a snapshot: a fixed number of queries, each streamed."""

from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Max, Min, Q

from annotation.models import Participation, Project, SelectedPair, TuplePlace
from annotation.protocols.terms import JudgmentKind
from annotation.queries.counting import PAIR_NOT_COUNTED_BECAUSE, counted_pairs
from annotation.queries.projects import done_plans
from scoring.domain.registrations.happened import registered_of
from scoring.domain.runs.answers import Answers, Collected, seats_of
from scoring.domain.runs.columns import WHOLE, Chunk, each_chunk
from scoring.domain.runs.judged import already_made, choices_of, ratings_of
from scoring.domain.runs.machines import machine_answers_of, machines_of
from scoring.domain.runs.places import Places, integers, places_of
from scoring.presets.registry import publication_of
from scoring.queries import (
    CHUNK,
    entries_of,
    items_in_order,
    milliseconds_between,
    pairs_to_rate,
    unvalidated_pairs,
)
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import (
    NONE,
    REASONS,
    Dialogues,
    Facts,
    Groups,
    Integers,
    Items,
    Origins,
    Participations,
    Raters,
    Reasons,
    Sources,
)

Selected = dict[int, list[Any]]
"""Id, role and value of a selected pair, by its item."""


CODES = places_of(REASONS)
NAN = float("nan")


class ItemRow(NamedTuple):
    pk: int
    key: str
    sentence1: str
    sentence2: str
    language: str
    group: int | None
    gold: bool | None
    calibration_order: int | None
    withdrawn_at: Any
    source: str
    extra__heuristic: Any
    extra__earlier_value: Any


def read_snapshot(project: Project, seed: int | None = None) -> Snapshot:
    """Return the project's present judgments; the caller ensures that all queries see the same moment.

    Parameters: seed, of the run that reads them, for the comparison with a registered plan.
    """
    rows = [ItemRow._make(row) for row in items_in_order(project).values_list(*ItemRow._fields)]
    facts = _facts(project, rows)
    groups = [
        (pk, key, domain, language, len(turns))
        for pk, key, domain, language, turns in project.groups.order_by("position", "pk")
        .values_list("pk", "key", "domain", "language", "turns")
        .iterator(chunk_size=CHUNK)
    ]
    seated = project.annotators.filter(participations__isnull=False).distinct()
    # Sorted in Python, because databases sort texts differently.
    people = sorted(seated.values_list("pk", "pseudonym"), key=itemgetter(1))
    items, raters = Places([row.pk for row in rows]), Places([pk for pk, _ in people])
    tuples, shown = read_tuples(project, items)
    answers = Answers(seats_of(project, raters, facts), items, tuples)
    answers.read(project)
    choices, screens = choices_of(answers, shown)
    selected = _selected(project)
    sources, reasons = _sources(project, answers)
    arms, machines = machines_of(project, facts)
    return Snapshot(
        items=_items(project, rows, groups, selected, facts),
        groups=Groups(tuple(key for _, key, *_ in groups), tuple(domain for _, _, domain, *_ in groups)),
        ratings=ratings_of(answers),
        choices=choices,
        tuples=shown,
        raters=Raters(tuple(pseudonym for _, pseudonym in people)),
        participations=_participations(project, raters, facts),
        facts=facts,
        sources=sources,
        reasons=reasons,
        efforts=answers.working_time.efforts(project),
        screens=screens,
        origins=_origins(rows),
        dialogues=Dialogues(integers(turns for *_, turns in groups)),
        machines=machines,
        machine_answers=machine_answers_of(arms, items, tuples, shown),
        registered=registered_of(project, seed),
    )


def _facts(project: Project, rows: list[ItemRow]) -> Facts:
    protocol = project.protocol
    roles = [role for round_ in protocol.rounds_of(JudgmentKind.SELECTION) for role in round_.design.roles]
    judging = [round_ for round_ in protocol.rounds if not round_.design.selects]
    pools = [pool for round_ in judging for pool in round_.design.rater_pools]
    scale, pairs = protocol.scale, pairs_to_rate(project)
    return Facts(
        rounds=tuple(round_.key for round_ in judging),
        contexts=tuple(tuple(context.value for context in round_.sessions) for round_ in judging),
        roles=tuple(role.key for role in roles),
        expected=tuple(float(role.expected) for role in roles),
        minimum=float(scale.minimum) if scale else NAN,
        maximum=float(scale.maximum) if scale else NAN,
        step=float(scale.step) if scale else NAN,
        decimals=publication_of(protocol).decimals,
        limits=tuple((pool.key, pool.contradictions_above) for pool in pools if pool.contradictions_above is not None),
        grouped=any(round_.design.compares and round_.design.grouped for round_ in judging),
        design_seed=project.seed if done_plans(project).exists() else NONE,
        pairs=tuple(pairs.get(round_.key, 0) for round_ in judging),
        wanted=tuple(round_.design.answers_each for round_ in judging),
        tested=tuple(round_.key for round_ in judging if round_.design.makes_test_data),
        withdrawn=tuple(row.key for row in rows if row.withdrawn_at is not None),
        selecting=_selecting(project) if roles else (),
        adaptive=any(round_.design.adaptive for round_ in judging),
    )


def _selecting(project: Project) -> tuple[str, ...]:
    """Return the pseudonyms of the people with a selected pair that counts, in ascending order."""
    pairs = counted_pairs(SelectedPair.objects.filter(item__project=project))
    people = pairs.order_by().values_list("judgment__assignment__participation__annotator__pseudonym", flat=True)
    return tuple(sorted(set(people.distinct())))


def _selected(project: Project) -> Selected:
    """Return the selected pairs that count, by their items."""
    chosen = counted_pairs(SelectedPair.objects.filter(item__project=project)).values_list(
        "item", "pk", "role", "value"
    )
    return {item: values for item, *values in chosen.iterator(chunk_size=CHUNK)}


def _origins(rows: list[ItemRow]) -> Origins:
    return Origins(
        sources=tuple(row.source for row in rows),
        heuristics=tuple("" if row.extra__heuristic is None else str(row.extra__heuristic) for row in rows),
    )


def _sources(project: Project, answers: Answers) -> tuple[Sources, Reasons]:
    """Return the ids of all rows of the project, and why judgments and pairs do not count."""
    selected = SelectedPair.objects.filter(item__project=project).order_by("pk")
    pairs = list(selected.values_list("pk", PAIR_NOT_COUNTED_BECAUSE).iterator(chunk_size=CHUNK))
    entries = integers(entries_of(project).order_by("pk").values_list("pk", flat=True))
    made, why = answers.sources()
    why_not = integers(CODES[reason] for _, reason in pairs)
    return Sources(made, integers(pk for pk, _ in pairs), entries), Reasons(why, why_not)


def _items(
    project: Project, rows: list[ItemRow], groups: list[tuple[Any, ...]], selected: Selected, facts: Facts
) -> Items:
    group_places = places_of(pk for pk, *_ in groups)
    languages = {pk: language for pk, _, _, language, _ in groups}
    training = set(unvalidated_pairs(project).values_list("item", flat=True))
    roles = places_of(facts.roles)
    none = (None, "", NAN)
    earlier = _earlier_values(rows) if project.protocol.in_context else {}
    return Items(
        keys=tuple(row.key for row in rows),
        sentence1=tuple(row.sentence1 for row in rows),
        sentence2=tuple(row.sentence2 for row in rows),
        language=tuple(row.language or languages.get(row.group) or project.language for row in rows),
        groups=integers(group_places.get(row.group, NONE) for row in rows),
        gold=np.array([NAN if row.gold is None else float(row.gold) for row in rows], dtype=np.float64),
        calibration=np.array([row.calibration_order is not None for row in rows], dtype=np.bool_),
        roles=integers(roles.get(selected.get(row.pk, none)[1], NONE) for row in rows),
        selected=np.array(
            [selected[row.pk][2] if row.pk in selected else earlier.get(row.pk, NAN) for row in rows], dtype=np.float64
        ),
        unvalidated=np.array([row.pk in training for row in rows], dtype=np.bool_),
    )


def _earlier_values(rows: list[ItemRow]) -> dict[int, float]:
    """Return the values that pairs had before the collection, by the id of the item."""
    found = ((row.pk, row.extra__earlier_value) for row in rows)
    return {pk: float(value) for pk, value in found if isinstance(value, int | float)}


def read_tuples(project: Project, items: Places) -> tuple[Places, Integers]:
    """Return the place of each tuple by its id, and the items of each, -1 for none, shape (tuples, size)."""
    order = Places(integers(project.tuples.order_by("round", "position").values_list("pk", flat=True).iterator()))
    columns = {"tuple": ("tuple_id", WHOLE), "position": ("position", WHOLE), "item": ("item_id", WHOLE)}
    found = Collected({"tuple": np.int32, "position": np.int32, "item": np.int32})

    def take(chunk: Chunk) -> None:
        found.add(chunk | {"tuple": order.of(chunk["tuple"]), "item": items.of(chunk["item"])})

    each_chunk(TuplePlace.objects.filter(tuple__project=project), columns, take)
    tuples, positions = found.taken("tuple"), found.taken("position")
    by_place = np.lexsort((positions, tuples))
    tuples = tuples[by_place]
    column = already_made(tuples)
    shown = np.full((len(order), int(column.max(initial=-1)) + 1), NONE, dtype=np.int64)
    shown[tuples, column] = found.taken("item")[by_place]
    return order, shown


def _participations(project: Project, raters: Places, facts: Facts) -> Participations:
    rounds = places_of(facts.rounds)
    people = Participation.objects.filter(project=project, annotator__isnull=False, round__in=facts.rounds)
    ended = Max("assignments__answered_at", filter=Q(assignments__session=1))
    begun = Min("assignments__shown_at", filter=Q(assignments__session=2))
    rows = list(
        people.order_by("round", "seat")
        .annotate(ended=ended, begun=begun)
        .values_list("annotator", "round", "pool", "state", "ended", "begun")
    )
    return Participations(
        raters=raters.of(integers(row[0] for row in rows)).astype(np.int64),
        rounds=integers(rounds[row[1]] for row in rows),
        pools=tuple(row[2] for row in rows),
        states=tuple(row[3] for row in rows),
        waits=np.array([_number(milliseconds_between(row[4], row[5])) / 3_600_000 for row in rows], dtype=np.float64),
    )


def _number(milliseconds: int | None) -> float:
    """Return the milliseconds as a number; NaN for none."""
    return NAN if milliseconds is None else milliseconds
