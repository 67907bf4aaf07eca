"""The sections of a report: the place of tables and figures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoring.exports.report import (
    amounts,
    by_group,
    choices,
    contested,
    corpus,
    deviations,
    halves,
    machines,
    order,
    people,
    ratings,
    subgroups,
    texts,
    weighing,
)
from scoring.exports.report.tables import Table, Tree

Make = Callable[[Tree], Iterator[Table]]
KEYS = {
    "shape": "only the version of the results",
    "overview": "Material and annotators",
    "scores": "Scores",
    "choice_scores": "Scores",
    "choice_errors": "Scores",
    "coverage": "Scores",
    "agreement": "Reliability",
    "intra": "Reliability",
    "raters": "Reliability",
    "pairwise": "Reliability",
    "choice_pairwise": "Reliability",
    "split_half": "Reliability",
    "split_half_ratings": "Reliability",
    "choice_agreement": "Reliability",
    "split_half_of_parts": "Reliability",
    "by_group": "Reliability",
    "subgroups": "Reliability",
    "contested": "Contested items",
    "models": "Reliability",
    "rater_models": "Weighing annotators instead of excluding them",
    "disagreement": "Reliability",
    "design": "Material and annotators",
    "context_shift": "Context",
    "filters": "Selections",
    "datasets": "Selections",
    "effort": "Annotator behaviour",
    "correlations": "Selections",
    "curves": "Annotator behaviour",
    "order_effects": "Annotator behaviour",
    "people": "Annotator behaviour",
    "choice_people": "Annotator behaviour",
    "screening": "Annotator behaviour",
    "texts": "Texts",
    "corpus": "Texts",
    "machines": "Models as annotators",
    "registration": deviations.TITLE,
}
"""The section of each key of a run's results, and of what its last release adds to them."""


@dataclass(frozen=True)
class Section:
    """figures: the names of its figures, in their order."""

    title: str
    tables: tuple[Table, ...]
    figures: tuple[str, ...]


PLAN: tuple[tuple[str, tuple[Make, ...], tuple[str, ...]], ...] = (
    ("Material and annotators", (texts.overview, choices.design), ()),
    (
        "Scores",
        (ratings.scores, amounts.coverage, choices.scores),
        ("score-distribution", "score-violins", "class-frequency"),
    ),
    (
        "Reliability",
        (
            *(ratings.agreement, halves.of_ratings, people.raters, people.pairwise),
            *(choices.reliability, choices.parts, by_group.reliability, subgroups.agreement),
            *(choices.models, choices.disagreement),
        ),
        ("split-half", "pairwise-agreement", "item-annotator-matrix"),
    ),
    ("Contested items", (contested.contested,), ("dip-test",)),
    ("Weighing annotators instead of excluding them", (weighing.weighing,), ()),
    ("Context", (ratings.context, ratings.earlier_values), ("gain-", "rejection-curve")),
    ("Selections", (ratings.selections, amounts.datasets), ()),
    (
        "Annotator behaviour",
        (amounts.effort, people.behaviour, order.effects),
        ("thinking-time", "calibration-curve", "waiting-times", "session-drift", "choice-positions"),
    ),
    ("Texts", (texts.texts, by_group.diversity, corpus.corpus), ("readability",)),
    ("Models as annotators", (machines.machines,), ()),
    (deviations.TITLE, (deviations.deviations,), ()),
)
REST = "Other figures"


def sections(results: Tree, figures: Sequence[str]) -> list[Section]:
    """Return every section that is not empty; figures that belong to no section are in one of their own."""
    found = []
    left = list(figures)
    for title, makers, beginnings in PLAN:
        own = tuple(name for name in left if name.startswith(beginnings)) if beginnings else ()
        left = [name for name in left if name not in own]
        found.append(Section(title, tuple(table for make in makers for table in make(results)), own))
    found.append(Section(REST, (), tuple(left)))
    return [section for section in found if section.tables or section.figures]
