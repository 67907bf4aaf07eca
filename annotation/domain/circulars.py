"""One message to many people of a project: recorded by a request, sent by a worker, to each person once."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.domain.messaging import checked_text, send_message
from annotation.models import Assignment, Circular, Participation, Project, State, User
from annotation.queries import ENDED

Audience = Circular.Audience
TO_COME = (State.INVITED, State.ACTIVE)


@dataclass(frozen=True)
class Recipients:
    """places: of the people who get a message, one of each person. unreachable: those without an e-mail address, who
    see it on their screen only."""

    places: tuple[int, ...]
    unreachable: int

    @property
    def mark(self) -> str:
        """Other people have another one; a page shows it to be sure that what was seen is what is sent to."""
        return f"{len(self.places)}-{sha256(repr(self.places).encode()).hexdigest()[:12]}"


def recipients_of(project: Project, *, audience: str, round_key: str = "", chosen: Collection[int] = ()) -> Recipients:
    """Who gets a message; of somebody in several rounds the latest place counts.

    Parameters: round_key, all rounds if empty; chosen, ids of places, for those who were ticked.
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
def request_circular(
    *, project: Project, key: UUID, text: str, recipients: Recipients, actor: User, now: datetime
) -> Circular:
    """A message that waits for a worker; the same key again is the same message.

    Raises:
        Refusal: nothing written, too much, or nobody to get it.
    """
    if known := project.circulars.filter(key=key).first():
        return known
    text = checked_text(text)
    if not recipients.places:
        raise Refusal(_("There is nobody like this to write to."))
    values = {"text": text, "sender": actor, "asked_at": now, "recipients": list(recipients.places)}
    try:
        with transaction.atomic():
            circular = project.circulars.create(key=key, **values)
    except IntegrityError:  # a double click
        return project.circulars.get(key=key)
    write_down(
        "message to several asked for",
        project,
        actor=actor,
        now=now,
        circular=circular.pk,
        people=len(recipients.places),
    )
    return circular


def send_circulars(clock: Callable[[], datetime]) -> int:
    """Sends what waits. Returns to how many people; those whom a worker that was lost had reached get nothing again."""
    waiting = Circular.objects.filter(sent_at__isnull=True).select_related("project", "sender")
    return sum(_send(circular, clock) for circular in waiting.order_by("pk"))


def _send(circular: Circular, clock: Callable[[], datetime]) -> int:
    reached = set(circular.messages.values_list("participation", flat=True))
    sent = sum(_send_to(circular, pk, clock()) for pk in circular.recipients if pk not in reached)
    Circular.objects.filter(pk=circular.pk).update(sent_at=clock())
    return sent


def _send_to(circular: Circular, participation_id: int, now: datetime) -> bool:
    """Whether they got it: not who is gone by now, nor whom another worker wrote to at the same moment."""
    try:
        with transaction.atomic():
            send_message(
                participation_id=participation_id,
                text=circular.text,
                actor=circular.sender,
                circular=circular,
                now=now,
            )
    except (Refusal, IntegrityError, Participation.DoesNotExist):
        return False
    return True


def with_counts(circulars: QuerySet[Circular]) -> QuerySet[Circular]:
    """Adds how many people each has reached, by e-mail too, and how many have read it."""
    return circulars.annotate(
        reached=Count("messages"),
        mailed=Count("messages", filter=Q(messages__mailed_at__isnull=False)),
        read=Count("messages", filter=Q(messages__read_at__isnull=False)),
    )
