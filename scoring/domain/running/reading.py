"""Stored judgments into a snapshot: a few queries, each streamed, whatever the size of the project."""

from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Max, Min, Q

from annotation.models import Participation, Project, SelectedPair, TuplePlace
from annotation.protocols.spec import BestWorstDesign, CompleteDesign, SelectionDesign
from annotation.queries import counted_pairs, current, done_plans, judgments_of, not_withdrawn
from scoring.domain.running.answers import NAN, Places, between, integers, places_of, read_choices, read_ratings
from scoring.queries import CHUNK, entries_of, items_in_order, unvalidated_pairs
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import (
    NONE,
    Facts,
    Groups,
    Integers,
    Items,
    Origins,
    Participations,
    Raters,
    Sources,
)

DECIMALS = {"czech_news": 4}  # of a mean, as the paper's files print it; the others have two
Selected = dict[int, list[Any]]
"""Id, role and value of a selected pair, by its item."""


class ItemRow(NamedTuple):
    pk: int
    key: str
    sentence1: str
    sentence2: str
    language: str
    group: int | None
    gold: bool | None
    calibration_order: int | None
    source: str
    extra__heuristic: Any


def read_snapshot(project: Project) -> Snapshot:
    """The project's judgments as they stand now; the caller sees to it that all queries see the same moment."""
    facts = _facts(project)
    rows = [ItemRow._make(row) for row in items_in_order(project).values_list(*ItemRow._fields)]
    groups = list(project.groups.order_by("position", "pk").values_list("pk", "key", "domain", "language"))
    seated = project.annotators.filter(participations__isnull=False).distinct()
    # Sorted here, because databases differ in how they sort texts.
    people = sorted(seated.values_list("pk", "pseudonym"), key=itemgetter(1))
    items, raters = places_of(row.pk for row in rows), places_of(pk for pk, _ in people)
    tuples, shown = read_tuples(project, items)
    choices, screens = read_choices(project, items, raters, tuples, shown, facts)
    selected = _selected(project)
    return Snapshot(
        items=_items(project, rows, groups, selected, facts),
        groups=Groups(tuple(key for _, key, _, _ in groups), tuple(domain for _, _, domain, _ in groups)),
        ratings=read_ratings(project, items, raters, facts),
        choices=choices,
        tuples=shown,
        raters=Raters(tuple(pseudonym for _, pseudonym in people)),
        participations=_participations(project, raters, facts),
        facts=facts,
        sources=_sources(project, selected),
        screens=screens,
        origins=_origins(rows),
    )


def _facts(project: Project) -> Facts:
    protocol = project.protocol
    roles = [role for one in protocol.rounds if isinstance(one.design, SelectionDesign) for role in one.design.roles]
    judging = [one for one in protocol.rounds if not isinstance(one.design, SelectionDesign)]
    pools = [pool for one in judging if isinstance(one.design, CompleteDesign) for pool in one.design.pools]
    scale = protocol.scale
    return Facts(
        rounds=tuple(one.key for one in judging),
        contexts=tuple(tuple(context.value for context in one.sessions) for one in judging),
        roles=tuple(role.key for role in roles),
        expected=tuple(float(role.expected) for role in roles),
        minimum=float(scale.minimum) if scale else NAN,
        maximum=float(scale.maximum) if scale else NAN,
        step=float(scale.step) if scale else NAN,
        decimals=DECIMALS.get(protocol.key, 2),
        limits=tuple((pool.key, pool.contradictions_above) for pool in pools if pool.contradictions_above is not None),
        grouped=any(isinstance(one.design, BestWorstDesign) and one.design.grouped for one in judging),
        design_seed=project.seed if done_plans(project).exists() else NONE,
    )


def _selected(project: Project) -> Selected:
    """The selected pairs that count, by their items."""
    chosen = counted_pairs(SelectedPair.objects.filter(item__project=project)).values_list(
        "item", "pk", "role", "value"
    )
    return {item: own for item, *own in chosen.iterator(chunk_size=CHUNK)}


def _origins(rows: list[ItemRow]) -> Origins:
    return Origins(
        sources=tuple(row.source for row in rows),
        heuristics=tuple("" if row.extra__heuristic is None else str(row.extra__heuristic) for row in rows),
    )


def _sources(project: Project, selected: Selected) -> Sources:
    judgments = not_withdrawn(current(judgments_of(project))).order_by("pk").values_list("pk", flat=True)
    return Sources(
        judgments=integers(judgments.iterator(chunk_size=CHUNK)),
        pairs=integers(sorted(pk for pk, *_ in selected.values())),
        entries=integers(entries_of(project).order_by("pk").values_list("pk", flat=True)),
    )


def _items(
    project: Project, rows: list[ItemRow], groups: list[tuple[Any, ...]], selected: Selected, facts: Facts
) -> Items:
    group_places = places_of(pk for pk, *_ in groups)
    languages = {pk: language for pk, _, _, language in groups}
    training = set(unvalidated_pairs(project).values_list("item", flat=True))
    roles = places_of(facts.roles)
    none = (None, "", NAN)
    return Items(
        keys=tuple(row.key for row in rows),
        sentence1=tuple(row.sentence1 for row in rows),
        sentence2=tuple(row.sentence2 for row in rows),
        language=tuple(row.language or languages.get(row.group) or project.language for row in rows),
        groups=integers(group_places.get(row.group, NONE) for row in rows),
        gold=np.array([NAN if row.gold is None else float(row.gold) for row in rows], dtype=np.float64),
        calibration=np.array([row.calibration_order is not None for row in rows], dtype=np.bool_),
        roles=integers(roles.get(selected.get(row.pk, none)[1], NONE) for row in rows),
        selected=np.array([selected.get(row.pk, none)[2] for row in rows], dtype=np.float64),
        unvalidated=np.array([row.pk in training for row in rows], dtype=np.bool_),
    )


def read_tuples(project: Project, items: Places) -> tuple[Places, Integers]:
    """The place of each tuple by its id, and the items of each, -1 for none, shape (tuples, size)."""
    rows: dict[int, list[int]] = {}
    placed = TuplePlace.objects.filter(tuple__project=project).order_by("tuple__round", "tuple__position", "position")
    for pk, item in placed.values_list("tuple", "item").iterator(chunk_size=CHUNK):
        rows.setdefault(pk, []).append(items[item])
    shown = np.full((len(rows), max(map(len, rows.values()), default=0)), NONE, dtype=np.int64)
    for place, row in enumerate(rows.values()):
        shown[place, : len(row)] = row
    return places_of(rows), shown


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
        raters=integers(raters[row[0]] for row in rows),
        rounds=integers(rounds[row[1]] for row in rows),
        pools=tuple(row[2] for row in rows),
        states=tuple(row[3] for row in rows),
        waits=np.array([between(row[4], row[5]) / 3_600_000 for row in rows], dtype=np.float64),
    )
