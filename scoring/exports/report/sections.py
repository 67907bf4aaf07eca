"""The sections of a report: which tables stand where, and which figures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoring.exports.report import choices, corpus, people, ratings, texts
from scoring.exports.report.tables import Table, Tree

Make = Callable[[Tree], Iterator[Table]]
KEYS = {
    "shape": "told by its version alone",
    "overview": "Material and people",
    "scores": "Scores",
    "choice_scores": "Scores",
    "choice_errors": "Scores",
    "agreement": "Reliability",
    "intra": "Reliability",
    "raters": "Reliability",
    "split_half": "Reliability",
    "choice_agreement": "Reliability",
    "models": "Reliability",
    "disagreement": "Reliability",
    "design": "Material and people",
    "context_shift": "Context",
    "filters": "Selections",
    "correlations": "Selections",
    "curves": "How people worked",
    "people": "How people worked",
    "choice_people": "How people worked",
    "screening": "How people worked",
    "texts": "Texts",
    "corpus": "Texts",
}
"""Where each key of a run's results is shown."""


@dataclass(frozen=True)
class Section:
    """figures: the names of those that stand in it, in their order."""

    title: str
    tables: tuple[Table, ...]
    figures: tuple[str, ...]


PLAN: tuple[tuple[str, tuple[Make, ...], tuple[str, ...]], ...] = (
    ("Material and people", (texts.overview, choices.design), ()),
    ("Scores", (ratings.scores, choices.scores), ("score-distribution", "score-violins", "class-frequency")),
    (
        "Reliability",
        (ratings.agreement, people.raters, choices.reliability, choices.models, choices.disagreement),
        ("split-half",),
    ),
    ("Context", (ratings.context,), ("gain-", "rejection-curve")),
    ("Selections", (ratings.selections,), ()),
    ("How people worked", (people.behaviour,), ("thinking-time", "calibration-curve", "waiting-times")),
    ("Texts", (texts.texts, corpus.corpus), ("readability",)),
)
REST = "Further figures"


def sections(results: Tree, figures: Sequence[str]) -> list[Section]:
    """Every section that has something, the figures that no section knows in one of their own."""
    found = []
    left = list(figures)
    for title, makers, beginnings in PLAN:
        own = tuple(name for name in left if name.startswith(beginnings)) if beginnings else ()
        left = [name for name in left if name not in own]
        found.append(Section(title, tuple(table for make in makers for table in make(results)), own))
    found.append(Section(REST, (), tuple(left)))
    return [section for section in found if section.tables or section.figures]
