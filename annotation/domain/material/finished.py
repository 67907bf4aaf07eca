"""Judgments from elsewhere, stored as finished participations of outside annotators."""

from collections import Counter
from collections.abc import Sequence
from uuid import uuid4

from django.db.models import Max

from annotation.domain.errors import Refusal
from annotation.domain.material.answers import Collected, Place
from annotation.domain.recruiting.overview import annotators_for
from annotation.models import Annotator, Assignment, Judgment, Participation, Project, State

BATCH = 2000
NOT_COUNTED = "Excluded in the imported file."
Positions = Counter[tuple[int, int]]
"""The last position of each participation and session."""


def store_judgments(project: Project, judgments: Sequence[Collected]) -> None:
    """Store judgments, many at once; who is not counted in the file is excluded from the project, too."""
    places = _places(project, judgments)
    positions = _positions(project)
    for start in range(0, len(judgments), BATCH):
        batch = judgments[start : start + BATCH]
        assignments = [_assignment(judgment, places[judgment.place], positions) for judgment in batch]
        Assignment.objects.bulk_create(assignments, batch_size=BATCH)
        Judgment.objects.bulk_create(map(_judgment, assignments, batch), batch_size=BATCH)


def _assignment(judgment: Collected, place: Participation, positions: Positions) -> Assignment:
    session, circumstances = judgment.session, judgment.circumstances
    positions[place.pk, session] += 1
    times = {"shown_at": circumstances.shown_at, "answered_at": circumstances.answered_at}
    position = positions[place.pk, session]
    return Assignment(participation=place, session=session, position=position, **times, **judgment.shown)


def _judgment(assignment: Assignment, judgment: Collected) -> Judgment:
    values = judgment.circumstances.measured | judgment.answered
    return Judgment(assignment=assignment, key=uuid4(), saved_at=judgment.circumstances.answered_at, **values)


def _positions(project: Project) -> Positions:
    screens = Assignment.objects.filter(participation__project=project).order_by()
    rows = screens.values_list("participation", "session").annotate(last=Max("position"))
    return Counter({(participation, session): last for participation, session, last in rows})


def _places(project: Project, judgments: Sequence[Collected]) -> dict[Place, Participation]:
    """Return everybody's place in each round; who has none gets one, finished with the last judgment."""
    by_place: dict[Place, list[Collected]] = {}
    for judgment in judgments:
        by_place.setdefault(judgment.place, []).append(judgment)
    people = annotators_for(project, dict.fromkeys(annotator for annotator, _ in by_place))
    stored = project.participations.filter(annotator__isnull=False).select_related("annotator")
    places = {(place.annotator.external_id, place.round): place for place in stored if place.annotator.external_id}
    seats = Counter(dict(project.participations.order_by().values_list("round").annotate(last=Max("seat"))))
    for place, some in by_place.items():
        _require_agreement(place, some, places.get(place))
    unseated = {place: some for place, some in by_place.items() if place not in places}
    new = [_new_place(project, people[place[0]], place[1], seats, some) for place, some in unseated.items()]
    Participation.objects.bulk_create(new, batch_size=BATCH)
    return places | {(place.annotator.external_id, place.round): place for place in new}


def _require_agreement(place: Place, judgments: Sequence[Collected], stored: Participation | None) -> None:
    """Raise Refusal where the rows of a person name two pools, or both count them and do not, in the same round."""
    rows = [judgment.circumstances for judgment in judgments]
    pools = ({row.pool for row in rows} | ({stored.pool} if stored else set())) - {""}
    counted = {row.counted for row in rows} | ({stored.state != State.EXCLUDED} if stored else set())
    annotator, round_ = place
    if len(pools) > 1:
        raise Refusal(f"{annotator} is in several pools of round {round_}: {', '.join(sorted(pools))}. Keep one.")
    if len(counted) > 1:
        reason = f"Some judgments by {annotator} in round {round_} are counted and others are not."
        raise Refusal(f"{reason} Use the same value in all of them.")


def _new_place(
    project: Project, annotator: Annotator, round_: str, seats: Counter[str], judgments: Sequence[Collected]
) -> Participation:
    seats[round_] += 1
    rows = [judgment.circumstances for judgment in judgments]
    times = [row.answered_at for row in rows]
    excluded = {"state": State.EXCLUDED, "ended_from": State.FINISHED, "reason": NOT_COUNTED}
    return Participation(
        project=project,
        round=round_,
        annotator=annotator,
        seat=seats[round_],
        pool=next((row.pool for row in rows if row.pool), ""),
        consented_at=min(times),
        finished_at=max(times),
        **({"state": State.FINISHED} if rows[0].counted else excluded),
    )
