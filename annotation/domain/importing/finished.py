"""Judgments from elsewhere into the database, as finished participations of outside annotators."""

from collections import Counter
from collections.abc import Sequence
from uuid import uuid4

from django.db.models import Max

from annotation.domain.errors import Refusal
from annotation.domain.importing.answers import Given, Place
from annotation.domain.recruiting import annotators_for
from annotation.models import Annotator, Assignment, Judgment, Participation, Project, State

BATCH = 2000
NOT_COUNTED = "Not counted in the file that these judgments came in with."
Positions = Counter[tuple[int, int]]
"""The last position of each participation and session."""


def store_given(project: Project, given: Sequence[Given]) -> None:
    """Stores judgments, many at once; who is not counted in the file is excluded here, too."""
    places = _places(project, given)
    positions = _positions(project)
    for start in range(0, len(given), BATCH):
        batch = given[start : start + BATCH]
        assignments = [_assignment(one, places[one.place], positions) for one in batch]
        Assignment.objects.bulk_create(assignments, batch_size=BATCH)
        Judgment.objects.bulk_create(
            (_judgment(assignment, one) for assignment, one in zip(assignments, batch, strict=True)),
            batch_size=BATCH,
        )


def _assignment(one: Given, place: Participation, positions: Positions) -> Assignment:
    positions[place.pk, one.session] += 1
    return Assignment(
        participation=place,
        session=one.session,
        position=positions[place.pk, one.session],
        shown_at=one.circumstances.shown_at,
        answered_at=one.circumstances.answered_at,
        **one.shown,
    )


def _judgment(assignment: Assignment, one: Given) -> Judgment:
    told = one.circumstances
    return Judgment(assignment=assignment, key=uuid4(), saved_at=told.answered_at, **told.measured, **one.answered)


def _positions(project: Project) -> Positions:
    screens = Assignment.objects.filter(participation__project=project).order_by()
    rows = screens.values_list("participation", "session").annotate(last=Max("position"))
    return Counter({(participation, session): last for participation, session, last in rows})


def _places(project: Project, given: Sequence[Given]) -> dict[Place, Participation]:
    """Everybody's place in each round; who has none gets one, finished with the last judgment."""
    own: dict[Place, list[Given]] = {}
    for one in given:
        own.setdefault(one.place, []).append(one)
    people = annotators_for(project, dict.fromkeys(annotator for annotator, _ in own))
    stored = project.participations.filter(annotator__isnull=False).select_related("annotator")
    places = {(place.annotator.external_id, place.round): place for place in stored if place.annotator.external_id}
    seats = Counter(dict(project.participations.order_by().values_list("round").annotate(last=Max("seat"))))
    for place, some in own.items():
        _require_agreement(place, some, places.get(place))
    new = [
        _new_place(project, people[place[0]], place[1], seats, some)
        for place, some in own.items()
        if place not in places
    ]
    Participation.objects.bulk_create(new, batch_size=BATCH)
    return places | {(place.annotator.external_id, place.round): place for place in new}


def _require_agreement(place: Place, own: Sequence[Given], stored: Participation | None) -> None:
    """Raises Refusal where a person is told to be of two pools, or counted and not counted, in one round."""
    pools = ({one.circumstances.pool for one in own} | ({stored.pool} if stored else set())) - {""}
    counted = {one.circumstances.counted for one in own} | ({stored.state != State.EXCLUDED} if stored else set())
    annotator, round_ = place
    if len(pools) > 1:
        raise Refusal(f"{annotator} is in more than one pool of {round_}: {', '.join(sorted(pools))}.")
    if len(counted) > 1:
        raise Refusal(f"{annotator} is counted for some judgments of {round_}, and for others not.")


def _new_place(
    project: Project, annotator: Annotator, round_: str, seats: Counter[str], own: Sequence[Given]
) -> Participation:
    seats[round_] += 1
    times = [one.circumstances.answered_at for one in own]
    pools = (one.circumstances.pool for one in own)
    excluded = {"state": State.EXCLUDED, "ended_from": State.FINISHED, "reason": NOT_COUNTED}
    return Participation(
        project=project,
        round=round_,
        annotator=annotator,
        seat=seats[round_],
        pool=next(filter(None, pools), ""),
        consented_at=min(times),
        finished_at=max(times),
        **({"state": State.FINISHED} if own[0].circumstances.counted else excluded),
    )
