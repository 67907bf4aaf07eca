"""Models held against the scores of a release: predictions checked, figures stored."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import User
from scoring.domain.baselines import DICE, Scores, dice_predictions, embedding_name, embedding_predictions
from scoring.domain.model_figures import figures_of, golds_of
from scoring.domain.running.snapshots import snapshot_of
from scoring.models import Evaluation, Release, State
from scoring.queries import MODEL_COMPARED
from scoring.summaries.snapshot import Snapshot

GREATEST = 1e12  # of predictions: beyond it their squares get lost
NAMED = 20  # items that a message or a result lists
Predictions = Mapping[str, Any]


@transaction.atomic
def evaluate_model(release: Release, model: str, predictions: Predictions, actor: User | None) -> Evaluation:
    """Stores how a model's predictions follow the scores of a release; the built-in baseline comes with the first.

    Items of the release that have no prediction are left out, and the result says how many; items without a score
    play no part.

    Raises:
        Refusal: the release is not done, no name or one that is taken, an item that the release does not have, a
            prediction that is no finite number, or fewer than four with a score or without variance.
    """
    snapshot = _snapshot_of(release)
    if release.evaluations.filter(model=model.strip()).exists():
        raise Refusal(_("There is a model “%(model)s” on this release already.") % {"model": model.strip()})
    checked = _checked(snapshot, predictions)
    name = _named(model)
    add_baselines(release)
    made = _store(release, snapshot, name, checked, created_by=actor)
    details = {"release": release.number, "evaluation": made.pk}
    write_down(MODEL_COMPARED, release.project, actor=actor, now=made.created_at, **details)
    return made


def add_baselines(release: Release, *, embeddings: str = "") -> list[Evaluation]:
    """The built-in models that the release does not have yet and that can be evaluated on it.

    Parameters: embeddings, a model of sentence embeddings to add too, as `embedding_predictions` takes it.

    Raises:
        Refusal: the release is not done, or the package or the model of sentence embeddings is missing.
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
            made += [_store(release, snapshot, model, predictions, baseline=True)] if predictions else []
        except Refusal:
            continue  # without variance, or by somebody else at the same moment: the release goes without it
    return made


def _snapshot_of(release: Release) -> Snapshot:
    if release.state != State.DONE:
        raise Refusal(_("Only a release that is done can be predicted."))
    try:
        return snapshot_of(release.run)
    except (OSError, ValueError) as error:
        raise Refusal(_("The judgments that the release was made of cannot be read any more.")) from error


def _named(model: str) -> str:
    name = model.strip()
    if name == DICE:
        raise Refusal(_("“%(model)s” is the name of a model that comes with the program.") % {"model": name})
    if not name or len(name) > Evaluation._meta.get_field("model").max_length:
        raise Refusal(_("A model needs a name, of at most 200 characters."))
    return name


def _checked(snapshot: Snapshot, predictions: Predictions) -> Scores:
    known = set(snapshot.items.keys)
    if unknown := [str(item) for item in predictions if item not in known]:
        raise Refusal(_("%(unknown)s: the release has no such item.") % {"unknown": _listed(unknown)})
    wrong = [item for item, value in predictions.items() if not _is_number(value)]
    if wrong:
        raise Refusal(
            _("%(wrong)s: a prediction must be a finite number, of at most %(greatest)s.")
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


def _store(release: Release, snapshot: Snapshot, model: str, predictions: Scores, **values: Any) -> Evaluation:
    results = _results(release, snapshot, predictions)
    try:
        with transaction.atomic():
            return Evaluation.objects.create(
                release=release, model=model, predictions=predictions, results=results, **values
            )
    except IntegrityError as error:
        raise Refusal(_("There is a model “%(model)s” on this release already.") % {"model": model}) from error


def _results(release: Release, snapshot: Snapshot, predictions: Scores) -> dict[str, Any]:
    """{"scores": {name: figures}}; under "main" the name of the set of scores that a table of models shows."""
    golds = golds_of(release.run.results)
    if not golds:
        raise Refusal(_("The release has no scores that could be predicted."))
    others = dict(release.evaluations.values_list("model", "predictions"))
    figures = {gold.name: figures_of(gold, snapshot, predictions, others) for gold in golds}
    return {"main": golds[0].name, "predictions": len(predictions), "scores": figures}
