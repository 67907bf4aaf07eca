"""How models did on a release, as a table: one that its readers put in order by links, and one to download."""

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

from scoring.domain.leaderboards import Board, Standing, board_of
from scoring.exports.files import harmless
from scoring.models import Release

A_PAGE = 50


@dataclass(frozen=True)
class Column:
    """downwards, whether it begins with the largest; only: the property of a board without which it is left out."""

    key: str
    title: Any
    value: Callable[[Standing], Any]
    downwards: bool = True
    only: str = ""


def _ahead(standing: Standing) -> float | None:
    """How far the best model is ahead; of itself 0."""
    return standing.ahead["z"] if standing.ahead else 0.0


def _people_ahead(standing: Standing) -> float | None:
    return standing.against_raters.get("t")


def _share(standing: Standing) -> float | None:
    return (standing.figures["multiple_choice"] or {}).get("accuracy")


COLUMNS = (
    Column("rank", gettext_lazy("rank"), lambda one: one.rank, downwards=False),
    Column("model", gettext_lazy("model"), lambda one: one.model.casefold(), downwards=False),
    Column("pearson", gettext_lazy("Pearson’s r"), lambda one: one.figures["pearson"]),
    Column("spearman", gettext_lazy("Spearman’s ρ"), lambda one: one.figures["spearman"]),
    Column("ahead", gettext_lazy("the best is ahead by z"), _ahead, downwards=False),
    Column("people", gettext_lazy("people are ahead by t"), _people_ahead, downwards=False, only="rated"),
    Column("mse", gettext_lazy("mean squared error"), lambda one: one.figures["mse"], downwards=False),
    Column("choice", gettext_lazy("best of its group"), _share, only="grouped"),
    Column("items", gettext_lazy("items"), lambda one: one.figures["pairs"]),
)


@dataclass(frozen=True)
class Heading:
    """A column's title with where its link leads; `sorted` as in aria-sort, empty for all other columns."""

    title: str
    href: str
    sorted: str


@dataclass(frozen=True)
class Table:
    """The leaderboard as it was asked for: by which scores, in which order."""

    board: Board
    column: Column
    downwards: bool
    number: str

    @cached_property
    def standings(self) -> list[Standing]:
        """In order; models without the figure stand last, whatever the order, and equal ones by rank."""
        value = self.column.value
        known = [one for one in self.board.standings if value(one) is not None]
        unknown = [one for one in self.board.standings if value(one) is None]
        return [*sorted(known, key=value, reverse=self.downwards), *unknown]

    @cached_property
    def page(self) -> Page:
        return Paginator(self.standings, A_PAGE).get_page(self.number)

    @property
    def headings(self) -> list[Heading]:
        return [self._heading(one) for one in COLUMNS if not one.only or getattr(self.board, one.only)]

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
        """The other sets of scores, with the addresses of their tables."""
        names = [name for name in self.board.names if name != self.board.scores]
        return [(scores_title(name), "?" + urlencode({"scores": name})) for name in names]


def scores_title(name: str) -> str:
    """The name of a set of scores in words."""
    if name == "choices":
        return _("scores of best-worst choices")
    round_key, _dot, context = name.rpartition(".")
    words = {"free": _("without context"), "dependent": _("with context")}
    return _("mean ratings of %(round)s, %(context)s") % {"round": round_key, "context": words.get(context, context)}


def table_of(release: Release, asked: Mapping[str, str]) -> Table | None:
    """None where no model has been evaluated. What is asked for and is not there counts as not asked for."""
    board = board_of(release, asked.get("scores", ""))
    if board is None:
        return None
    sort = asked.get("sort", "")
    column = next((one for one in COLUMNS if one.key == sort.removeprefix("-")), COLUMNS[0])
    return Table(board, column, column.downwards != sort.startswith("-"), asked.get("page", ""))


FIELDS = (
    *("rank", "model", "baseline", "pearson", "pearson_low", "pearson_high", "spearman", "spearman_low"),
    *("spearman_high", "best_ahead_z", "best_ahead_p", "people_ahead_t", "people_ahead_p", "mse", "multiple_choice"),
    *("items", "missing"),
)


def csv_of(release: Release, asked: Mapping[str, str]) -> HttpResponse:
    """All models in the order of their ranks; what is not defined is empty."""
    board = board_of(release, asked.get("scores", ""))
    if board is None:
        raise Http404
    name = f"{release.project.key}-{release.number}-leaderboard.csv"
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    rows = csv.writer(response)
    rows.writerow(FIELDS)
    rows.writerows(_row(one) for one in board.standings)
    return response


def _row(one: Standing) -> list[Any]:
    figures, ahead, people = one.figures, one.ahead or {}, one.against_raters
    intervals = [figures[f"{name}_interval"][end] for name in ("pearson", "spearman") for end in ("low", "high")]
    return [
        *(one.rank, harmless(one.model), int(one.baseline), figures["pearson"], *intervals[:2]),
        *(figures["spearman"], *intervals[2:], ahead.get("z"), ahead.get("p_two_sided")),
        *(people.get("t"), people.get("p_two_sided"), figures["mse"], _share(one)),
        *(figures["pairs"], figures["missing"]["number"]),
    ]
