"""The lock that every change of a participation takes first."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Message, Participation, User
from annotation.prepared import Prepared


def _locked() -> QuerySet[Participation]:
    return Participation.objects.select_for_update(of=("self",)).select_related("project").order_by()


def lock(participation_id: int) -> Participation:
    """Return the current participation with its project, locked until the transaction ends."""
    return _locked().get(pk=participation_id)


@Prepared
def _lock_own(pk: int, user: int) -> QuerySet[Participation]:
    unread = Message.objects.filter(participation=OuterRef("pk"), read_at__isnull=True)
    return _locked().annotate(has_letters=Exists(unread)).filter(pk=pk, annotator__user=user)


def lock_own(participation_id: int, user: User) -> Participation:
    """Return the person's own participation as `lock` does, with `has_letters`: whether messages to them are unread.

    Raises:
        Participation.DoesNotExist: there is none, or it is somebody else's.
    """
    found = _lock_own(pk=participation_id, user=user.pk)
    if not found:
        raise Participation.DoesNotExist
    return found[0]
