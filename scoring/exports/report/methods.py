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
    found = (
        ("Protocol", _protocol(own)),
        ("Material", _material(own)),
        ("Annotators", chain(_people(own), _demographics(own))),
        ("Judgments", _judgments(own)),
        ("Pauses", _pauses(own)),
        ("Exclusions", _exclusions(own)),
        ("Reliability", reliability(own)),
        ("Computation", _computation(own)),
    )
    texts = [(title, " ".join(sentences)) for title, sentences in found]
    return [Paragraph(title, text) for title, text in texts if text]


def _protocol(own: Collection) -> Iterator[str]:
    protocol = own.protocol
    yield f"Judgments were {own.origin}. The question was “{protocol.question}”{_full_stop(protocol.question)}"
    if scale := protocol.scale:
        labels = [f"{plain(label.value)} = “{label.text}”" for label in scale.labels]
        minimum, maximum, step = map(plain, (scale.minimum, scale.maximum, scale.step))
        meaning = f" ({', '.join(labels)})" if labels else ""
        yield f"Ratings are on a scale from {minimum} to {maximum} in steps of {step}{meaning}."
    yield from (describe(protocol, one, own.collected.get(one.key)) for one in protocol.rounds)


def _material(own: Collection) -> Iterator[str]:
    found = own.results["overview"]
    noun = own.protocol.material.noun
    names = ("pair of texts", "pairs of texts") if noun == "pair" else (noun,)
    groups = f" from {counted(own.groups, 'dialogue')}" if own.groups else ""
    languages = f", in {listed(own.languages)}" if own.languages else ""
    many = found["items"]
    yield f"The material comprises {counted(many, *names)}{groups}{languages}."
    if found["calibration_items"]:
        many = found["calibration_items"]
        yield (
            f"Of these, {counted(many, 'pair')} {_is(many)} used for calibration only and excluded from all scores and "
            "agreement statistics."
        )
    if many := own.results["overview"].get("withdrawn_items"):
        yield f"{counted(many, noun)} {_is(many, past=True)} withdrawn and {_has(many)} no score."
    if filters := own.results.get("filters"):
        left, training = filters["all"]["raw"], filters["unvalidated"]["raw"]
        yield (
            f"Without calibration pairs and withdrawn pairs, {counted(left, 'selected pair')} "
            f"{'remains' if left == 1 else 'remain'}; {training:,} of these {_is(training, past=True)} not used in any "
            f"later round and {'serves' if training == 1 else 'serve'} as training data."
        )
    if found := own.results.get("corpus"):
        yield _checked(found)


def _checked(found: Tree) -> str:
    """Return what the check of the texts found (SemRel2024 3.3)."""
    checked = "The texts were checked for duplicates, lost or invisible characters, addresses and names;"
    if not found["items_found"]:
        return f"{checked} no problems were found."
    kinds = listed(
        [f"{_uncapital(KINDS[kind])} ({many:,})" for kind, many in zip(found["kind"], found["found_in"], strict=True)]
    )
    return f"{checked} problems were found in {found['items_found']:,} of {found['items']:,} items: {kinds}."


def _people(own: Collection) -> Iterator[str]:
    several = len(own.protocol.rounds) > 1
    for one in own.protocol.rounds:
        people = own.people.get(one.key, People())
        where = f" in {one.key}" if several else ""
        if _imported(own, one.key):
            yield from _imported_people(people, where)
            continue
        if people.unknown:
            yield f"Choices without annotator identifiers were imported{where}."
        yield from _brought_in(people, where)
        if not people.took_part:
            if not people.unknown and not people.imported:
                yield f"No annotators took part{where}."
            continue
        parts = [f"{people.finished:,} finished"] if people.finished else []
        parts += [f"{people.going_on:,} had not yet finished"] if people.going_on else []
        parts += [f"{people.left:,} left before finishing"] if people.left else []
        excluded = people.excluded_here
        parts += [f"{excluded:,} {'was' if excluded == 1 else 'were'} excluded"] if excluded else []
        yield f"{counted(people.took_part, 'annotator')} took part{where}: {listed(parts)}."
        if people.too_late:
            yield f"{counted(people.too_late, 'further annotator')} joined when no items were left to judge."
        if people.not_begun:
            yield f"{counted(people.not_begun, 'further annotator')} had a place but had not started."
    yield from effort_sentence(own.results)


def _demographics(own: Collection) -> Iterator[str]:
    """Yield the people by their answers about themselves (SemRel2024, appendix A.3)."""
    for one in own.demographics:
        groups = listed([f"{group.label} ({group.people:,})" for group in one.groups])
        everybody = counted(sum(group.people for group in one.groups), "annotator")
        yield f"Answers to “{one.question}” by the {everybody} whose judgments are included in the analysis: {groups}."
    if own.demographics:
        yield MERGED


def _brought_in(people: People, where: str) -> Iterator[str]:
    """Yield whose judgments were imported into a round that others then took part in."""
    if people.imported:
        out = people.imported_excluded
        more = f"; those of {out:,} of them are excluded from the analysis" if out else ""
        yield f"Judgments by {counted(people.imported, 'annotator')} were imported{where}{more}."


