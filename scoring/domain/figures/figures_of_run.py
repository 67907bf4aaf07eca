"""The figures of a run, made from its results and items; no judgment is read again."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.protocols.terms import JudgmentKind
from scoring.domain.runs.snapshots import material_of
from scoring.figures.behaviour import EARLIER_VALUES, FIRST_ROUND, plot_practice, plot_thinking_time, plot_waiting
from scoring.figures.context import plot_gain_quantiles, plot_gains, plot_rejection
from scoring.figures.figure import Figure, FigureError
from scoring.figures.halves import plot_split_half
from scoring.figures.modes import plot_modes
from scoring.figures.order import plot_drift, plot_positions
from scoring.figures.people import plot_answers, plot_pairwise
from scoring.figures.scores import plot_classes, plot_scores
from scoring.figures.violins import plot_readability, plot_violins
from scoring.models import Run, State
from scoring.queries import part_of_results
from scoring.stats.curves import Curve
from scoring.stats.filtering import near_expected
from scoring.stats.reliability import SplitHalf
from scoring.stats.text import readability
from scoring.summaries.material import Material
from scoring.summaries.selections import DISTANCES
from scoring.summaries.texts import english_texts

Results = dict[str, Any]


def figures_of(run: Run) -> Iterator[Figure]:
    """Yield every figure that the run has data for, one at a time because figures of large projects are large. Raise
    Refusal if the run has no results."""
    if run.state != State.DONE:
        raise Refusal(_("%(run)s has no results to draw: it is %(state)s.") % {"run": run, "state": run.state})
    for make in _makers(run, material_of(run)):
        with suppress(FigureError):  # the figure is undefined, and the results say why
            yield make()


def _makers(run: Run, material: Material) -> Iterator[Callable[[], Figure]]:
    """Yield the functions that make the figures; each reads its part of the results only when it is called."""
    yield from _of_scores(run, material)
    yield from _of_context(run)
    yield from _of_curves(run)
    yield from _of_order(run)
    for by, halves in _part(run, "split_half").items():
        yield lambda by=by, halves=halves: _named(plot_split_half(_halves(halves)), by)
    for place, halves in _places(_part(run, "split_half_ratings")):
        yield lambda place=place, halves=halves: _named(plot_split_half(_halves(halves)), place)
    yield from _of_people(run, material)
    for place, found in _places(_part(run, "contested").get("ratings", {})):
        yield lambda place=place, found=found: _named(_modes(found), place)
    yield lambda: _readability(material)


def _part(run: Run, *path: str) -> Any:
    """Return the part of the results under these keys; an empty object if the run has none."""
    return part_of_results(run, *path) or {}


def _named(figure: Figure, *parts: str) -> Figure:
    """Return the figure under a name that tells it from others of its kind."""
    return replace(figure, name="-".join([figure.name, *parts]))


def _of_scores(run: Run, material: Material) -> Iterator[Callable[[], Figure]]:
    facts = material.facts
    ends = {"minimum": facts.minimum, "maximum": facts.maximum}
    items = material.items
    chosen = np.isfinite(items.selected) & (items.roles >= 0) & ~items.calibration
    if chosen.any():
        yield lambda: _selected(material, chosen)
        yield lambda: _classes(material, chosen)
    for place, table in _places(_part(run, "scores")):
        scores = _floats(table["mean"])
        yield lambda scores=scores, place=place: _named(plot_scores(scores, **ends), place)
        yield lambda table=table, place=place: _named(plot_violins(_by_domain(material, table, "mean"), **ends), place)
    if chosen_scores := _part(run, "choice_scores", "unit"):
        noun = run.project.protocol.material.noun
        yield lambda: plot_scores(_floats(chosen_scores), minimum=0, maximum=1, noun=noun)
        table = {name: _part(run, "choice_scores", name) for name in ("item", "unit")}
        yield lambda: plot_violins(_by_domain(material, table, "unit"), minimum=0, maximum=1, noun=noun)


def _places(tables: Results) -> Iterator[tuple[str, Results]]:
    """Yield tables by round and context, each with a name such as R3-free."""
    for round_key, contexts in tables.items():
        for context, table in contexts.items():
            yield f"{round_key}-{context}", table


def _floats(column: list[float | None]) -> np.ndarray:
    return np.array([float("nan") if value is None else value for value in column], dtype=np.float64)


def _selected(material: Material, chosen: np.ndarray) -> Figure:
    """Return the figure of the selected pairs' values, and of what each filter keeps of them (Czech News 5.2)."""
    facts, values = material.facts, material.items.selected[chosen]
    expected = np.array(facts.expected)[material.items.roles[chosen]]
    kept = {name: values[near_expected(values, expected, distance)] for name, distance in DISTANCES.items()}
    figure = plot_scores(values, kept, minimum=facts.minimum, maximum=facts.maximum, step=facts.step)
    return _named(figure, "selected")


def _classes(material: Material, chosen: np.ndarray) -> Figure:
    facts, items = material.facts, material.items
    classes = {role: items.selected[chosen & (items.roles == place)] for place, role in enumerate(facts.roles)}
    expected = dict(zip(facts.roles, facts.expected, strict=True))
    return plot_classes(classes, expected, minimum=facts.minimum, maximum=facts.maximum, step=facts.step)


