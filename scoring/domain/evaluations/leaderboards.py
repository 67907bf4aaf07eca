"""The models of a release ranked by how well they follow its scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import User
from scoring.domain.evaluations.model_figures import compared_with_others
from scoring.domain.evaluations.seeds import OverSeeds, over_seeds
from scoring.models import Evaluation, Release, State
from scoring.models.audit_actions import ScoringAction


@dataclass(frozen=True)
class Standing:
    """One model, or one seed of it, with its figures on one set of scores; ahead, Meng's test of the best model against
    it (None for the best)."""

    rank: int
    model: str
    seed: int | None
    baseline: bool
    figures: dict[str, Any]
    ahead: dict[str, Any] | None

    @property
    def against_raters(self) -> dict[str, Any]:
        """Return the test of people's agreement against the model's; empty for results of earlier versions."""
        found: dict[str, Any] = self.figures.get("against_raters", {})
        return found

    @property
    def typical(self) -> dict[str, Any]:
        """Return the comparison with the typical rater; empty for results of earlier versions."""
        found: dict[str, Any] = self.figures.get("typical_rater", {})
        return found

    @property
    def distributions(self) -> dict[str, Any]:
        """Return how closely predicted distributions follow those of people; empty for models that predict none."""
        found: dict[str, Any] | None = self.figures.get("distributions")
        return found or {}


@dataclass(frozen=True)
class Board:
    """The models on one set of scores, the best first, with the names of all sets of the release."""

    scores: str
    names: list[str]
    standings: list[Standing]
    mixed: bool
    """Whether versions that compute figures differently evaluated the models."""

    @property
    def over_seeds(self) -> list[OverSeeds]:
        """Return mean and standard deviation over the seeds of every model that has seeds, the best first."""
        return over_seeds((one.model, one.seed, one.figures) for one in self.standings if one.seed is not None)

    @property
    def ceiling(self) -> dict[str, Any]:
        """Return the correlation of an average person, and the lower bound of the squared error."""
        return self.standings[0].figures["ceiling"]

    @property
    def items(self) -> int:
        return self.standings[0].figures["items"]

    @property
    def rated(self) -> bool:
        """Return whether some model is compared with single raters, which earlier versions did not do."""
        return any(standing.against_raters.get("raters", 0) > 1 for standing in self.standings)

    @property
    def typical(self) -> dict[str, Any]:
        """Return the mean, best, worst and typical rater of the first model that is compared with them, or nothing."""
        known = (standing.typical for standing in self.standings if standing.typical.get("raters", 0))
        return next(known, {})

    @property
    def distributed(self) -> dict[str, Any]:
        """Return the figures of the first model that predicts distributions, or nothing."""
        return next((standing.distributions for standing in self.standings if standing.distributions), {})

    @property
    def grouped(self) -> bool:
        """Return whether models also choose the best item of every group."""
        return self.standings[0].figures["multiple_choice"] is not None


def board_of(release: Release, scores: str = "") -> Board | None:
    """Return the models ranked by Pearson's r with a set of scores (the main one by default), ties sharing a rank; or
    None."""
    evaluations = list(release.evaluations.defer("predictions"))
    if not evaluations:
        return None
    names = list(evaluations[0].results["scores"])
    name = scores if scores in names else evaluations[0].results["main"]
    ranked = sorted(evaluations, key=lambda evaluation: (-_r(evaluation, name), evaluation.label))
    ahead = compared_with_others(ranked[0], ranked, name)
    standings = [_standing(evaluation, ranked, name, ahead.get(evaluation.label)) for evaluation in ranked]
    mixed = len({evaluation.results.get("shape") for evaluation in evaluations}) > 1  # none up to version 3
    return Board(name, names, standings, mixed)


def _standing(model: Evaluation, ranked: Iterable[Evaluation], name: str, ahead: dict[str, Any] | None) -> Standing:
    rank = 1 + sum(_r(other, name) > _r(model, name) for other in ranked)
    return Standing(rank, model.model, model.seed, model.baseline, model.results["scores"][name], ahead)


def _r(evaluation: Evaluation, name: str) -> float:
    return evaluation.results["scores"][name]["whole"]["pearson"]["r"]


@transaction.atomic
def open_leaderboard(*, release: Release, opened: bool, actor: User | None, now: datetime) -> None:
    """Open or close the public leaderboard of a release, and log it; raise Refusal if the release is not done."""
    if release.state != State.DONE:
        raise Refusal(_("The release is not finished yet, so it has no leaderboard."))
    if Release.objects.filter(pk=release.pk, leaderboard_open=not opened).update(leaderboard_open=opened):
        action = ScoringAction.LEADERBOARD_OPENED if opened else ScoringAction.LEADERBOARD_CLOSED
        write_down(action, release.project, actor=actor, now=now, release=release.number)
