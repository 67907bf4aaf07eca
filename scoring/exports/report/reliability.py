"""Agreement in words and numbers."""

from collections.abc import Iterator, Sequence

from scoring.exports.report.collection import Collection
from scoring.exports.report.halves import halved_as_whole
from scoring.exports.report.ratings import by_people, by_place, in_round, place_in_words
from scoring.exports.report.shifts import rejected_pairs
from scoring.exports.report.tables import SMALLEST_P, Tree, printed_p
from scoring.figures.wording import MINUS, counted, listed, share

TESTS = {
    "student": "Student’s t-test for independent samples, as in Czech News, Section 5.1",
    "paired": "the paired t-test over the annotators who rated in both contexts",
}
HALVES = {
    "tuple": "splitting the choices of each tuple into two halves",
    "judgment": "splitting all choices into two halves",
    "annotator": "splitting the annotators into two halves",
}


def reliability(own: Collection) -> Iterator[str]:
    """Yield sentences on inter- and intra-annotator agreement and on split-half reliability."""
    sentences = [*_of_ratings(own), *_of_rating_halves(own), *_again(own), *_of_choices(own)]
    sentences += [*_of_context(own), *_of_earlier_values(own)]
    yield from sentences or ["No agreement can be reported yet, because no item was judged by two annotators."]


def _of_ratings(own: Collection) -> Iterator[str]:
    for place, found in by_place(own.results.get("agreement", {})).items():
        if not found["ratings"]:
            continue
        where = place_in_words(place, own.protocol)
        if found["ratings"] == found["items"]:
            yield f"In {where}, no pair was rated by two annotators, so there is no agreement to report."
            continue
        resampled = _bounds(found["alpha"], "interval", "by resampling pairs")
        inter, others = (_of_pairs(found, name) for name in ("inter", "leave_one_out"))
        figures = (
            ("Pearson’s r between each rating and the mean of its pair", found["inter"], "pearson", inter),
            (
                "Pearson’s r between each rating and the mean of the other ratings (leave-one-out)",
                found["leave_one_out"],
                "pearson",
                _with_test(others, found["leave_one_out"]),
            ),
            ("Krippendorff’s α (interval)", found["alpha"], "interval", resampled),
            (f"ICC(1,1){_of_all(found)}", found["icc"], "icc1", ""),
            (f"ICC(1,k){_of_all(found)}", found["icc"], "icc1k", ""),
        )
        yield f"Inter-annotator agreement in {where} (n = {_compared(found)}): {_each(figures)}."
        if found.get("average_rater") is not None:
            facts = (_interval(found, "average_rater", by_people(own.results)), _single(own.results, place))
            more = f" ({'; '.join(filter(None, facts))})" if any(facts) else ""
            mean = _printed(found["average_rater"])
            yield f"On average, an annotator’s ratings correlate with the mean of the others at r = {mean}{more}."


def _with_test(bounds: str, found: Tree) -> str:
    """Return an interval in brackets with the p-value of Pearson's r, as far as they are defined and known."""
    p = found.get("pearson_p")
    if p is None:
        return bounds
    sign = "" if p < SMALLEST_P else "= "
    test = f"two-sided p {sign}{printed_p(p)}, df = {found['pearson_degrees']:.0f}"
    return f"{bounds.removesuffix(')')}; {test})" if bounds else f" ({test})"


def _single(results: Tree, place: str) -> str:
    """Return the range of single people's correlations; nothing for runs of earlier versions."""
    found = by_place(results.get("raters", {})).get(place, {}).get("typical", {})
    if found.get("closest") is None or found["raters"] < 2:
        return ""
    return f"n = {counted(found['raters'], 'annotator')}, range {_printed(found['worst'])} to {_printed(found['best'])}"


def _of_all(found: Tree) -> str:
    """Return which ratings an ICC includes, if pairs rated once are left out of the other figures."""
    alone = found["items"] - found.get("items_compared", found["items"])
    return f" over all {counted(found['ratings'], 'rating')}" if alone else ""


