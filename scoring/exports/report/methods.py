"""The methods of a run in words and numbers, as a paper states them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from scoring.exports.card import INVALID
from scoring.exports.report.amounts import coverage_sentences, effort_sentence
from scoring.exports.report.collection import Collection, People
from scoring.exports.report.corpus import KINDS
from scoring.exports.report.designs import counted_hours, describe
from scoring.exports.report.ratings import by_place, place_in_words
from scoring.exports.report.reliability import reliability
from scoring.exports.report.tables import Tree
from scoring.exports.uncounted import uncounted_sentence
from scoring.figures.wording import counted, fixed, listed, plain
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
    yield f"Judgments were {own.origin}. The question is “{protocol.question}”"
    if scale := protocol.scale:
        labels = [f"{plain(label.value)} is “{label.text}”" for label in scale.labels]
        minimum, maximum, step = map(plain, (scale.minimum, scale.maximum, scale.step))
        where = f", where {listed(labels)}" if labels else ""
        yield f"The scale goes from {minimum} to {maximum} in steps of {step}{where}."
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
    if many := own.results["overview"].get("withdrawn_items"):
        yield f"{counted(many, noun)} {_is(many, past=True)} withdrawn and {_is(many)} in no score."
    if filters := own.results.get("filters"):
        left, training = filters["all"]["raw"], filters["unvalidated"]["raw"]
        yield (
            f"Without pairs for calibration and withdrawn ones, {counted(left, 'selected pair')} {_is(left)} left; "
            f"{training:,} of them, which no later round used, {_is(training)} for training."
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
        + listed([f"{KINDS[kind].lower()} ({many:,})" for kind, many in kinds])
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
            yield f"Choices{where} were imported without the names of the people who made them."
        if not people.took_part:
            if not people.unknown:
                yield f"Nobody took part{where}."
            continue
        parts = [f"{people.finished:,} finished"] if people.finished else []
        parts += [f"{people.going_on:,} had not finished"] if people.going_on else []
        parts += [f"{people.left:,} left before the end"] if people.left else []
        excluded = sum(people.excluded.values())
        parts += [f"{excluded:,} {'was' if excluded == 1 else 'were'} excluded"] if excluded else []
        yield f"{counted(people.took_part, 'person', 'people')} took part{where}: {listed(parts)}."
        if people.too_late:
            yield f"{counted(people.too_late, 'more person', 'more people')} came when nothing was left to answer."
        if people.not_begun:
            yield f"{counted(people.not_begun, 'more person', 'more people')} had a place and had not begun."
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
        yield f"Choices{where} were imported without the names of the people who made them."
    if people.took_part:
        excluded = sum(people.excluded.values())
        more = f"; those by {excluded:,} of them do not count" if excluded else ""
        yield f"The imported judgments{where} are by {counted(people.took_part, 'person', 'people')}{more}."


def _judgments(own: Collection) -> Iterator[str]:
    found = own.results["overview"]
    for kind, noun in (("ratings", "rating"), ("choices", "best-worst choice")):
        if all_ := found[kind]:
            kept = found[f"{kind}_counted"]
            less = "all of them count" if kept == all_ else f"{kept:,} of them count"
            yield f"There {_is(all_)} {counted(all_, noun)}; {less}."
    if selected := found.get("pairs_selected"):
        yield f"The selections hold {counted(selected, 'pair')}, each of which is a judgment as well."
    if uncounted := uncounted_sentence(found.get("judgments", 0), found.get("not_counted", {})):
        yield uncounted
    if invalid := found.get("choices_invalid"):
        yield f"Of the choices that count, {invalid:,} {_is(invalid)} invalid: {INVALID}."
    if not found["ratings"] and not found["choices"]:
        yield "Nothing has been judged yet."
    for place, scores in by_place(own.results.get("agreement", {})).items():
        if scores["ratings"]:
            where = place_in_words(place, own.protocol)
            yield (
                f"The scores {f'of {where}' if where.startswith('the') else f'in {where}'} are means of "
                f"{counted(scores['ratings'], 'rating')} of {counted(scores['items'], 'pair')} by "
                f"{counted(scores['annotators'], 'person', 'people')}."
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
            f"{counted_hours(round(middle, 1))} ({fixed(hours[0], 1)} to {fixed(hours[-1], 1)})"
        )
        long = sum(one >= pause for one in hours)
        many = "all" if long == len(hours) else f"{long:,}" if long else "none"
        yield text + (f"; {many} of them after {counted_hours(pause)} or more." if pause else ".")
        if name in own.collected and (shortened := own.collected[name].shortened):
            yield f"The pause was shortened for {counted(shortened, 'person', 'people')}."


def _without_pauses(own: Collection, name: str) -> str:
    """Return why a round of two sessions has no measured pauses."""
    amounts = own.collected[name].amounts if name in own.collected else ()
    if len(amounts) > 1:  # an amount of each context
        return _capital(f"{_beginning(own, name)}the pause between the sessions was not measured.")
    return _capital(f"{_beginning(own, name)}nobody has come back for the second session yet.")


def _beginning(own: Collection, name: str) -> str:
    """Return how a sentence about a round begins: “In NAME, ”; empty for a single round."""
    return f"In {name}, " if len(own.protocol.rounds) > 1 else ""


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
