"""Plans of stacks of validators, each with a calibration and an intra-annotator block (Czech News 4.2.2)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.calibration import calibration_items, keys_of
from annotation.domain.planning.plan import Outcome, Plan
from annotation.domain.planning.selections import Selections, first_selections, nobody_ready
from annotation.models import Annotator, Assignment, Participation, SelectedPair, State
from annotation.planning.people import PREVIOUSLY_RATED, SELF, draw_intra, seat_people
from annotation.planning.stacks import identical_stacks, random_stacks
from annotation.protocols.designs.news import StackDesign
from annotation.protocols.terms import BlockKind
from annotation.queries.people import ENDED


def plan_stacks(plan: Plan, design: StackDesign) -> Outcome:
    if plan.planned_before:
        raise Refusal(
            _("Round %(round)s is already planned. People who leave or are excluded are replaced automatically.")
            % {"round": plan.round.key}
        )
    annotators = _validated_annotators(plan, design)
    roles = annotators[0].items.shape[1]
    seats = design.stack_size * roles
    people = _people(plan, design, annotators, len(annotators) * seats)
    rated, met = _rated_items(people), _met_items(people)
    seated = seat_people(_costs(people, annotators), seats=seats, generator=plan.generator)
    main = {int(item) for selections in annotators for item in selections.items.ravel()}
    calibration, drawn = calibration_items(plan, design, main, people)
    repeats, without_intra = 0, 0
    for selections, row in zip(annotators, seated, strict=True):
        validators = [people[index] if index >= 0 else None for index in row]
        chosen = _stacks_for(selections, validators, met, design, plan.generator)
        repeats += identical_stacks(chosen, roles)
        for person, sequence in zip(validators, chosen, strict=True):
            items = selections.items[np.arange(design.tuples), sequence].tolist()
            intra = _intra(person, rated, {*items, *calibration}, design, plan.generator)
            without_intra += not intra
            blocks = [(BlockKind.CALIBRATION, calibration), (BlockKind.MAIN, items), (BlockKind.INTRA, intra)]
            plan.add(blocks, validates=selections.participation, annotator=person)
    return {
        "annotators validated": len(annotators),
        "people from the earlier round": len(people),
        "places without intra block": without_intra,
        "stacks": len(annotators) * design.tuples * roles,
        "identical stacks": repeats,
        "calibration pairs": keys_of(calibration),
        "calibration drawn by seed": drawn,
    }


def _validated_annotators(plan: Plan, design: StackDesign) -> list[Selections]:
    ready = first_selections(plan, design)
    wanted = design.annotators
    if plan.people is not None:
        roles = len(plan.project.protocol.selection(plan.round).roles)
        wanted = plan.whole_groups(plan.people, design.stack_size * roles)
    if wanted > len(ready) or not ready:
        raise Refusal(
            _(
                "Round %(round)s validates %(wanted)s annotators, but round %(source)s has only %(ready)s ready. "
                "%(condition)s"
            )
            % {
                "round": plan.round.key,
                "wanted": wanted,
                "ready": len(ready),
                "source": design.source,
                "condition": nobody_ready(design),
            }
        )
    chosen = sorted(plan.generator.permutation(len(ready))[:wanted])
    return [ready[index] for index in chosen]


def _people(plan: Plan, design: StackDesign, annotators: Sequence[Selections], places: int) -> list[Annotator]:
    """Return the people of the earlier round, first those who finished it, at most as many as there are places."""
    rows = (
        Participation.objects.filter(project=plan.project, round=design.people_from, annotator__isnull=False)
        .exclude(state__in=ENDED)
        .select_related("annotator")
    )
    finished = [row.annotator for row in rows if row.state == State.FINISHED]
    others = [row.annotator for row in rows if row.state != State.FINISHED]
    ordered = [*_shuffled(finished, plan.generator), *_shuffled(others, plan.generator)]
    return ordered[:places]


def _shuffled(people: list[Annotator], generator: np.random.Generator) -> list[Annotator]:
    return [people[index] for index in generator.permutation(len(people))]


def _rated_items(people: Iterable[Annotator]) -> dict[int, list[int]]:
    """Return the items that each annotator has rated in any round, without calibration, by the annotator's id."""
    rated: dict[int, list[int]] = defaultdict(list)
    rows = Assignment.objects.filter(
        participation__annotator__in=people, answered_at__isnull=False, block=BlockKind.MAIN, item__isnull=False
    ).order_by("participation", "session", "position")
    for annotator, item in rows.values_list("participation__annotator", "item"):
        if item not in rated[annotator]:
            rated[annotator].append(item)
    return rated


def _met_items(people: Sequence[Annotator]) -> dict[int, set[int]]:
    """Return the pairs that each annotator must not get again: those assigned to them, and those they selected."""
    met: dict[int, set[int]] = defaultdict(set)
    assigned = Assignment.objects.filter(
        participation__annotator__in=people, block=BlockKind.MAIN, item__isnull=False
    ).order_by()
    selected = SelectedPair.objects.filter(judgment__assignment__participation__annotator__in=people).order_by()
    for annotator, item in (
        *assigned.values_list("participation__annotator", "item"),
        *selected.values_list("judgment__assignment__participation__annotator", "item"),
    ):
        met[annotator].add(item)
    return met


def _costs(people: Sequence[Annotator], annotators: Sequence[Selections]) -> np.ndarray:
    """Return the costs of seating people with annotators, shape (people, annotators); see `seat_people`."""
    column = {selections.participation.pk: index for index, selections in enumerate(annotators)}
    costs = np.zeros((len(people), len(annotators)), dtype=np.int64)
    row = {person.pk: index for index, person in enumerate(people)}
    met = Participation.objects.filter(annotator__in=people, validates__in=column)
    for person, validated in met.values_list("annotator", "validates"):
        costs[row[person], column[validated]] = PREVIOUSLY_RATED
    for index, selections in enumerate(annotators):
        if selections.participation.annotator_id in row:
            costs[row[selections.participation.annotator_id], index] = SELF
    return costs


def _stacks_for(
    selections: Selections,
    validators: Sequence[Annotator | None],
    met: dict[int, set[int]],
    design: StackDesign,
    generator: np.random.Generator,
) -> np.ndarray:
    tuples, roles = selections.items.shape
    forbidden = [np.isin(selections.items, list(met[person.pk]) if person else []) for person in validators]
    return random_stacks(
        tuples=tuples, stack_size=design.stack_size, roles=roles, forbidden=np.array(forbidden), generator=generator
    )


def _intra(
    person: Annotator | None,
    rated: dict[int, list[int]],
    elsewhere: set[int],
    design: StackDesign,
    generator: np.random.Generator,
) -> list[int]:
    if person is None:
        return []
    candidates = np.array([item for item in rated[person.pk] if item not in elsewhere], dtype=np.int64)
    return draw_intra(candidates, design.intra, generator).tolist()