def _compared(found: Tree) -> str:
    """Return how many ratings of how many pairs are compared, and that pairs rated once are not."""
    items, ratings = found.get("items_compared", found["items"]), found.get("ratings_compared", found["ratings"])
    alone = found["items"] - items
    left_out = f"; {counted(alone, 'pair')} rated only once excluded" if alone else ""
    return f"{counted(ratings, 'rating')} of {counted(items, 'pair')}{left_out}"


def _each(figures: Sequence[tuple[str, Tree, str, str]]) -> str:
    """Return the defined figures with their values, then the undefined ones, once for each reason."""
    parts = [f"{label} = {_printed(tree[key])}{more}" for label, tree, key, more in figures if tree[key] is not None]
    undefined: dict[str, list[str]] = {}
    for label, tree, key, _ in figures:
        if tree[key] is None:
            undefined.setdefault(tree.get(f"{key}_reason", "no reason was recorded"), []).append(label)
    if undefined:
        parts.append("not defined: " + ", ".join(f"{listed(labels)} ({why})" for why, labels in undefined.items()))
    return "; ".join(parts)


def _bounds(holder: Tree, name: str, how: str) -> str:
    """Return the interval of a figure in brackets; nothing without one."""
    interval = _interval(holder, name, how)
    return f" ({interval})" if interval else ""


def _of_pairs(found: Tree, name: str) -> str:
    """Return the interval of a correlation by resampling pairs; runs of version 1 of the results have none."""
    return _bounds(found[name], "pearson", "by resampling pairs") if "items_compared" in found else ""


def _interval(holder: Tree, name: str, how: str) -> str:
    low, high = (holder.get(f"{name}_{end}") for end in ("low", "high"))
    return "" if low is None or high is None else f"95% CI {_printed(low)} to {_printed(high)}, {how}"


def _again(own: Collection) -> Iterator[str]:
    for late, earlier in own.results.get("intra", {}).items():
        for early, found in earlier.items():
            if not found["ratings"]:
                continue
            how = "by Fisher’s z" if own.results.get("shape") in (1, 2) else "by resampling annotators and pairs"
            people, ratings = counted(found["annotators"], "annotator"), counted(found["ratings"], "rating")
            what = (
                f"pairs in {late} that they had rated in {early}"
                if late != early
                else "pairs again at the end of a session"
            )
            yield (
                f"Intra-annotator agreement of {people} who rated {what} (n = {ratings}): Pearson’s r "
                f"{_told(found['both'], 'pearson', '= ')}"
                f"{_with_test(_bounds(found['both'], 'pearson', how), found['both'])}."
            )


def _of_choices(own: Collection) -> Iterator[str]:
    for by in HALVES:
        halves = own.results.get("split_half", {}).get(by)
        if halves is None:
            continue
        yield _of_halves(halves, f"Split-half reliability, {HALVES[by]}")
        if by == "tuple":
            yield from halved_as_whole(own.results)
    yield from _of_parts(own)
    if found := own.results.get("choice_agreement"):
        best, worst = found["alpha"]["best"], found["alpha"]["worst"]
        once = found.get("tuples_judged_once", 0)
        choices, tuples = counted(found["judgments"] - once, "choice"), counted(found["tuples"] - once, "tuple")
        left_out = f"; {counted(once, 'tuple')} judged only once excluded" if once else ""
        yield (
            f"Krippendorff’s α (nominal) for the item chosen (n = {choices} over {tuples}{left_out}): "
            f"{_told(best, 'item')} for best, {_told(worst, 'item')} for worst."
        )
        yield from _per_tuple(found)


def _of_parts(own: Collection) -> Iterator[str]:
    """Yield the split-half reliability of the parts of a release (SemRel2024, table 3)."""
    if found := own.results.get("split_half_of_parts"):
        noun = own.protocol.material.noun
        parts = [
            f"{_told(part['spearman'], 'mean')} in {name} (n = {counted(part['items'], noun)})"
            for name, part in found["parts"].items()
        ]
        yield (
            f"Split-half reliability by tuple for each part of release {found['release']}, mean Spearman’s ρ: "
            f"{'; '.join(parts)}."
        )


