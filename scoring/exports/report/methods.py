"""The methods of a run in words and numbers, as a paper states them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from scoring.exports.card import INVALID
from scoring.exports.report.amounts import coverage_sentences, effort_sentence
from scoring.exports.report.collection import Collection, People
from scoring.exports.report.designs import counted_hours, describe
from scoring.exports.report.ratings import by_place, place_in_words
from scoring.exports.report.reliability import reliability
from scoring.exports.report.tables import Tree
from scoring.exports.uncounted import uncounted_sentence
from scoring.figures.wording import counted, listed, number
from scoring.summaries.demographics import MERGED


@dataclass(frozen=True)
class Paragraph:
    title: str
    text: str


def methods(own: Collection) -> list[Paragraph]:
    """Return the paragraphs that are not empty, in the order of a paper."""
    told = (
        ("Protocol", _protocol(own)),
        ("Material", _material(own)),
        ("People", chain(_people(own), _demographics(own))),
        ("Judgments", _judgments(own)),
        ("Pauses", _pauses(own)),
        ("Exclusions", _exclusions(own)),
        ("Reliability", reliability(own)),
        ("Computation", _computation(own)),
    )
    texts = [(title, " ".join(sentences)) for title, sentences in told]
    return [Paragraph(title, text) for title, text in texts if text]


def _protocol(own: Collection) -> Iterator[str]:
    protocol = own.protocol
    yield f"Judgments were {own.origin}. The question of the project: “{protocol.question}”"
    if scale := protocol.scale:
        labels = listed([f"{label.value} is “{label.text}”" for label in scale.labels]) if scale.labels else ""
        yield f"Its scale goes from {scale.minimum} to {scale.maximum} in steps of {scale.step}" + (
            f", where {labels}." if labels else "."
        )
    yield from (describe(protocol, one, own.collected.get(one.key)) for one in protocol.rounds)


def _material(own: Collection) -> Iterator[str]:
    found = own.results["overview"]
    noun = own.protocol.material.noun
    names = ("pair of texts", "pairs of texts") if noun == "pair" else (noun,)
    groups = f" of {counted(own.groups, 'dialogue')}" if own.groups else ""
    languages = f", in {listed(own.languages)}" if own.languages else ""
    many = found["items"]
    yield f"There {_is(many, past=True)} {counted(many, *names)}{groups}{languages}."
    if found["calibration_items"]:
        many = found["calibration_items"]
        yield f"{counted(many, 'pair')} of them {_is(many)} for calibration, in no score and in no figure of agreement."
    if filters := own.results.get("filters"):
        yield (
            f"Without pairs for calibration and withdrawn ones, {filters['all']['raw']:,} had been selected; "
            f"{filters['unvalidated']['raw']:,} of them, which no later round used, are for training."
        )
    if found := own.results.get("corpus"):
        yield _checked(found)


def _checked(found: Tree) -> str:
    """Return what the check of the texts has found (SemRel2024 3.3)."""
    if not found["items_found"]:
        return "A check of the texts for repetition, lost or invisible characters, addresses and names found nothing."
    kinds = zip(found["kind"], found["found_in"], strict=True)
    return (
        f"A check of the texts for repetition, lost or invisible characters, addresses and names found something in "
        f"{found['items_found']:,} of {found['items']:,} items: "
        + listed([f"“{kind}” in {many:,}" for kind, many in kinds])
        + "."
    )


def _people(own: Collection) -> Iterator[str]:
    several = len(own.protocol.rounds) > 1
    for one in own.protocol.rounds:
        people = own.people.get(one.key, People())
        where = f" in {one.key}" if several else ""
        if _imported(own, one.key):
            yield from _imported_people(people, where)
            continue
        if people.unknown:
            yield f"Choices{where} were brought in from elsewhere without telling who made them."
        if not people.took_part:
            if not people.unknown:
                yield f"Nobody took part{where}."
            continue
        parts = [f"{people.finished:,} finished"] if people.finished else []
        parts += [f"{people.going_on:,} had not come to the end"] if people.going_on else []
        parts += [f"{people.left:,} left before the end"] if people.left else []
        excluded = sum(people.excluded.values())
        parts += [f"{excluded:,} {'was' if excluded == 1 else 'were'} excluded"] if excluded else []
        yield f"{counted(people.took_part, 'person', 'people')} took part{where}: {listed(parts)}."
        if people.too_late:
            yield f"{people.too_late:,} more came when nothing was left to answer."
        if people.not_begun:
            yield f"{people.not_begun:,} more had a place and had not begun."
    yield from effort_sentence(own.results)


def _demographics(own: Collection) -> Iterator[str]:
    """Yield the people by their answers about themselves (SemRel2024, appendix A.3)."""
    for one in own.demographics:
        groups = listed([f"{group.label} ({group.people:,})" for group in one.groups])
        everybody = counted(sum(group.people for group in one.groups), "person", "people")
        yield f"Of {everybody} whose judgments count, asked “{one.question}”: {groups}."
    if own.demographics:
        yield MERGED


def _imported(own: Collection, round_key: str) -> bool:
    return round_key in own.collected and own.collected[round_key].imported


def _imported_people(people: People, where: str) -> Iterator[str]:
    """Yield whose judgments were imported; nobody of them took part here."""
    if people.unknown:
        yield f"Choices{where} were imported without telling who made them."
    if people.took_part:
        excluded = sum(people.excluded.values())
        more = f", of whom {excluded:,} {'does' if excluded == 1 else 'do'} not count" if excluded else ""
        yield f"The imported judgments{where} are of {counted(people.took_part, 'person', 'people')}{more}."


def _judgments(own: Collection) -> Iterator[str]:
    found = own.results["overview"]
    for kind in ("ratings", "choices"):
        if found[kind]:
            all_, kept = found[kind], found[f"{kind}_counted"]
            less = "all of them count" if kept == all_ else f"{kept:,} of them count"
            made = "There are" if any(people.unknown for people in own.people.values()) else "They made"
            yield f"{made} {counted(all_, 'rating' if kind == 'ratings' else 'best-worst choice')}; {less}."
    if uncounted := uncounted_sentence(found.get("judgments", 0), found.get("not_counted", {})):
        yield uncounted
    if invalid := found.get("choices_invalid"):
        yield f"Of the choices that count, {invalid:,} {_is(invalid)} invalid: {INVALID}."
    if not found["ratings"] and not found["choices"]:
        yield "Nothing has been judged yet."
    for place, scores in by_place(own.results.get("agreement", {})).items():
        if scores["ratings"]:
            yield (
                f"Figures of {place_in_words(place, own.protocol)} are of {counted(scores['ratings'], 'rating')} of "
                f"{counted(scores['items'], 'pair')} by {counted(scores['annotators'], 'person', 'people')}."
            )
    yield from coverage_sentences(own.results, own.protocol)


def _pauses(own: Collection) -> Iterator[str]:
    for name, waits in own.results.get("curves", {}).get("waiting", {}).items():
        hours, pause = waits["hours"], own.protocol.round(name).pause_hours
        if not hours:
            yield _without_pauses(own, name)
            continue
        middle = (hours[(len(hours) - 1) // 2] + hours[len(hours) // 2]) / 2
        text = (
            f"{_beginning(own, name)}{counted(len(hours), 'person', 'people')} came back after a median of "
            f"{counted_hours(round(middle, 1))} ({number(hours[0], 1)} to {number(hours[-1], 1)})"
        )
        long = sum(one >= pause for one in hours)
        yield text + (f"; {long:,} of them after {counted_hours(pause)} or more." if pause else ".")
        if name in own.collected and (shortened := own.collected[name].shortened):
            yield f"The pause was shortened for {counted(shortened, 'person', 'people')}."


def _without_pauses(own: Collection, name: str) -> str:
    """Return why a round of two sessions has no measured pauses."""
    amounts = own.collected[name].amounts if name in own.collected else ()
    if len(amounts) > 1:  # an amount of each context
        return _capital(f"{_beginning(own, name)}the pause between the sessions was not measured.")
    return _capital(f"{_beginning(own, name)}nobody has come back for the second session yet.")


def _beginning(own: Collection, name: str) -> str:
    """Return how a sentence about a round begins: “In NAME ”; empty for a single round."""
    return f"In {name} " if len(own.protocol.rounds) > 1 else ""


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _exclusions(own: Collection) -> Iterator[str]:
    found = False
    for one in own.protocol.rounds:
        excluded = own.people.get(one.key, People()).excluded
        if excluded:
            found = True
            where = f"In {one.key}, " if len(own.protocol.rounds) > 1 else ""
            yield where + listed([_reason(many, reason) for reason, many in excluded.items()]) + "."
    kept = "Judgments of excluded people are kept; they are in no score and in no figure of agreement."
    yield kept if found else "Nobody was excluded."
    people = own.results.get("screening", {}).get("people", ())
    if kept := sum(person["too_many"] and person["state"] != "excluded" for person in people):
        yield (
            f"{counted(kept, 'person', 'people')} above the limit for contradictions of known labels "
            f"{_is(kept, past=True)} not excluded; their ratings count."
        )


def _reason(many: int, reason: str) -> str:
    """Return a kind of reason in words, such as “by the managers” or “contradicted known labels”."""
    why = reason if reason.startswith("by ") else f"because they {reason}"
    return f"{counted(many, 'person', 'people')} {_is(many, past=True)} excluded {why}"


def _computation(own: Collection) -> Iterator[str]:
    parameters = own.results["overview"]["parameters"]
    yield (
        f"All figures were computed by Semblance {own.code_version} as run {own.run}, of the judgments as of "
        f"{own.as_of:%-d %B %Y, %H:%M:%S} UTC, with seed {own.seed}, {counted(parameters['splits'], 'random split')}, "
        f"{counted(parameters['replicates'], 'resample')} and {counted(parameters['subsets'], 'random subset')}, where "
        "these apply."
    )


def _is(many: int, *, past: bool = False) -> str:
    return ("was" if many == 1 else "were") if past else ("is" if many == 1 else "are")
