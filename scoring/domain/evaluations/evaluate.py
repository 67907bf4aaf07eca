"""Evaluation of models on the scores of a release: predictions are checked and figures stored."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import User
from scoring.domain.evaluations.baselines import DICE, Scores, dice_predictions, embedding_name, embedding_predictions
from scoring.domain.evaluations.distributions import (
    Distributions,
    Shares,
    expected_values,
    figures_of_distributions,
    shares_of,
)
from scoring.domain.evaluations.model_figures import figures_of, golds_of
from scoring.domain.runs.snapshots import snapshot_of
from scoring.models import Evaluation, Release, State
from scoring.models.audit_actions import ScoringAction
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tree import SHAPE

GREATEST = 1e12  # of predictions: beyond it their squares get lost
NAMED = 20  # items that a message or a result lists
Predictions = Mapping[str, Any]


class AlreadyEvaluated(Refusal):
    """The release has predictions of this model already, or of this seed of it."""


@transaction.atomic
def evaluate_model(
    release: Release,
    model: str,
    predictions: Predictions,
    actor: User | None,
    seed: int | None = None,
    distributions: Distributions | None = None,
) -> Evaluation:
    """Store how well a model's predictions follow the scores of a release; the first call adds the baselines.

    Items without a prediction are left out, and the result says how many; items without a score are ignored.

    Parameters: seed, of a model that was trained with several random seeds, each of which is evaluated by itself;
        distributions, of the answers to items, as `shares_of` takes them. The mean of a distribution is the prediction
        of an item that has no other.

    Raises: AlreadyEvaluated if the name, or this seed of it, is taken; Refusal if the release is not done, the name is
    missing, the release has no such item, a prediction is not a finite number, a distribution is wrong, or fewer than
    four have a score, or they have no variance.
    """
    snapshot = _snapshot_of(release)
    _require_new(release, model.strip(), seed)
    _require_known(snapshot, [*predictions, *(distributions or {})])
    shares = shares_of(snapshot, distributions or {})
    checked = expected_values(snapshot, shares) | _checked(predictions)
    name = _named(model)
    add_baselines(release)
    values = {"created_by": actor, "seed": seed, "distributions": distributions or None}
    made = _store(release, snapshot, name, checked, shares, **values)
    details = {"release": release.number, "evaluation": made.pk}
    write_down(ScoringAction.MODEL_EVALUATED, release.project, actor=actor, now=made.created_at, **details)
    return made


def add_baselines(release: Release, *, embeddings: str = "") -> list[Evaluation]:
    """Store and return the built-in models that the release does not have yet and that can be evaluated on it.

    Parameters: embeddings, a model of sentence embeddings to add too, as `embedding_predictions` takes it.

    Raises: Refusal if the release is not done, or the package or the model of sentence embeddings is missing.
    """
    snapshot = _snapshot_of(release)
    wanted: dict[str, Callable[[Snapshot], Scores]] = {DICE: dice_predictions}
    if embeddings:
        wanted[embedding_name(embeddings)] = partial(embedding_predictions, model=embeddings)
    present = set(release.evaluations.filter(model__in=wanted).values_list("model", flat=True))
    made = []
    for model, predict in wanted.items():
        predictions = {} if model in present else predict(snapshot)
        try:
            made += [_store(release, snapshot, model, predictions, {}, baseline=True)] if predictions else []
        except Refusal:
            continue  # no variance, or stored by another request at the same moment: the baseline is left out
    return made


def _snapshot_of(release: Release) -> Snapshot:
    if release.state != State.DONE:
        raise Refusal(_("The release is not finished yet. Models can only be evaluated on finished releases."))
    try:
        return snapshot_of(release.run)
    except (OSError, ValueError) as error:
        raise Refusal(_("The judgments behind this release can no longer be read.")) from error


def _require_new(release: Release, model: str, seed: int | None) -> None:
    seeds = list(release.evaluations.filter(model=model).values_list("seed", flat=True))
    if not seeds:
        return
    names = {"model": model, "seed": seed}
    if seed is None and None in seeds:
        raise AlreadyEvaluated(_("The model “%(model)s” has already been evaluated on this release.") % names)
    if seed in seeds:
        raise AlreadyEvaluated(
            _("Seed %(seed)s of the model “%(model)s” has already been evaluated on this release.") % names
        )
    if None in (seed, *seeds):
        raise AlreadyEvaluated(
            _("Some predictions of the model “%(model)s” have a seed and others do not. Give each of them a seed.")
            % names
        )


def _named(model: str) -> str:
    name = model.strip()
    if name == DICE:
        raise Refusal(_("“%(model)s” is the name of a built-in model. Choose another name.") % {"model": name})
    if not name or len(name) > Evaluation._meta.get_field("model").max_length:
        raise Refusal(_("Enter a model name of at most 200 characters."))
    return name


def _require_known(snapshot: Snapshot, items: Iterable[str]) -> None:
    known = set(snapshot.items.keys)
    if unknown := [str(item) for item in items if item not in known]:
        raise Refusal(_("These items are not in the release: %(unknown)s.") % {"unknown": _listed(unknown)})


def _checked(predictions: Predictions) -> Scores:
    wrong = [item for item, value in predictions.items() if not _is_number(value)]
    if wrong:
        raise Refusal(
            _("Predictions must be finite numbers of at most %(greatest)s. Check these items: %(wrong)s.")
            % {"wrong": _listed(wrong), "greatest": f"{GREATEST:.0e}"}
        )
    return {item: float(value) for item, value in predictions.items()}


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(float(value)) <= GREATEST
    except OverflowError:
        return False


def _listed(items: list[str]) -> str:
    further = f" and {len(items) - NAMED} more" if len(items) > NAMED else ""
    return ", ".join(f"“{item}”" for item in items[:NAMED]) + further


def _store(
    release: Release, snapshot: Snapshot, model: str, predictions: Scores, shares: Shares, **values: Any
) -> Evaluation:
    results = _results(release, snapshot, predictions, shares)
    try:
        with transaction.atomic():
            return Evaluation.objects.create(
                release=release, model=model, predictions=predictions, results=results, **values
            )
    except IntegrityError as error:
        raise AlreadyEvaluated(
            _("The model “%(model)s” has already been evaluated on this release.") % {"model": model}
        ) from error


def _results(release: Release, snapshot: Snapshot, predictions: Scores, shares: Shares) -> dict[str, Any]:
    """Return {"scores": {name: figures}}, under "main" the set of scores that the leaderboard shows, and under "shape"
    the version of the figures."""
    golds = golds_of(release.run.results)
    if not golds:
        raise Refusal(_("The release has no scores, so no model can be evaluated on it."))
    others = {other.label: other.predictions for other in release.evaluations.only("model", "seed", "predictions")}
    figures = {gold.name: figures_of(gold, snapshot, predictions, others) for gold in golds}
    for gold in golds:
        figures[gold.name]["distributions"] = figures_of_distributions(gold.place, snapshot, shares) if shares else None
    return {"main": golds[0].name, "predictions": len(predictions), "scores": figures, "shape": SHAPE}
