"""People and their places in a round: by an invitation for the round, or because an earlier round named them."""

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core import signing
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.participation.open_round import common_pool, place_if_needed
from annotation.encryption import keyed_hash
from annotation.models import Annotator, Participation, Project, RecruitingOptions, User
from annotation.queries.people import free_seats, without_pairs_met
from annotation.unknown import is_unknown

SALT = "semblance.invitation"
BATCH = 2000


class RoundFull(Refusal):
    """Every place of the round is taken; one may open later."""


@dataclass(frozen=True)
class Invitation:
    """The round, and its pool if it has several, to which a link invites."""

    project: str
    round: str
    pool: str = ""


def options_of(project: Project) -> RecruitingOptions:
    """Return the project's options for recruiting, or the defaults, not stored."""
    return RecruitingOptions.objects.filter(project=project).first() or RecruitingOptions(project=project)


def write_invitation(invitation: Invitation) -> str:
    """Return the signed token of the link; it holds no secret and cannot be forged."""
    return signing.dumps([invitation.project, invitation.round, invitation.pool], salt=SALT, compress=True)


def read_invitation(token: str) -> Invitation:
    """Return the invitation of a link.

    Raises:
        Refusal: the link was changed or cut.
    """
    try:
        return Invitation(*signing.loads(token, salt=SALT))
    except (signing.BadSignature, TypeError):
        raise Refusal(_("This link is incomplete. Copy the whole link and open it again.")) from None


def annotator_for(project: Project, *, user: User | None = None, external_id: str = "") -> Annotator:
    """Return the person in this project, known by an account or by an outside ID; a new one if there is none."""
    identity = {"user": user} if user else {"external_id": external_id}
    if known := Annotator.objects.filter(project=project, **identity).first():
        return known
    values: dict[str, Any] = {
        "pseudonym": _pseudonym(project, f"account {user.pk}" if user else f"outside {external_id}")
    }
    if user is not None and not user.email:
        values["guest_number"] = _next_guest_number(project)
    return Annotator.objects.get_or_create(project=project, **identity, defaults=values)[0]


def _next_guest_number(project: Project) -> int:
    """Return one more than the last; by the lock, people who come at the same moment get different ones."""
    Project.objects.select_for_update().get(pk=project.pk)
    return (project.annotators.aggregate(last=Max("guest_number"))["last"] or 0) + 1


def annotators_for(project: Project, external_ids: Iterable[str]) -> dict[str, Annotator]:
    """Return everybody whom the project knows by an outside ID, by these IDs; new people are added, all at once."""
    new = (
        Annotator(project=project, external_id=external_id, pseudonym=_pseudonym_outside(project, external_id))
        for external_id in external_ids
    )
    Annotator.objects.bulk_create(new, ignore_conflicts=True, batch_size=BATCH)
    return {annotator.external_id: annotator for annotator in project.annotators.exclude(external_id="")}


def is_recruiting(project: Project) -> bool:
    """Return whether strangers may learn of the project: it is launched, and is not a rehearsal."""
    return not project.draft and project.rehearsal_of_id is None


@transaction.atomic
def take_seat(*, project: Project, round_key: str, annotator: Annotator, pool: str = "") -> Participation:
    """Return the person's place in the round: the one they have, or the first free one that suits them.

    A place does not suit a person who selected or rated one of its pairs in an earlier round.

    Raises:
        RoundFull: every place is taken. Refusal: none is suitable, or the project takes nobody.
    """
    locked = Project.objects.select_for_update().get(pk=project.pk)
    if locked.closed_at is not None:
        raise Refusal(_("This project is closed and not accepting more people. Thank you for your interest."))
    if locked.draft:
        raise Refusal(_("This project has not started yet. Come back when its managers have launched it."))
    seats = Participation.objects.filter(project=project, round=round_key)
    if kept := seats.filter(annotator=annotator).first():
        return kept
    now = timezone.now()
    free = free_seats(seats.filter(pool=pool) if pool else seats)
    in_time = free.exclude(due_closes=True, due_at__lte=now)
    seat = without_pairs_met(in_time, annotator).first() or place_if_needed(project, round_key, now, raters=pool)
    if seat is None:
        raise _no_place(free, in_time)
    seat.annotator, seat.invited_at = annotator, now
    seat.save(update_fields=["annotator", "invited_at"])
    return seat


def _no_place(free: QuerySet[Participation], in_time: QuerySet[Participation]) -> Refusal:
    """Return the reason why nobody, or not this person, can take a place."""
    if in_time.exists():
        return Refusal(
            _(
                "All free places of this round contain pairs that you have already seen, so somebody else "
                "has to take them. Thank you for your interest."
            )
        )
    if free.exists():
        return Refusal(_("This round has ended and is not accepting more people. Thank you for your interest."))
    return RoundFull(_("All places of this round are taken. Thank you for your interest."))


def require_place(project: Project, round_key: str, pool: str, now: datetime) -> None:
    """Raise Refusal if nobody can take a place of the round, RoundFull if one may open later.

    Whether a place suits a person is another question.
    """
    free = free_seats(
        Participation.objects.filter(project=project, round=round_key, **({"pool": pool} if pool else {}))
    )
    in_time = free.exclude(due_closes=True, due_at__lte=now)
    design = project.round(round_key).design
    # An open round makes a place when it is needed.
    groups = ([pool] if pool else list(design.ratings_by_pool)) if design.is_open else []
    if not in_time.exists() and not any(common_pool(project, round_key, one).is_missing_answers() for one in groups):
        raise _no_place(free, in_time)


@transaction.atomic
def join_round(*, project: Project, round_key: str, user: User, pool: str = "") -> Participation:
    """Return a place in the round for an account; without one, the person does not become an annotator.

    Raises:
        Refusal: as in `take_seat`, or the project is a rehearsal, which is for simulated people.
    """
    if project.rehearsal_of_id is not None:
        raise Refusal(_("This is a rehearsal. Nobody can take part in it."))
    annotator = annotator_for(project, user=user)
    return take_seat(project=project, round_key=round_key, annotator=annotator, pool=pool)


def _pseudonym_outside(project: Project, external_id: str) -> str:
    """Return the pseudonym for an outside ID; that of somebody unknown stays as it is."""
    return external_id if is_unknown(external_id) else _pseudonym(project, f"outside {external_id}")


def _pseudonym(project: Project, identity: str) -> str:
    """Return a pseudonym, stable in a project, different between projects, and of no use to find the person."""
    return base64.b32encode(keyed_hash(f"{project.key}\n{identity}"))[:12].decode().lower()


def completion_code(participation: Participation) -> str:
    """Return what a finished person shows as proof; nobody else can forge it."""
    return base64.b32encode(keyed_hash(f"{participation.project.key} {participation.pk}"))[:8].decode()