def _per_tuple(found: Tree) -> Iterator[str]:
    """Yield how many people judged each tuple; runs of earlier versions did not count it."""
    people, choices = (found.get(f"{name}_per_tuple", {}) for name in ("annotators", "judgments"))
    if people.get("min") is not None:
        yield (
            f"For each judged tuple, the analysis includes choices from {_between(people, 'annotator', 'annotators')}."
        )
    elif choices:
        yield f"For each judged tuple, the analysis includes {_between(choices, 'choice', 'choices')}."


def _between(ends: Tree, one: str, several: str) -> str:
    most = counted(ends["max"], one, several)
    return most if ends["min"] == ends["max"] else f"{ends['min']:,} to {most}"


def _of_rating_halves(own: Collection) -> Iterator[str]:
    for place, halves in by_place(own.results.get("split_half_ratings", {})).items():
        if halves["ratings"]:
            where = place_in_words(place, own.protocol)
            how = "splitting the ratings of each pair into two halves"
            yield _of_halves(halves, f"Split-half reliability in {where}, {how}")


def _of_halves(halves: Tree, name: str) -> str:
    if halves["splits"] is None:
        return f"{name}, is not defined ({halves['splits_reason']})."
    spread, splits, bounds = halves["spearman"], counted(halves["splits"], "random split"), ""
    if spread["low"] is not None:
        bounds = f" (95% of splits between {_printed(spread['low'])} and {_printed(spread['high'])})"
    return f"{name} ({splits}): mean Spearman’s ρ {_told(spread, 'mean', '= ')}{bounds}{_full_length(spread)}."


def _full_length(spread: Tree) -> str:
    """Return the reliability of all judgments; nothing without halves, or in runs of earlier versions."""
    if spread["mean"] is None or "full_length" not in spread:
        return ""
    return f"; Spearman–Brown corrected reliability {_told(spread, 'full_length', '= ')}"


def _of_context(own: Collection) -> Iterator[str]:
    for name, found in own.results.get("context_shift", {}).items():
        gains = found["gains"]
        if gains["mean"] is None:
            continue
        rejected = rejected_pairs(found)
        tested = rejected["student"]["tested"]
        number = filter(None, (counted(gains["number"], "pair"), _interval(gains, "mean", "by Student’s t")))
        yield (
            f"The mean gain{in_round(name, own.protocol)} (a pair’s mean rating with context minus that without) is "
            f"{_printed(gains['mean'])} (n = {'; '.join(number)}).{_rejected(rejected)}"
        )
        if 0 < tested < gains["number"]:
            yield (
                f"Student’s t-test gives a p-value for only {tested:,} of the pairs; the others count as not different."
            )


def _of_earlier_values(own: Collection) -> Iterator[str]:
    """Yield how the means follow the earlier values of the pairs, in a project that selects nothing."""
    if "filters" in own.results:
        return
    for name, found in own.results.get("correlations", {}).items():
        one = found["unfiltered"]
        figures = [
            (label, one, key, _bounds(one, key, "by Fisher’s z"))
            for label, key in (("without context", "r1_free"), ("with context", "r1_dependent"))
        ]
        where, pairs = in_round(name, own.protocol), counted(one["pairs"], "pair")
        yield (
            f"Pearson’s r between the earlier value of a pair and its mean rating{where} (n = {pairs}): "
            f"{_each(figures)}."
        )


def _rejected(tests: Tree) -> str:
    """Return the share of pairs whose means differ, by each test that is defined."""
    parts = []
    for name, test in TESTS.items():
        part = tests.get(name, {}).get("0.05")
        if part is not None:
            corrected = tests.get(f"{name}_bh", {}).get("0.05")
            more = f" ({share(corrected)} after Benjamini–Hochberg correction)" if corrected is not None else ""
            parts.append(f"{share(part)} of pairs by {test}{more}")
    return f" At the 5% level, the two means differ for {listed(parts)}." if parts else ""


def _told(holder: Tree, name: str, sign: str = "") -> str:
    """Return a figure, after a sign such as “= ”; or that it is not defined, and why."""
    value = holder[name]
    reason = holder.get(f"{name}_reason", "no reason was recorded")
    return f"{sign}{_printed(value)}" if value is not None else f"not defined ({reason.rstrip('.')})"


def _printed(value: float) -> str:
    return f"{value:.3f}".replace("-", MINUS)
