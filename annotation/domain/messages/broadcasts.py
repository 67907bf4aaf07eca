"""Messages to many people of a project: stored by a request, sent by a worker, to each person once."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import note
from annotation.domain.jobs.kinds import Kind, Values, register
from annotation.domain.messages.messages import checked_text, mail_messages, send_message
from annotation.models import Assignment, Broadcast, Participation, Project, State, User
from annotation.models.audit_actions import Action
from annotation.queries.people import ENDED

Audience = Broadcast.Audience
TO_COME = (State.INVITED, State.ACTIVE)


@dataclass(frozen=True)
class Recipients:
    """places: one of each person who gets a message. unreachable: how many see it on the screen only."""

    places: tuple[int, ...]
    unreachable: int

    @property
    def mark(self) -> str:
        """Return a mark that other people would not have, so that a page can check whom a person agreed to write to."""
        return f"{len(self.places)}-{sha256(repr(self.places).encode()).hexdigest()[:12]}"


def recipients_of(project: Project, *, audience: str, round_key: str = "", chosen: Collection[int] = ()) -> Recipients:
    """Return who gets a message; of somebody in several rounds the latest place counts.

    Parameters: round_key, all rounds if empty; chosen, the places that were ticked, for an audience that was chosen.
    """
    places = Participation.objects.filter(project=project, annotator__isnull=False, annotator__erased_at__isnull=True)
    if audience == Audience.CHOSEN:
        places = places.filter(pk__in=chosen)
    else:
        places = places.filter(_who(audience)).exclude(state__in=ENDED)
    if round_key:
        places = places.filter(round=round_key)
    rows = places.order_by("pk").values_list("annotator", "pk", "annotator__user__email")
    latest = {annotator: (pk, email) for annotator, pk, email in rows}
    return Recipients(
        places=tuple(sorted(pk for pk, _email in latest.values())),
        unreachable=sum(not email for _pk, email in latest.values()),
    )


def _who(audience: str) -> Q:
    begun = Q(Exists(Assignment.objects.filter(participation=OuterRef("pk"), answered_at__isnull=False)))
    return {
        Audience.EVERYBODY: Q(),
        Audience.NOT_BEGUN: Q(state__in=TO_COME) & ~begun,
        Audience.AT_WORK: Q(state=State.ACTIVE) & begun,
        Audience.RESTING: Q(state=State.RESTING),
        Audience.FINISHED: Q(state=State.FINISHED),
    }[Audience(audience)]


@transaction.atomic
def request_broadcast(
    *, project: Project, key: UUID, text: str, recipients: Recipients, actor: User, now: datetime
) -> Broadcast:
    """Store a message for a worker to send, and return it; the same key again is the same message.

    Raises:
        Refusal: the text is empty or too long, nobody would get it, or too many jobs are waiting.
    """
    if known := project.broadcasts.filter(key=key).first():
        return known
    text = checked_text(text)
    if not recipients.places:
        raise Refusal(_("Nobody matches this choice."))
    guard_queue(project, actor)
    values = {"text": text, "created_by": actor, "created_at": now, "recipients": list(recipients.places)}
    try:
        with transaction.atomic():
            broadcast = project.broadcasts.create(key=key, **values)
    except IntegrityError:  # a double click
        return project.broadcasts.get(key=key)
    details = {"broadcast": broadcast.pk, "people": len(recipients.places)}
    write_down(Action.BROADCAST_REQUESTED, project, actor=actor, now=now, **details)
    return broadcast


def send_broadcast(broadcast: Broadcast) -> Values:
    """Send a message to everybody whom no earlier attempt has reached, and then by email to those with an address."""
    reached = set(broadcast.messages.values_list("participation", flat=True))
    for done, pk in enumerate(broadcast.recipients, start=1):
        note(broadcast, done=done, total=len(broadcast.recipients))
        if pk not in reached:
            _send_to(broadcast, pk, timezone.now())
    mail_messages(timezone.now())
    return {}


register(Kind("broadcast", Broadcast, gettext_lazy("Message to several annotators"), send_broadcast))


def _send_to(broadcast: Broadcast, participation_id: int, now: datetime) -> None:
    """Send it, except to people who are gone by now, or to whom another worker wrote at the same moment."""
    with suppress(Refusal, IntegrityError, Participation.DoesNotExist), transaction.atomic():
        values = {"text": broadcast.text, "actor": broadcast.created_by, "broadcast": broadcast}
        send_message(participation_id=participation_id, now=now, **values)


def with_counts(broadcasts: QuerySet[Broadcast]) -> QuerySet[Broadcast]:
    """Add to each how many people it has reached, how many of them by email, and how many have read it."""
    return broadcasts.annotate(
        reached=Count("messages"),
        mailed=Count("messages", filter=Q(messages__mailed_at__isnull=False)),
        read=Count("messages", filter=Q(messages__read_at__isnull=False)),
    )
