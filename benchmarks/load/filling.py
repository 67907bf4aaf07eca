"""Projects and people with a past, written straight into the database; needs Django's settings.

`python -m benchmarks.load.filling CLIENTS JUDGMENTS` makes a project with so many judgments, or with 0 one whose people
have answered little and much; it prints the people as JSON, by what they show.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.models import Annotator, Assignment, Judgment, Participation, Project, State  # noqa: E402
from benchmarks.load.worlds import PAIRS, described, ratings, seat_people  # noqa: E402

FEW, MANY = 10, 10_000  # answers of a person
OWN_KEY = {"postgresql": "gen_random_uuid()", "sqlite": "lower(hex(randomblob(16)))"}
VALUE = "2"


def people_with_a_past(clients: int) -> dict[str, list[dict[str, str]]]:
    """Return people of one project, half of them with many answers."""
    planned = ratings(2 * clients, MANY + PAIRS, "people")
    places = seat_people(planned, 2 * clients)
    groups = {FEW: places[:clients], MANY: places[clients:]}
    for answers, own in groups.items():
        answer([place.pk for place in own], answers)
    return {f"an annotator with {answers:,} answers": described(own) for answers, own in groups.items()}


def project_with_a_past(clients: int, judgments: int) -> dict[str, list[dict[str, str]]]:
    """Return new people of a project in which others have made judgments."""
    planned = ratings(clients, PAIRS)
    places = seat_people(planned, clients)
    add_finished_people(planned[0][0], places[0], -(-judgments // PAIRS), min(judgments, PAIRS))
    return {f"a project of {judgments:,} judgments": described(places)}


def add_finished_people(project: Project, like: Participation, people: int, answers: int) -> None:
    """Add people who have answered the first screens of a place, and have finished."""
    now, first = timezone.now(), project.participations.count() + 1
    seats = range(first, first + people)
    persons = Annotator.objects.bulk_create(
        Annotator(project=project, external_id=f"past {seat}", pseudonym=f"past{seat}") for seat in seats
    )
    done = {"state": State.FINISHED, "pool": like.pool, "consented_at": now, "finished_at": now}
    places = Participation.objects.bulk_create(
        Participation(project=project, round=like.round, seat=seat, annotator=person, **done)
        for seat, person in zip(seats, persons, strict=True)
    )
    pks = [place.pk for place in places]
    copied = _columns(Assignment, participation_id="place.id")
    run(
        f"INSERT INTO {table(Assignment)} ({', '.join(copied)}) SELECT {', '.join(copied.values())} "
        f"FROM {table(Assignment)} AS screen, {table(Participation)} AS place "
        f"WHERE screen.participation_id = %s AND screen.position <= %s AND place.id BETWEEN %s AND %s",
        [like.pk, answers, min(pks), max(pks)],
    )
    answer(pks, answers)


def answer(places: list[int], answers: int) -> None:
    """Answer the first screens of some places."""
    now = timezone.now()
    first = Assignment.objects.filter(participation__in=places, position__lte=answers)
    first.update(shown_at=now, answered_at=now)
    given = {
        "assignment_id": "screen.id",
        "key": OWN_KEY[connection.vendor],
        "value": VALUE,
        "saved_at": "screen.answered_at",
    }
    times = {"touched_ms": "2100", "answered_ms": "5200", "active_ms": "5100", "adjustments": "1"}
    values = given | times | dict.fromkeys(("hard_to_say", "invalid", "set_aside"), "FALSE")
    run(
        f"INSERT INTO {table(Judgment)} ({', '.join(values)}) SELECT {', '.join(values.values())} "
        f"FROM {table(Assignment)} AS screen WHERE screen.participation_id BETWEEN %s AND %s AND screen.position <= %s",
        [min(places), max(places), answers],
    )


def _columns(model: type, **changed: str) -> dict[str, str]:
    """Return the columns of a model without its own id, each with the value to copy."""
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    return {f'"{column}"': changed.get(column, f'screen."{column}"') for column in columns}


def table(model: type) -> str:
    return model._meta.db_table


def run(statement: str, values: list[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def main(clients: str, judgments: str) -> None:
    made = project_with_a_past(int(clients), int(judgments)) if int(judgments) else people_with_a_past(int(clients))
    json.dump(made, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
