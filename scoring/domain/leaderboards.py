"""The models of a release in the order in which they follow its scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import User
from scoring.domain.model_figures import compared_with_others
from scoring.models import Evaluation, Release, State


@dataclass(frozen=True)
class Standing:
    """One model: figures, on one set of scores; ahead, Meng's comparison of the best model with it, None of itself."""

    rank: int
    model: str
    baseline: bool
    figures: dict[str, Any]
    ahead: dict[str, Any] | None

    @property
    def against_raters(self) -> dict[str, Any]:
        """Whether people follow each other better than the model follows the scores; empty of earlier versions."""
        found: dict[str, Any] = self.figures.get("against_raters", {})
        return found


@dataclass(frozen=True)
class Board:
    """The models on one set of scores, the best first; names, of all sets of the release."""

    scores: str
    names: list[str]
    standings: list[Standing]

    @property
    def ceiling(self) -> dict[str, Any]:
        """What an average person reaches, and the least squared error."""
        return self.standings[0].figures["ceiling"]

    @property
    def items(self) -> int:
        return self.standings[0].figures["items"]

    @property
    def rated(self) -> bool:
        """Whether some model is held against single raters; those of earlier versions were not."""
        return any(one.against_raters.get("raters", 0) > 1 for one in self.standings)

    @property
    def grouped(self) -> bool:
        """Whether models also choose the best item of every group."""
        return self.standings[0].figures["multiple_choice"] is not None


def board_of(release: Release, scores: str = "") -> Board | None:
    """The models ranked by Pearson's r with a set of scores, by default the main one; None where there is no model.

    Models with the same r share a rank.
    """
    evaluations = list(release.evaluations.defer("predictions"))
    if not evaluations:
        return None
    names = list(evaluations[0].results["scores"])
    name = scores if scores in names else evaluations[0].results["main"]
    ranked = sorted(evaluations, key=lambda one: (-_r(one, name), one.model))
    ahead = compared_with_others(ranked[0], ranked, name)
    return Board(name, names, [_standing(one, ranked, name, ahead.get(one.model)) for one in ranked])


def _standing(one: Evaluation, ranked: Iterable[Evaluation], name: str, ahead: dict[str, Any] | None) -> Standing:
    rank = 1 + sum(_r(other, name) > _r(one, name) for other in ranked)
    return Standing(rank, one.model, one.baseline, one.results["scores"][name], ahead)


def _r(evaluation: Evaluation, name: str) -> float:
    return evaluation.results["scores"][name]["whole"]["pearson"]["r"]


@transaction.atomic
def open_leaderboard(*, release: Release, opened: bool, actor: User | None, now: datetime) -> None:
    """Shows everybody how models did on a release, or no longer; the log keeps who did so.

    Raises:
        Refusal: the release is not done.
    """
    if release.state != State.DONE:
        raise Refusal(_("Only a release that is done has a leaderboard."))
    if Release.objects.filter(pk=release.pk, leaderboard_open=not opened).update(leaderboard_open=opened):
        action = "leaderboard opened" if opened else "leaderboard closed"
        write_down(action, release.project, actor=actor, now=now, release=release.number)
