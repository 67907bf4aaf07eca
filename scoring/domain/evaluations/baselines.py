"""Built-in baseline predictions with which models are compared."""

from collections.abc import Callable
from importlib import import_module
from math import isfinite
from pathlib import Path

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from scoring.stats.text import dice_overlap
from scoring.summaries.snapshot import Snapshot

DICE = "Dice overlap"
EMBEDDING = "Sentence embeddings"
Scores = dict[str, float]


def dice_predictions(snapshot: Snapshot) -> Scores:
    """Return twice the shared words over the sum of the words of both texts (SemRel2024, eq. 1)."""
    return _predicted(snapshot, lambda pairs: [dice_overlap(first, second) for first, second in pairs])


def embedding_predictions(snapshot: Snapshot, model: str) -> Scores:
    """Return the cosine of both texts' embeddings by a static model2vec model (a folder, or a name on the hub).

    Texts of which the model knows no word get no prediction. Raise Refusal if the package or the model is missing.
    """
    try:
        static = import_module("model2vec").StaticModel.from_pretrained(model, force_download=False)
    except ImportError as error:
        raise Refusal(
            _("Sentence embeddings require the package model2vec. Install requirements-embeddings.txt.")
        ) from error
    except (OSError, ValueError, KeyError) as error:
        message = _("Could not load the model %(model)s: %(error)s")
        raise Refusal(message % {"model": model, "error": error}) from error

    def cosines(pairs: list[tuple[str, str]]) -> list[float]:
        first, second = (static.encode(list(texts), use_multiprocessing=False) for texts in zip(*pairs, strict=True))
        lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        with np.errstate(invalid="ignore"):
            return [float(value) for value in (first * second).sum(axis=1, dtype=np.float64) / lengths]

    return {item: value for item, value in _predicted(snapshot, cosines).items() if isfinite(value)}


def embedding_name(model: str) -> str:
    return f"{EMBEDDING} ({Path(model).name})"


def _predicted(snapshot: Snapshot, predict: Callable[[list[tuple[str, str]]], list[float]]) -> Scores:
    """Return a prediction for every pair of which a text has a word; none for single texts."""
    items = snapshot.items
    worded = {
        key: (first, second)
        for key, first, second in zip(items.keys, items.sentence1, items.sentence2, strict=True)
        if items.paired and (first.split() or second.split())
    }
    return dict(zip(worded, predict(list(worded.values())), strict=True)) if worded else {}
