"""Rules for answers: a value on the scale, a whole selection, a best and a worst item that differ."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import Refusal, translated
from annotation.domain.judgment.selected_pairs import Pick
from annotation.models import Participation
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import SelectionDesign
from annotation.protocols.errors import OffScale
from annotation.protocols.scale import Scale


def scale_of(participation: Participation) -> Scale:
    """Return the project's scale. Raise Refusal if it has none."""
    scale = participation.project.protocol.scale
    if scale is None:
        raise Refusal(_("This project does not collect ratings."))
    return scale


def on_scale(scale: Scale, value: str) -> float:
    """Return the number that was written. Raise Refusal if it is missing or off the scale."""
    if not value.strip():
        raise Refusal(_("Choose a rating first."))
    try:
        return scale.read(value)
    except OffScale as error:
        raise Refusal(translated(error)) from error


def require_selection(design: SelectionDesign, picks: Mapping[str, Pick]) -> None:
    """Raise Refusal if a role is left open, or if a sentence is chosen for two roles."""
    missing = [role.title for role in design.roles if role.key not in picks]
    if missing:
        raise Refusal(_("Choose a sentence for: %(missing)s.") % {"missing": ", ".join(missing)})
    if len({pick.sentence_id for pick in picks.values()}) < len(design.roles):
        raise Refusal(_("Choose a different sentence each time."))


def require_choice(design: BestWorstDesign, members: Collection[int], best: int | None, worst: int | None) -> None:
    """Raise Refusal if best or worst is missing or not in the tuple, or if both are the same."""
    if best not in members:
        raise Refusal(_("Choose the %(best)s first.") % {"best": design.best})
    if worst not in members:
        raise Refusal(_("Also choose the %(worst)s.") % {"worst": design.worst})
    if best == worst:
        raise Refusal(
            _("The %(best)s and the %(worst)s must be different.") % {"best": design.best, "worst": design.worst}
        )