def _imported(own: Collection, round_key: str) -> bool:
    return round_key in own.collected and own.collected[round_key].imported


def _imported_people(people: People, where: str) -> Iterator[str]:
    """Yield whose judgments were imported; none of these people took part here."""
    if people.unknown:
        yield f"Choices without annotator identifiers were imported{where}."
    if people.took_part:
        excluded = sum(people.excluded.values())
        more = f"; those of {excluded:,} of them are excluded from the analysis" if excluded else ""
        yield f"The imported judgments{where} were made by {counted(people.took_part, 'annotator')}{more}."


def _judgments(own: Collection) -> Iterator[str]:
    found = own.results["overview"]
    for kind, noun in (("ratings", "rating"), ("choices", "best-worst choice")):
        if all_ := found[kind]:
            kept = found[f"{kind}_counted"]
            number = "all" if kept == all_ > 1 else f"{kept:,}" if kept else "none"
            yield f"The data comprise {counted(all_, noun)}, of which {number} {_is(kept)} included in the analysis."
    if selected := found.get("pairs_selected"):
        yield f"The selections comprise {counted(selected, 'pair')}, each of which is also a judgment."
    if uncounted := uncounted_sentence(found.get("judgments", 0), found.get("not_counted", {})):
        yield uncounted
    if invalid := found.get("choices_invalid"):
        yield f"Of the choices included in the analysis, {invalid:,} {_is(invalid)} invalid: {INVALID}."
    if not found["ratings"] and not found["choices"]:
        yield "No judgments have been collected yet."
    for place, scores in by_place(own.results.get("agreement", {})).items():
        if scores["ratings"]:
            where = place_in_words(place, own.protocol)
            yield (
                f"Scores in {where} are mean ratings, based on {counted(scores['ratings'], 'rating')} of "
                f"{counted(scores['items'], 'pair')} by {counted(scores['annotators'], 'annotator')}."
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
            f"{_beginning(own, name)}{counted(len(hours), 'annotator')} returned for the second session after a median "
            f"of {counted_hours(round(middle, 1))} (range {fixed(hours[0], 1)} to {fixed(hours[-1], 1)})"
        )
        long = sum(one >= pause for one in hours)
        many = "all" if long == len(hours) else f"{long:,}" if long else "none"
        yield text + (f", {many} of them after at least {counted_hours(pause)}." if pause else ".")
        if name in own.collected and (shortened := own.collected[name].shortened):
            yield f"The pause was shortened for {counted(shortened, 'annotator')}."


def _without_pauses(own: Collection, name: str) -> str:
    """Return why a round of two sessions has no measured pauses."""
    amounts = own.collected[name].amounts if name in own.collected else ()
    if len(amounts) > 1:  # an amount of each context
        return _capital(f"{_beginning(own, name)}the pause between the sessions was not measured.")
    return _capital(f"{_beginning(own, name)}no annotator has returned for the second session yet.")


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
    kept = "Judgments by excluded annotators are kept in the data but enter no score or agreement statistic."
    yield kept if found else "No annotators were excluded."
    people = own.results.get("screening", {}).get("people", ())
    if kept := sum(person["too_many"] and person["state"] != "excluded" for person in people):
        yield (
            f"{counted(kept, 'annotator')} exceeded the limit for contradicting known labels but "
            f"{_is(kept, past=True)} not excluded; their ratings are included in the analysis."
        )


def _reason(many: int, reason: str) -> str:
    """Return a kind of reason in words, such as “by the managers” or “contradicted known labels”."""
    why = reason if reason.startswith("by ") else f"because they {reason}"
    return f"{counted(many, 'annotator')} {_is(many, past=True)} excluded {why}"


def _computation(own: Collection) -> Iterator[str]:
    parameters = own.results["overview"]["parameters"]
    yield (
        f"All statistics were computed with Semblance {own.code_version} (scoring run {own.run}) from the judgments as "
        f"of {own.as_of:%-d %B %Y, %H:%M:%S} UTC, using random seed {own.seed} and, where applicable, "
        f"{counted(parameters['splits'], 'random split')}, {counted(parameters['replicates'], 'resample')} and "
        f"{counted(parameters['subsets'], 'random subset')}."
    )


def _full_stop(question: str) -> str:
    """Return the full stop of a sentence that ends with a quotation; "" if the quotation has an end of its own."""
    return "" if question.endswith((".", "?", "!", "؟")) else "."


def _uncapital(label: str) -> str:
    """Return a label as written within a sentence; an abbreviation such as “IDs” keeps its capitals."""
    return label if label[:2].isupper() else label[:1].lower() + label[1:]


def _has(many: int) -> str:
    return "has" if many == 1 else "have"


def _is(many: int, *, past: bool = False) -> str:
    return ("was" if many == 1 else "were") if past else ("is" if many == 1 else "are")
