"""The methods of a run in words and numbers, as a paper states them."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.protocols.spec import Material
from scoring.exports.card import INVALID, PAPERS
from scoring.exports.report.collection import Collection, People
from scoring.exports.report.designs import counted_hours, describe
from scoring.exports.report.ratings import by_place, place_in_words
from scoring.exports.report.reliability import reliability
from scoring.exports.report.tables import Tree
from scoring.figures.wording import counted, listed, number


@dataclass(frozen=True)
class Paragraph:
    title: str
    text: str


def methods(own: Collection) -> list[Paragraph]:
    """The paragraphs that have something to say, in the order of a paper."""
    told = (
        ("Protocol", _protocol(own)),
        ("Material", _material(own)),
        ("People", _people(own)),
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
    yield f"Judgments were collected by the protocol of {PAPERS[protocol.key]}. The question was: “{protocol.question}”"
    if scale := protocol.scale:
        labels = listed([f"{label.value} is “{label.text}”" for label in scale.labels]) if scale.labels else ""
        yield f"Answers were given on a scale from {scale.minimum} to {scale.maximum} in steps of {scale.step}" + (
            f", where {labels}." if labels else "."
        )
    yield from (describe(protocol, one) for one in protocol.rounds)


def _material(own: Collection) -> Iterator[str]:
    found, dialogues = own.results["overview"], own.protocol.material == Material.DIALOGUES
    names = ("utterance", "utterances") if dialogues else ("pair of texts", "pairs of texts")
    groups = f" of {counted(own.groups, 'dialogue')}" if dialogues else ""
    languages = f", in {listed(own.languages)}" if own.languages else ""
    many = found["items"]
    yield f"There {_is(many, past=True)} {counted(many, *names)}{groups}{languages}."
    if found["calibration_items"]:
        many = found["calibration_items"]
        yield f"{counted(many, 'pair')} served for calibration and {_is(many)} in no figure."
    if filters := own.results.get("filters"):
        yield (
            f"{counted(filters['all']['raw'], 'pair')} had been selected; {filters['unvalidated']['raw']:,} of them, "
            "which no later round used, are for training."
        )
    if found := own.results.get("corpus"):
        yield _checked(found)


def _checked(found: Tree) -> str:
    """What the check of the texts has found (SemRel2024 3.3)."""
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
        if people.not_begun:
            yield f"{people.not_begun:,} more had a place and had not begun."


def _judgments(own: Collection) -> Iterator[str]:
    found = own.results["overview"]
    for kind in ("ratings", "choices"):
        if found[kind]:
            all_, kept = found[kind], found[f"{kind}_counted"]
            less = "all of them count" if kept == all_ else f"{kept:,} of them count, the others are of people excluded"
            made = "There are" if any(people.unknown for people in own.people.values()) else "They made"
            yield f"{made} {counted(all_, 'rating' if kind == 'ratings' else 'best-worst choice')}; {less}."
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


def _pauses(own: Collection) -> Iterator[str]:
    for name, waits in own.results.get("curves", {}).get("waiting", {}).items():
        hours, pause = waits["hours"], own.protocol.round(name).pause_hours
        if not hours:
            yield f"In {name} nobody has come back for the second session yet."
            continue
        middle = (hours[(len(hours) - 1) // 2] + hours[len(hours) // 2]) / 2
        text = (
            f"In {name} {counted(len(hours), 'person', 'people')} came back after a median of "
            f"{counted_hours(round(middle, 1))} ({number(hours[0], 1)} to {number(hours[-1], 1)})"
        )
        long = sum(one >= pause for one in hours)
        yield text + (f"; {long:,} of them after {counted_hours(pause)} or more." if pause else ".")


def _exclusions(own: Collection) -> Iterator[str]:
    found = False
    for one in own.protocol.rounds:
        excluded = own.people.get(one.key, People()).excluded
        if excluded:
            found = True
            where = f"In {one.key}, " if len(own.protocol.rounds) > 1 else ""
            yield where + listed([_reason(many, reason) for reason, many in excluded.items()]) + "."
    yield "Judgments of excluded people are kept and are in no figure." if found else "Nobody was excluded."


def _reason(many: int, reason: str) -> str:
    """Of a kind of reason such as “by the managers” or “contradicted known labels”."""
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
