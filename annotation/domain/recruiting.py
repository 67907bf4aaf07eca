"""How people come to their places: by a link for a round, or because an earlier round named them."""

import base64
import hashlib
import hmac
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.models import Annotator, Participation, Project, User
from annotation.queries import free_seats, without_pairs_met

SALT = "semblance.invitation"


@dataclass(frozen=True)
class Invitation:
    """A round, and of several pools one, that a link invites to."""

    project: str
    round: str
    pool: str = ""


def write_invitation(invitation: Invitation) -> str:
    """The signed token of the link; it holds no secret and cannot be made up."""
    return signing.dumps([invitation.project, invitation.round, invitation.pool], salt=SALT, compress=True)


def read_invitation(token: str) -> Invitation:
    """The invitation of a link.

    Raises:
        Refusal: the link was changed or cut.
    """
    try:
        return Invitation(*signing.loads(token, salt=SALT))
    except (signing.BadSignature, TypeError):
        raise Refusal("This link is not complete. Please open it again exactly as you were given it.") from None


def annotator_for(project: Project, *, user: User | None = None, external_id: str = "") -> Annotator:
    """The person in this project, known by an account or by an outside id."""
    identity = {"user": user} if user else {"external_id": external_id}
    pseudonym = _pseudonym(project, f"account {user.pk}" if user else f"outside {external_id}")
    return Annotator.objects.get_or_create(project=project, **identity, defaults={"pseudonym": pseudonym})[0]


@transaction.atomic
def take_seat(*, project: Project, round_key: str, annotator: Annotator, pool: str = "") -> Participation:
    """The person's place in the round: the one they have, or the first free one that suits them.

    A place does not suit who would meet a pair in it that they selected or rated in an earlier round.

    Raises:
        Refusal: every place is taken, or none is suitable.
    """
    if Project.objects.select_for_update().get(pk=project.pk).closed_at is not None:
        raise Refusal("The project is closed: it takes no more people. Thank you for your interest.")
    seats = Participation.objects.filter(project=project, round=round_key)
    if own := seats.filter(annotator=annotator).first():
        return own
    free = free_seats(seats.filter(pool=pool) if pool else seats)
    seat = without_pairs_met(free, annotator).first()
    if seat is None:
        raise Refusal(
            "The free places of this round all show pairs that you have met before; another person must take them."
            if free.exists()
            else "All places of this round are taken. Thank you for your interest."
        )
    seat.annotator, seat.invited_at = annotator, timezone.now()
    seat.save(update_fields=["annotator", "invited_at"])
    return seat


@transaction.atomic
def join_round(*, project: Project, round_key: str, user: User, pool: str = "") -> Participation:
    """A place in the round for an account; without one, the person does not become an annotator of the project.

    Raises:
        Refusal: as in `take_seat`.
    """
    annotator = annotator_for(project, user=user)
    return take_seat(project=project, round_key=round_key, annotator=annotator, pool=pool)


def _pseudonym(project: Project, identity: str) -> str:
    """Stable in a project, different between projects, and of no use to find the person."""
    message = f"{project.key}\n{identity}".encode()
    digest = hmac.digest(settings.SECRET_KEY.encode(), message, hashlib.sha256)
    return base64.b32encode(digest)[:12].decode().lower()


def completion_code(participation: Participation) -> str:
    """What a finished person shows as proof; nobody else can make it up."""
    message = f"{participation.project.key} {participation.pk}".encode()
    digest = hmac.digest(settings.SECRET_KEY.encode(), message, hashlib.sha256)
    return base64.b32encode(digest)[:8].decode()
