"""The statistics that a plan can register, by the names of the parts of a run that compute them."""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.protocols.spec import Protocol
from annotation.protocols.terms import Context, JudgmentKind

RATING, CHOICE, SELECTION = JudgmentKind.RATING, JudgmentKind.CHOICE, JudgmentKind.SELECTION


def _in_both_contexts(protocol: Protocol) -> bool:
    return any(set(round_.sessions) == set(Context) for round_ in protocol.rounds)


def _repeats_pairs(protocol: Protocol) -> bool:
    return any(getattr(round_.design, "intra", 0) for round_ in protocol.rounds)


def _screens(protocol: Protocol) -> bool:
    pools = [pool for round_ in protocol.rounds for pool in round_.design.rater_pools]
    return any(pool.contradictions_above is not None for pool in pools)


@dataclass(frozen=True)
class Analysis:
    """A statistic with its English title, and the kind of judgments that it is computed from; None for any kind.

    needs: a further condition that a protocol has to meet.
    """

    title: str
    judgments: JudgmentKind | None
    needs: Callable[[Protocol], bool] = lambda protocol: True


ANALYSES: dict[str, Analysis] = {
    "scores": Analysis("Mean ratings of items", RATING),
    "agreement": Analysis("Inter-annotator agreement of ratings: correlations, Krippendorff’s alpha, ICC", RATING),
    "split_half_ratings": Analysis("Split-half reliability of mean ratings", RATING),
    "raters": Analysis("Agreement of each annotator with the others", RATING),
    "pairwise": Analysis("Agreement of each pair of annotators", RATING),
    "intra": Analysis("Intra-annotator agreement on repeated pairs", RATING, _repeats_pairs),
    "context_shift": Analysis("Difference between ratings without and with context", RATING, _in_both_contexts),
    "screening": Analysis("Contradictions of known labels", RATING, _screens),
    "rater_models.effects": Analysis("Levels of annotators in a mixed model", RATING),
    "rater_models.ratings": Analysis("Item scores by models of raters", RATING),
    "rater_models.ordinal": Analysis("Item scores by an ordinal model", RATING),
    "rater_models.categories": Analysis("Item scores by Dawid and Skene’s model and MACE", RATING),
    "choice_scores": Analysis("Best-worst scores by counting", CHOICE),
    "choice_errors.judgment": Analysis("Standard errors of best-worst scores by resampling judgments", CHOICE),
    "choice_errors.annotator": Analysis("Standard errors of best-worst scores by resampling annotators", CHOICE),
    "split_half.tuple": Analysis("Split-half reliability within tuples", CHOICE),
    "split_half.judgment": Analysis("Split-half reliability over judgments", CHOICE),
    "split_half.annotator": Analysis("Split-half reliability over annotators", CHOICE),
    "choice_agreement": Analysis("Inter-annotator agreement of choices", CHOICE),
    "choice_pairwise": Analysis("Agreement of each pair of annotators on choices", CHOICE),
    "disagreement": Analysis("Entropy of the choices of each tuple", CHOICE),
    "models.bradley_terry": Analysis("Utilities by Bradley and Terry’s model", CHOICE),
    "models.best_worst": Analysis("Utilities by the best-worst model", CHOICE),
    "models.best_worst_annotators": Analysis("Utilities by the best-worst model, errors by annotator", CHOICE),
    "rater_models.choices": Analysis("Utilities with annotators of different reliability", CHOICE),
    "correlations": Analysis("Correlation of selections with validations", SELECTION),
    "filters": Analysis("Effect of filters on the selected pairs", SELECTION),
    "datasets": Analysis("Scores of the published datasets", SELECTION),
    "order_effects": Analysis("Effects of the order of screens", None),
}


def applicable(protocol: Protocol) -> list[str]:
    """Return the names of the statistics that can apply to a protocol, in the order of `ANALYSES`."""
    kinds = {round_.design.judgment for round_ in protocol.rounds}
    return [
        name
        for name, analysis in ANALYSES.items()
        if (analysis.judgments is None or analysis.judgments in kinds) and analysis.needs(protocol)
    ]
