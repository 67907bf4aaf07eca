"""A registered plan as text: the questions of the OSF's preregistration template with the answers, in Markdown."""

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any

from annotation.protocols.settings import setting_names, written
from annotation.protocols.spec import Protocol
from annotation.protocols.storing import protocol_from_json
from annotation.protocols.terms import Material
from scoring.exports.report.designs import describe
from scoring.exports.report.waves import stopping_rule
from scoring.figures.wording import counted, plain, share
from scoring.summaries.registered.analyses import ANALYSES
from scoring.summaries.registered.canonical import canonical, digest
from scoring.summaries.registered.questions import QUESTIONS, SECTIONS

Plan = Mapping[str, Any]
NOTHING = "No answer was given."
OPEN_ROUNDS = "“open” is a number that is not planned, or that depends on texts that are not known in advance."


def as_text(plan: Plan) -> str:
    """Return a plan in Markdown. Before its registration it has no number, time and hash."""
    lines = [f"# Registered plan: {_line(plan['title'])}", "", *_origin(plan)]
    for section, names in SECTIONS.items():
        lines += ["", f"## {section}"]
        for name in names:
            lines += ["", f"### {QUESTIONS[name]}", "", *_answer(plan, name)]
    return "\n".join([*lines, "", "## Every setting of the protocol", "", *_settings(plan), ""])


def as_page(title: str, body: str) -> str:
    """Return a whole page of HTML. Parameters: body, HTML that is safe."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(_line(title))}</title></head>\n'
        f"<body>\n{body}</body>\n</html>\n"
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _origin(plan: Plan) -> Iterator[str]:
    yield f"- Project: `{plan['project']}`"
    if plan["authors"]:
        yield f"- Authors: {'; '.join(plan['authors'])}"
    if "number" in plan:
        yield f"- Registration {plan['number']}, {plan['registered_at']} (UTC)"
        yield f"- SHA-256 of the plan: `{digest(canonical(plan))}`"
    yield f"- Software: Semblance {plan['software']}"


def _answer(plan: Plan, name: str) -> Iterator[str]:
    """Yield what the owners wrote, then what the system knows."""
    written_by_owners = plan["answers"].get(name, "")
    known = list(KNOWN[name](plan, protocol_from_json(plan["protocol"]))) if name in KNOWN else []
    if written_by_owners:
        yield written_by_owners
    if written_by_owners and known:
        yield ""
    yield from known
    if not written_by_owners and not known:
        yield NOTHING


def _title(plan: Plan, protocol: Protocol) -> Iterator[str]:
    yield _line(plan["title"])


def _design(plan: Plan, protocol: Protocol) -> Iterator[str]:
    yield f"The question to annotators is “{protocol.question}”."
    for round_ in protocol.rounds:
        yield f"- {describe(protocol, round_)}"


def _randomization(plan: Plan, protocol: Protocol) -> Iterator[str]:
    yield (
        f"Assignments, orders of screens, tuples, splits and resamples are drawn from the random seed {plan['seed']} "
        "by NumPy’s generators. The same seed and data give the same plan and results."
    )


def _sample_size(plan: Plan, protocol: Protocol) -> Iterator[str]:
    planned = plan["planned"]
    yield from ("| | Annotators | Judgments |", "| --- | ---: | ---: |")
    for key, own in planned["rounds"].items():
        yield f"| Round {key} | {_number(own['people'])} | {_judgments(own)} |"
    noun = "Incidents" if protocol.material is Material.INCIDENTS else "Items"
    yield f"\n{noun}: {_number(planned['items'])}. {OPEN_ROUNDS}"


def _number(value: int | None) -> str:
    return "open" if value is None else f"{value:,}"


def _judgments(own: Plan) -> str:
    if own["fewest"] is None:
        return "open"
    return _number(own["most"]) if own["fewest"] == own["most"] else f"{own['fewest']:,} to {own['most']:,}"


def _stopping(plan: Plan, protocol: Protocol) -> Iterator[str]:
    for round_ in protocol.rounds:
        rule = "The round ends when all planned judgments are given."
        if round_.design.in_waves:
            rule = stopping_rule(round_.design, protocol)
        yield f"- Round {round_.key}: {rule}"


def _measured(plan: Plan, protocol: Protocol) -> Iterator[str]:
    if scale := protocol.scale:
        labels = ", ".join(f"{plain(label.value)} = “{label.text}”" for label in scale.labels)
        minimum, maximum, step = map(plain, (scale.minimum, scale.maximum, scale.step))
        yield f"Ratings on a scale from {minimum} to {maximum} in steps of {step}{f' ({labels})' if labels else ''}."
    if protocol.compares:
        yield "Choices of the best and the worst item of each tuple."
    yield "Server times, thinking times and the order of screens are stored with every judgment."


def _models(plan: Plan, protocol: Protocol) -> Iterator[str]:
    parameters = plan["parameters"]
    yield (
        f"Statistics registered as confirmatory, computed with {counted(parameters['splits'], 'random split')}, "
        f"{counted(parameters['replicates'], 'resample')} and {counted(parameters['subsets'], 'random subset')}:"
    )
    yield ""
    yield from [f"- {ANALYSES[name].title} (`{name}`)" for name in plan["analyses"]] or ["- none"]


def _exclusions(plan: Plan, protocol: Protocol) -> Iterator[str]:
    rules = [
        f"- Round {round_.key}, {pool.title}: annotators who contradict the known labels in more than "
        f"{share(pool.contradictions_above)} of their answers are excluded when they finish, or when they leave after "
        f"{counted(pool.screening_minimum or 0, 'answer')} with a known label."
        for round_ in protocol.rounds
        for pool in round_.design.rater_pools
        if pool.contradictions_above is not None
    ]
    yield from rules or ["- No rule excludes annotators."]
    yield ""
    yield "These limits raise flags, which exclude nobody by themselves:"
    yield ""
    yield from (f"- `{name}`: {value}" for name, value in plan["limits"].items())


def _settings(plan: Plan) -> Iterator[str]:
    yield from ("| Setting | Value |", "| --- | --- |")
    for name, value in setting_names(protocol_from_json(plan["protocol"])).items():
        yield f"| `{name}` | {written(value)} |"
    for name, sha256 in plan["texts"].items():
        yield f"| SHA-256 of {name} | `{sha256}` |"


KNOWN: dict[str, Callable[[Plan, Protocol], Iterator[str]]] = {
    "title": _title,
    "design": _design,
    "randomization": _randomization,
    "sample_size": _sample_size,
    "stopping": _stopping,
    "measured": _measured,
    "models": _models,
    "exclusions": _exclusions,
}
"""What the system answers by itself, by the name of the question."""
