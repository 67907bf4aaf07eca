"""Arrival of people from a crowd platform: by IDs in the address to which the platform sends them.

IDs are no proof of who somebody is. They take a new place; a place that has been taken opens in the browser in which
the person began, with their resume link or code, or with an address that Prolific has signed.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from secrets import token_urlsafe

from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.participation.lifecycle import consent
from annotation.domain.recruiting.crowd.signatures import NOT_SIGNED
from annotation.domain.recruiting.guests import guest_of
from annotation.domain.recruiting.overview import annotator_for, is_recruiting, take_seat
from annotation.models import Annotator, CrowdStudy, CrowdSubmission, Participation, Platform, Project, User
from annotation.models.people import CROWD

SALT = "semblance.crowd"
LASTS = timedelta(days=7)
SIGNED_LASTS = timedelta(hours=1)
PROLIFIC_ID = re.compile(r"[0-9a-f]{24}")
MTURK_ID = re.compile(r"[A-Z0-9]{10,64}")


class NotRecruiting(Refusal):
    """There is no such study, or it is not open: the same message for strangers, whatever the reason."""

    def __init__(self) -> None:
        super().__init__(_("This study is not accepting participants at the moment."))


class FullUp(Refusal):
    """The person cannot take a place, or not in this study; the message says why."""


@dataclass(frozen=True)
class Arrival:
    """A person who arrives: for which study, who, and with which submission."""

    study: int
    worker: str
    submission: str
    signed: bool = False  # by the platform, not by this site


def read_prolific_ids(query: Mapping[str, str]) -> dict[str, str]:
    """Return the three IDs that Prolific writes into the address, by the name of their parameter.

    Raises:
        Refusal: an ID is missing, or is not one of Prolific's.
    """
    return _read_ids(query, ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"), PROLIFIC_ID, Platform.PROLIFIC)


def read_mturk_ids(query: Mapping[str, str]) -> dict[str, str]:
    """Return the IDs that Mechanical Turk adds for somebody who has accepted the task.

    Raises:
        Refusal: an ID is missing, or is not one of theirs.
    """
    return _read_ids(query, ("workerId", "assignmentId", "hitId"), MTURK_ID, Platform.MTURK)


def _read_ids(query: Mapping[str, str], names: tuple[str, ...], form: re.Pattern, platform: Platform) -> dict[str, str]:
    ids = {name: query.get(name, "") for name in names}
    wrong = [name for name, value in ids.items() if not form.fullmatch(value)]
    if wrong:
        reason = _(
            "The address of this page is incomplete: %(names)s is missing or wrong. Open the study from "
            "%(platform)s again."
        )
        raise Refusal(reason % {"names": ", ".join(wrong), "platform": platform.label})
    return ids


def find_study(*, platform: Platform, key: str, round_key: str, **which: object) -> CrowdStudy:
    """Return the study of a round that these values name.

    Raises:
        NotRecruiting: there is none, or its project admits nobody; nobody learns which.
    """
    studies = CrowdStudy.objects.select_related("project")
    study = studies.filter(platform=platform, project__key=key, round=round_key, **which).first()
    if study is None or not is_recruiting(study.project):
        raise NotRecruiting
    return study


def write_ticket(arrival: Arrival) -> str:
    return signing.dumps(asdict(arrival), salt=SALT, compress=True)


def read_ticket(ticket: str) -> Arrival:
    """Return the arrival that a ticket stores.

    Raises:
        Refusal: the ticket was changed, or is too old.
    """
    try:
        arrival = Arrival(**signing.loads(ticket, salt=SALT, max_age=LASTS))
        if arrival.signed:  # it opens a place, as the signature of the platform does for some minutes
            signing.loads(ticket, salt=SALT, max_age=SIGNED_LASTS)
        return arrival
    except (signing.BadSignature, TypeError):
        raise Refusal(_("This page has expired. Open the study again from the platform.")) from None


def study_of(arrival: Arrival) -> CrowdStudy:
    study = CrowdStudy.objects.select_related("project").filter(pk=arrival.study).first()
    if study is None or not is_recruiting(study.project):
        raise NotRecruiting
    if study.signed and not arrival.signed:
        raise Refusal(NOT_SIGNED)
    return study


def place_at(study: CrowdStudy, worker: str) -> Participation | None:
    """Return the place that the person has in the round of the study."""
    places = Participation.objects.select_related("project", "annotator__user")
    who = {"annotator__project": study.project_id, "annotator__external_id": outside_id(study, worker)}
    return places.filter(project=study.project_id, round=study.round, **who).first()


def owner_of(study: CrowdStudy, worker: str) -> User | None:
    """Return the account that the project has given to this worker, in whichever round they took part."""
    found = Annotator.objects.filter(project=study.project, external_id=outside_id(study, worker))
    annotator = found.select_related("user__guest").first()
    return annotator.user if annotator else None


def outside_id(study: CrowdStudy, worker: str) -> str:
    return f"{study.platform}:{worker}"


def guard_admission(study: CrowdStudy, place: Participation | None) -> None:
    """Check that somebody may take part in the study.

    Raises:
        NotRecruiting: it is closed, and they have no place yet.
        FullUp: it continues a study in which they have not taken part.
    """
    if place is not None:
        return
    if not study.open:
        raise NotRecruiting
    if study.session > 1:
        raise FullUp(_("This study continues an earlier one. Only people who took part in the earlier study can join."))


@transaction.atomic
def enter(*, arrival: Arrival, now: datetime) -> Participation:
    """Return the person's place in the round, with consent given: a new one, or the one they have on any device.

    Raises:
        NotRecruiting, FullUp: see `guard_admission`. Refusal: see `take_seat`; or the submission is somebody else's.
    """
    study = study_of(arrival)
    Project.objects.select_for_update().get(pk=study.project_id)
    place = place_at(study, arrival.worker)
    guard_admission(study, place)
    if place is None:
        annotator = annotator_for(study.project, external_id=outside_id(study, arrival.worker))
        place = take_seat(project=study.project, round_key=study.round, annotator=annotator, pool=study.pool)
    _note_submission(study, place, arrival.submission, now)
    place = consent(participation_id=place.pk, now=now)
    _give_account(place.annotator)
    return place


def _note_submission(study: CrowdStudy, place: Participation, submission_id: str, now: datetime) -> None:
    values = {"participation": place, "came_at": now}
    known, new = CrowdSubmission.objects.get_or_create(study=study, submission_id=submission_id, defaults=values)
    if known.participation_id != place.pk:
        raise Refusal(_("The IDs in the address do not belong together. Open the study from the platform again."))
    if not new:
        known.came_at = now
        known.save(update_fields=["came_at"])


def _give_account(annotator: Annotator) -> None:
    """Give the person an account for their session, which opens with a link or code of their own."""
    if annotator.user_id is None:
        annotator.user = User.objects.create_user(f"{CROWD}{token_urlsafe(12).lower()}")
        annotator.save(update_fields=["user"])
        guest_of(annotator.user, annotator.project)
