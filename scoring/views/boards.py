"""The leaderboard of a release: a table that readers sort by links, and a CSV file."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.corpora.spreadsheets import harmless
from scoring.domain.evaluations.leaderboards import Board, Standing, board_of
from scoring.domain.evaluations.seeds import OverSeeds
from scoring.models import Release

A_PAGE = 50


@dataclass(frozen=True)
class Column:
    """A column; downwards, whether it begins with the largest; only, the property of a board that it needs."""

    key: str
    title: Any
    value: Callable[[Standing], Any]
    downwards: bool = True
    only: str = ""


def _ahead(standing: Standing) -> float | None:
    """Return z of the best model's lead; 0 for the best itself."""
    return standing.ahead["z"] if standing.ahead else 0.0


def _people_ahead(standing: Standing) -> float | None:
    return standing.against_raters.get("t")


def _typical_ahead(standing: Standing) -> float | None:
    return standing.typical.get("z")


def _share(standing: Standing) -> float | None:
    return (standing.figures["multiple_choice"] or {}).get("accuracy")


def _of_distributions(name: str) -> Callable[[Standing], float | None]:
    return lambda standing: standing.distributions.get(name)


COLUMNS = (
    Column("rank", gettext_lazy("rank"), lambda one: one.rank, downwards=False),
    Column("model", gettext_lazy("model"), lambda one: (one.model.casefold(), one.seed or 0), downwards=False),
    Column("pearson", gettext_lazy("Pearson’s r"), lambda one: one.figures["pearson"]),
    Column("spearman", gettext_lazy("Spearman’s ρ"), lambda one: one.figures["spearman"]),
    Column("ahead", gettext_lazy("z of the best model’s lead"), _ahead, downwards=False),
    Column("people", gettext_lazy("t of the annotators’ lead"), _people_ahead, downwards=False, only="rated"),
    Column(
        "typical", gettext_lazy("z of the typical annotator’s lead"), _typical_ahead, downwards=False, only="typical"
    ),
    Column("mse", gettext_lazy("mean squared error"), lambda one: one.figures["mse"], downwards=False),
    Column(
        "cross-entropy",
        gettext_lazy("cross-entropy"),
        _of_distributions("cross_entropy"),
        downwards=False,
        only="distributed",
    ),
    Column(
        "distance",
        gettext_lazy("Wasserstein distance"),
        _of_distributions("wasserstein"),
        downwards=False,
        only="distributed",
    ),
    Column("spread", gettext_lazy("r of the standard deviations"), _of_distributions("spread"), only="distributed"),
    Column("choice", gettext_lazy("best of its group"), _share, only="grouped"),
    Column("items", gettext_lazy("items"), lambda one: one.figures["pairs"]),
)


@dataclass(frozen=True)
class Heading:
    """A column's title with its link; `sorted` as in aria-sort, empty for all other columns."""

    title: str
    href: str
    sorted: str


@dataclass(frozen=True)
class Table:
    """The leaderboard as requested: the set of scores and the order."""

    board: Board
    column: Column
    downwards: bool
    number: str

    @cached_property
    def standings(self) -> list[Standing]:
        """Return the sorted models; those without the figure come last in either order, ties by rank."""
        value = self.column.value
        known = [standing for standing in self.board.standings if value(standing) is not None]
        unknown = [standing for standing in self.board.standings if value(standing) is None]
        return [*sorted(known, key=value, reverse=self.downwards), *unknown]

    @cached_property
    def page(self) -> Page:
        return Paginator(self.standings, A_PAGE).get_page(self.number)

    @cached_property
    def seeded(self) -> list[OverSeeds]:
        """Return the models with several seeds or one, by the mean of r, as many as a page has; empty without seeds."""
        return self.board.over_seeds[:A_PAGE]

    @property
    def headings(self) -> list[Heading]:
        return [self._heading(column) for column in COLUMNS if not column.only or getattr(self.board, column.only)]

    def _heading(self, column: Column) -> Heading:
        if column is not self.column:
            return Heading(column.title, self._href(column.key), "")
        turned = self.downwards == column.downwards
        href = self._href(f"-{column.key}" if turned else column.key)
        return Heading(column.title, href, "descending" if self.downwards else "ascending")

    def _href(self, sort: str) -> str:
        return "?" + urlencode({"scores": self.board.scores, "sort": sort})

    @property
    def scores(self) -> str:
        return scores_title(self.board.scores)

    @property
    def others(self) -> list[tuple[str, str]]:
        """Return the other sets of scores, with the addresses of their tables."""
        names = [name for name in self.board.names if name != self.board.scores]
        return [(scores_title(name), "?" + urlencode({"scores": name})) for name in names]


def scores_title(name: str) -> str:
    """Return the name of a set of scores in words."""
    if name == "choices":
        return _("best-worst scores")
    round_key, _dot, context = name.rpartition(".")
    words = {"free": _("without context"), "dependent": _("with context")}
    return _("mean ratings in %(round)s, %(context)s") % {"round": round_key, "context": words.get(context, context)}


def table_of(release: Release, asked: Mapping[str, str]) -> Table | None:
    """Return the requested table, ignoring unknown values; None if no model has been evaluated."""
    board = board_of(release, asked.get("scores", ""))
    if board is None:
        return None
    sort = asked.get("sort", "")
    column = next((column for column in COLUMNS if column.key == sort.removeprefix("-")), COLUMNS[0])
    return Table(board, column, column.downwards != sort.startswith("-"), asked.get("page", ""))


DISTRIBUTED = ("cross_entropy", "wasserstein", "spread")
FIELDS = (
    *("rank", "model", "seed", "baseline", "pearson", "pearson_low", "pearson_high", "pearson_p", "pearson_degrees"),
    *("spearman", "spearman_low", "spearman_high", "spearman_p", "spearman_degrees", "best_ahead_z", "best_ahead_p"),
    *("people_ahead_t", "people_ahead_p", "typical_ahead_z", "typical_ahead_p", "mse", "multiple_choice"),
    *("items", "missing", *DISTRIBUTED),
)


def csv_of(release: Release, asked: Mapping[str, str]) -> HttpResponse:
    """Return all models in the order of their ranks; undefined values are empty."""
    board = board_of(release, asked.get("scores", ""))
    if board is None:
        raise Http404
    name = f"{release.project.key}-{release.number}-leaderboard.csv"
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    rows = csv.writer(response)
    rows.writerow(FIELDS)
    rows.writerows(_row(standing) for standing in board.standings)
    return response


def _row(standing: Standing) -> list[Any]:
    figures, ahead, people = standing.figures, standing.ahead or {}, standing.against_raters
    return [
        *(standing.rank, harmless(standing.model), standing.seed, int(standing.baseline)),
        *(value for name in ("pearson", "spearman") for value in _correlation(figures, name)),
        *(ahead.get("z"), ahead.get("p_two_sided"), people.get("t"), people.get("p_two_sided")),
        *(standing.typical.get("z"), standing.typical.get("p_two_sided"), figures["mse"], _share(standing)),
        *(figures["pairs"], figures["missing"]["number"]),
        *(standing.distributions.get(name) for name in DISTRIBUTED),
    ]


def _correlation(figures: Mapping[str, Any], name: str) -> list[float | None]:
    """Return a correlation with its interval and its test, which results of earlier versions have not."""
    interval, test = figures[f"{name}_interval"], figures.get(f"{name}_test", {})
    return [figures[name], interval["low"], interval["high"], test.get("p"), test.get("degrees")]
