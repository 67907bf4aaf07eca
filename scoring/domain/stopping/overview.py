"""The rounds in waves of a project, as their managers see them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Wave
from annotation.models.jobs import NOT_ENDED
from annotation.protocols.spec import Round
from annotation.protocols.stopping import TargetKind

TARGETS: dict[TargetKind, Promise] = {
    TargetKind.SPLIT_HALF: _("Split-half reliability"),
    TargetKind.ICC: _("ICC of the scores"),
    TargetKind.WIDTH: _("Width of the widest interval (95 %)"),
}


@dataclass(frozen=True)
class RoundWaves:
    """A planned round in waves, with its waves in order.

    goal: the estimate at which the target is reached. knows_interval: whether the figure has an interval.
    """

    round: Round
    goal: float
    knows_interval: bool
    waves: Sequence[Wave]

    @property
    def figure(self) -> Promise:
        """Return the name of the figure that the target is set for."""
        return TARGETS[self.kind]

    @property
    def kind(self) -> TargetKind:
        return self.round.design.stopping.target  # type: ignore[return-value]  # of every round in waves

    @property
    def target(self) -> float:
        return self.round.design.stopping.targets[self.kind]

    @property
    def last(self) -> Wave:
        return self.waves[-1]

    @property
    def running(self) -> bool:
        """Return whether the look after the last wave is still ahead."""
        return self.last.state in NOT_ENDED

    @property
    def looked(self) -> Wave | None:
        """Return the last wave whose look has been made."""
        return next((wave for wave in reversed(self.waves) if wave.found), None)

    @property
    def certificate(self) -> dict[str, Any] | None:
        """Return the certificate of the tuples of all waves in an adaptive round, as the last look left them."""
        return self.looked.found.get("certificate") if self.looked and self.looked.found else None

    @property
    def opened(self) -> int:
        """Return how many judgments all waves have opened."""
        return sum(wave.opened for wave in self.waves)


def rounds_in_waves(project: Project) -> Iterator[RoundWaves]:
    """Yield the planned rounds in waves; one query if there is any, else none."""
    protocol = project.protocol
    rounds = [round_ for round_ in protocol.rounds if round_.design.in_waves]
    waves = list(Wave.objects.filter(project=project).order_by("number")) if rounds else []
    for round_ in rounds:
        if own := [wave for wave in waves if wave.round == round_.key]:
            design = round_.design
            yield RoundWaves(round_, protocol.goal_of(design), protocol.knows_interval_of(design), own)
