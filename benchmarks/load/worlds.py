"""Projects to answer, with people who have a place and are signed in; needs Django's settings.

`python -m benchmarks.load.worlds KIND PEOPLE SIGNED_IN [PAIRS]` makes one and prints it as JSON.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.domain.participation.lifecycle import consent  # noqa: E402
from annotation.domain.planning.rounds import plan_round  # noqa: E402
from annotation.domain.project.creation import create_project, preset_values  # noqa: E402
from annotation.domain.recruiting.overview import annotator_for, take_seat  # noqa: E402
from annotation.models import (  # noqa: E402
    Document,
    DocumentKind,
    Incident,
    Item,
    Participation,
    Project,
    Sentence,
    User,
)
from annotation.protocols.spec import Protocol  # noqa: E402
from annotation.protocols.terms import Context  # noqa: E402

PAIRS = 2_000
RATERS = 34  # of one project of ratings
SCREENS_A_PERSON = 48  # of a selection: six incidents with eight sentences
SUMMARY, REPORTS, REPORT = 8, 3, 20  # sentences of a summary, reports, sentences of a report
BATCH = 2_000
WORDS = (
    "vláda včera podle mluvčího schválila návrh nového zákona který má od příštího roku zvýšit platy učitelů o deset "
    "procent opozice s ním nesouhlasí protože prý chybí peníze v rozpočtu a ministr financí to v neděli potvrdil"
).split()

Planned = list[tuple[Project, str]]
"""Projects, each with the round that is planned."""


def ratings(people: int, pairs: int, key: str = "ratings") -> Planned:
    """STSS-131: everybody rates every pair on a fine scale; as many projects as the people need."""
    made = []
    for number in range(-(-people // RATERS)):
        project = _project(f"{key}{number}", **preset_values("stss131"))
        _add_pairs(project, pairs)
        made.append((project, _planned(project, min(RATERS, people))))
    return made


def sliders(people: int, pairs: int) -> Planned:
    """Czech News: whole numbers from 0 to 6, pairs without context."""
    return _czech("sliders", Context.FREE, people, pairs)


def contexts(people: int, pairs: int) -> Planned:
    """Czech News, as in the second session of R3: pairs with what stands around them."""
    return _czech("contexts", Context.DEPENDENT, people, pairs)


def _czech(key: str, context: Context, people: int, pairs: int) -> Planned:
    values = preset_values("two_contexts", {"main.intra": "0", "main.calibration": "0"})
    values["protocol"] = _only_in(values["protocol"], context)
    project = _project(key, language="cs", **values)
    _add_pairs(project, pairs)
    return [(project, _planned(project, max(people, 9)))]


def _only_in(protocol: Protocol, context: Context) -> Protocol:
    """Return the protocol with one session, so that its screens come without a pause of three days."""
    main = replace(protocol.rounds[0], sessions=(context,), pause_hours=0.0, pause_enforced=False)
    return replace(protocol, rounds=(main,))


def selection(people: int, pairs: int) -> Planned:
    """Czech News R1: three sentences of the reports for each sentence of a summary."""
    each = max(1, min(pairs, SCREENS_A_PERSON) // SUMMARY)
    project = _project("selection", language="cs", **preset_values("czech_news", {"R1.incidents": str(each)}))
    _add_incidents(project, each * people)
    plan_round(project=project, round_key="R1", people=people)
    return [(project, "R1")]


def best_worst(people: int, pairs: int) -> Planned:
    """SemRel with tuples that are dealt out beforehand."""
    return _semrel("best-worst", people, pairs, open="false", tuples_a_person="0")


def best_worst_open(people: int, pairs: int) -> Planned:
    """SemRel with one pool from which everybody takes the next tuple."""
    return _semrel("best-worst-open", people, pairs, open="true", tuples_a_person="0")


def _semrel(key: str, people: int, pairs: int, **numbers: str) -> Planned:
    changes = {f"main.{name}": value for name, value in numbers.items()}
    project = _project(key, **preset_values("semrel", changes))
    _add_pairs(project, pairs)
    return [(project, _planned(project, max(people, 4)))]


def _project(key: str, **values: object) -> Project:
    return create_project(key=key, now=timezone.now(), **values)


def _planned(project: Project, people: int) -> str:
    plan_round(project=project, round_key="main", people=people)
    return "main"


def _add_pairs(project: Project, number: int) -> None:
    texts = _sentences(project.key)
    rows = (_pair(project, position, next(texts), next(texts), texts) for position in range(1, number + 1))
    Item.objects.bulk_create(rows, batch_size=BATCH)


def _pair(project: Project, position: int, first: str, second: str, texts: Iterator[str]) -> Item:
    return Item(
        project=project,
        key=f"p{position}",
        position=position,
        sentence1=first,
        sentence2=second,
        context1=f"{next(texts)} {next(texts)} <sent>{first}</sent> {next(texts)} {next(texts)}",
        context2=f"{next(texts)} {next(texts)} <sent>{second}</sent> {next(texts)} {next(texts)}",
        extra={"earlier_value": float(position % 7)},
    )


def _add_incidents(project: Project, number: int) -> None:
    texts = _sentences(project.key)
    incidents = Incident.objects.bulk_create(
        Incident(project=project, key=f"i{at}", title=next(texts), language="cs") for at in range(1, number + 1)
    )
    kinds = [DocumentKind.SUMMARY] + [DocumentKind.REPORT] * REPORTS
    documents = Document.objects.bulk_create(
        Document(incident=incident, kind=kind, key=f"{kind}{at}", position=at)
        for incident in incidents
        for at, kind in enumerate(kinds)
    )
    Sentence.objects.bulk_create(
        (
            Sentence(document=document, position=at, text=next(texts))
            for document in documents
            for at in range(SUMMARY if document.kind == DocumentKind.SUMMARY else REPORT)
        ),
        batch_size=BATCH,
    )


def _sentences(name: str) -> Iterator[str]:
    """Yield sentences of 8 to 24 words, all different."""
    generator = np.random.default_rng(len(name))
    number = 0
    while True:
        number += 1
        words = generator.choice(WORDS, generator.integers(8, 25))
        yield f"{words[0].capitalize()} {' '.join(words[1:])} {number}."


KINDS: dict[str, Callable[[int, int], Planned]] = {
    "ratings": ratings,
    "sliders": sliders,
    "contexts": contexts,
    "selection": selection,
    "best-worst": best_worst,
    "best-worst-open": best_worst_open,
}


def seat_people(planned: Planned, people: int) -> list[Participation]:
    """Give people with an account the places of the rounds, with consent, the first places of all rounds first."""
    now, seated = timezone.now(), []
    for number in range(people):
        project, round_key = planned[number % len(planned)]
        user = User.objects.create_user(f"{project.key}-{number}", f"{project.key}-{number}@example.org")
        place = take_seat(project=project, round_key=round_key, annotator=annotator_for(project, user=user))
        seated.append(consent(participation_id=place.pk, now=now))
    return seated


def sign_in(user: User) -> str:
    """Return the key of a new session of the account, as after a login."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key


def described(places: list[Participation]) -> list[dict[str, str]]:
    """Return the address of each person's place, and the key of a session of theirs."""
    seated = Participation.objects.select_related("annotator__user").in_bulk([place.pk for place in places])
    return [{"path": f"/my-work/{place.pk}/", "session": sign_in(seated[place.pk].annotator.user)} for place in places]


def main(kind: str, people: str, signed_in: str, pairs: str = str(PAIRS)) -> None:
    places = seat_people(KINDS[kind](int(people), int(pairs)), int(people))
    for number in range(int(signed_in) - len(places)):
        sign_in(User.objects.create_user(f"{kind}-idle-{number}", f"{kind}-idle-{number}@example.org"))
    json.dump(described(places), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
