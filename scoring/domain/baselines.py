"""Predictions that come with the program, for other models to be held against."""

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
    """Twice the shared words over the sum of the words of both texts (SemRel2024, eq. 1)."""
    return _predicted(snapshot, lambda pairs: [dice_overlap(one, other) for one, other in pairs])


def embedding_predictions(snapshot: Snapshot, model: str) -> Scores:
    """Cosine of the embeddings of both texts, by a static model of model2vec (its folder, or its name on the hub).

    Texts of which the model knows no word get no prediction.

    Raises:
        Refusal: the package, or the model, is not on this machine.
    """
    try:
        static = import_module("model2vec").StaticModel.from_pretrained(model, force_download=False)
    except ImportError as error:
        raise Refusal(
            _("Sentence embeddings need the package model2vec: install requirements-embeddings.txt.")
        ) from error
    except (OSError, ValueError, KeyError) as error:
        message = _("The model %(model)s cannot be loaded: %(error)s")
        raise Refusal(message % {"model": model, "error": error}) from error

    def cosines(pairs: list[tuple[str, str]]) -> list[float]:
        one, other = (static.encode(list(texts), use_multiprocessing=False) for texts in zip(*pairs, strict=True))
        lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        with np.errstate(invalid="ignore"):
            return [float(value) for value in (one * other).sum(axis=1, dtype=np.float64) / lengths]

    return {item: value for item, value in _predicted(snapshot, cosines).items() if isfinite(value)}


def embedding_name(model: str) -> str:
    return f"{EMBEDDING} ({Path(model).name})"


def _predicted(snapshot: Snapshot, predict: Callable[[list[tuple[str, str]]], list[float]]) -> Scores:
    """Items neither of whose texts has a word get no prediction."""
    own = snapshot.items
    worded = {
        key: (one, other)
        for key, one, other in zip(own.keys, own.sentence1, own.sentence2, strict=True)
        if one.split() or other.split()
    }
    return dict(zip(worded, predict(list(worded.values())), strict=True)) if worded else {}
