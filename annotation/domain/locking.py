"""The one lock that every change of a person's place in a round takes first."""

from annotation.models import Participation


def lock(participation_id: int) -> Participation:
    """The participation as it stands now, with its project; nobody else changes it until the transaction ends."""
    return Participation.objects.select_for_update(of=("self",)).select_related("project").get(pk=participation_id)