def _by_domain(material: Material, table: Results, column: str) -> dict[str, np.ndarray]:
    """Return the scores of the items of each domain; for items without a domain, those of each language."""
    items, domains = material.items, material.groups.domains
    group = dict(zip(items.keys, items.groups.tolist(), strict=True))
    language = dict(zip(items.keys, items.language, strict=True))
    found: dict[str, list[float | None]] = {}
    for key, value in zip(table["item"], table[column], strict=True):
        name = domains[group[key]] if group[key] >= 0 and domains[group[key]] else language[key] or "all"
        found.setdefault(name, []).append(value)
    return {name: _floats(values) for name, values in sorted(found.items())}


def _of_context(run: Run) -> Iterator[Callable[[], Figure]]:
    for place, shift in _part(run, "context_shift").items():
        gains = _floats(shift["gain"])
        p_values = _floats(shift["p_values"]["student"])
        significant = gains[p_values <= 0.05]
        yield lambda gains=gains, place=place: _named(plot_gains(gains), place)
        yield lambda values=significant, place=place: _named(plot_gains(values), place, "significant")
        yield lambda gains=gains, place=place: _named(plot_gain_quantiles(gains), place)
        yield lambda values=p_values, place=place: _named(plot_rejection(values), place)


def _of_curves(run: Run) -> Iterator[Callable[[], Figure]]:
    curves = _part(run, "curves")
    reference = FIRST_ROUND if run.project.protocol.rounds_of(JudgmentKind.SELECTION) else EARLIER_VALUES
    for place, table in _places(curves.get("thinking_time", {})):
        curve = Curve(_floats(table["seconds"]), _floats(table["rmse"]), np.array(table["ratings"], dtype=np.int64))
        yield lambda curve=curve, place=place: _named(plot_thinking_time(curve, reference=reference), place)
    for place, table in _places(curves.get("practice", {})):
        ratings = np.array(table["ratings"], dtype=np.int64)
        curve = Curve(_floats(table["ratings_made"]), _floats(table["pearson"]), ratings)
        yield lambda curve=curve, place=place: _named(plot_practice(curve, reference=reference), place)
    for place, table in curves.get("waiting", {}).items():
        pause = run.project.round(place).pause_hours or None
        yield lambda table=table, pause=pause, place=place: _named(plot_waiting(table["hours"], pause=pause), place)


def _of_order(run: Run) -> Iterator[Callable[[], Figure]]:
    effects = _part(run, "order_effects")
    for place, found in _places(effects.get("ratings", {})):
        own = found["session"]
        screens, ratings = (np.array(own[name], dtype=np.int64) for name in ("to_screen", "ratings"))
        columns = (screens, _floats(own["deviation"]), ratings)
        yield lambda columns=columns, place=place: _named(plot_drift(*columns), place)
    for place, found in effects.get("choices", {}).items():
        counts = [np.array(found[mark]["counts"], dtype=np.int64) for mark in ("best", "worst")]
        yield lambda counts=counts, place=place: _named(plot_positions(*counts), place)


def _of_people(run: Run, material: Material) -> Iterator[Callable[[], Figure]]:
    ends = {"minimum": material.facts.minimum, "maximum": material.facts.maximum}
    of_ratings = {"measure": "Pearson's r", "noun": "item"}
    of_choices = {"measure": "the same choice, above chance", "noun": "tuple"}
    places = [(found, [place], of_ratings, ends) for place, found in _places(_part(run, "pairwise"))]
    if choices := _part(run, "choice_pairwise"):
        places.append((choices, [], of_choices, {"minimum": 0, "maximum": 1}))
    for found, place, words, scale in places:  # what is too large is not drawn, and the results say why
        if found["groups"] is not None:
            yield lambda found=found, place=place, words=words: _named(_pairwise(found, **words), *place)
        if found["matrix"] is not None:
            yield lambda found=found, place=place, scale=scale: _named(_matrix(found, **scale), *place)


def _pairwise(found: Results, *, measure: str, noun: str) -> Figure:
    overlap, agreement = np.array(found["overlap"], dtype=np.int64), [_floats(row) for row in found["agreement"]]
    return plot_pairwise(found["groups"], overlap, np.array(agreement), measure=measure, noun=noun)


def _matrix(found: Results, *, minimum: float, maximum: float) -> Figure:
    table = found["matrix"]
    values = np.array([_floats(row) for row in table["value"]])
    return plot_answers(table["item"], table["annotator"], values, minimum=minimum, maximum=maximum)


def _halves(halves: Results) -> SplitHalf:
    values = halves["values"]
    items = np.array(values["items"], dtype=np.int64)
    return SplitHalf(halves["by"], items, _floats(values["spearman"]), _floats(values["pearson"]))


def _modes(found: Results) -> Figure:
    return plot_modes(np.array(found["modes"]["p_counts"], dtype=np.int64), found["by_modes"])


def _readability(material: Material) -> Figure:
    """Return the figure of the distinct English texts' readability, as in DSCS 4.2."""
    return plot_readability([readability(text) for text in sorted(english_texts(material.items))])
