"""The plan of a project as it would be registered: what its owners wrote, and what the system knows."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from annotation.models import Project
from annotation.models.project import author_names
from annotation.planning.costs import Material as Amount
from annotation.planning.costs import RoundCost, round_costs
from annotation.protocols.terms import Material
from scoring.domain.monitoring.options import options_of
from scoring.stats.limits import LIMITS
from scoring.summaries.parameters import Parameters
from scoring.summaries.registered.analyses import applicable
from scoring.summaries.registered.canonical import FORMAT, SCHEMA_VERSION, canonical, digest
from scoring.summaries.registered.questions import TEXTS

PRACTICE = ("part", "position", "texts", "turns", "best", "worst", "why")


@dataclass(frozen=True)
class Answers:
    """What owners decide: texts by the name of their question; the planned number of items, or incidents; people by
    round, None if it is open; and the names of the registered statistics."""

    texts: Mapping[str, str] = field(default_factory=dict)
    items: int | None = None
    people: Mapping[str, int | None] = field(default_factory=dict)
    analyses: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def answers_of(project: Project) -> Answers:
    """Return the draft of the next registration; without one, the answers of the last registration; before that, what
    the system suggests."""
    if draft := getattr(project, "registration_draft", None):
        return Answers(**_known(project, draft.answers))
    if last := project.registrations.order_by("-number").first():
        return Answers(**_known(project, _answers_in(last.document)))
    items = amount_of(project)
    return Answers(items=items, people=_people(project, items), analyses=applicable(project.protocol))


def _answers_in(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers of owners in a registered plan."""
    planned = plan["planned"]
    people = {key: own["people"] for key, own in planned["rounds"].items()}
    return {"texts": plan["answers"], "items": planned["items"], "people": people, "analyses": plan["analyses"]}


def _people(project: Project, items: int | None) -> dict[str, int | None]:
    """Return the annotators that each round needs; None where anybody may come, or nothing is known."""
    costs = costs_of(project, items)
    return {cost.round.key: None if cost.round.design.is_open else cost.people or None for cost in costs}


def _known(project: Project, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored answers without those about rounds or statistics that the protocol no longer has."""
    keys, names = [round_.key for round_ in project.protocol.rounds], applicable(project.protocol)
    return {
        "texts": {name: text for name, text in stored["texts"].items() if name in TEXTS},
        "items": stored["items"],
        "people": {key: number for key, number in stored["people"].items() if key in keys},
        "analyses": [name for name in names if name in stored["analyses"]],
    }


def amount_of(project: Project) -> int | None:
    """Return the number of imported items, or of incidents; None before anything is imported."""
    return material_of(project).count() or None


def material_of(project: Project) -> QuerySet[Any]:
    """Return the items to judge, or the incidents."""
    if project.protocol.material == Material.INCIDENTS:
        return project.incidents.all()
    return project.items.filter(calibration_order__isnull=True, withdrawn_at__isnull=True)


def costs_of(project: Project, items: int | None) -> list[RoundCost]:
    """Return the people and judgments that each round needs for so many items or incidents; all 0 if unknown."""
    incidents = project.protocol.material == Material.INCIDENTS
    return round_costs(project.protocol, Amount(incidents=items or 0) if incidents else Amount(items=items or 0))


def plan_of(project: Project, answers: Answers) -> dict[str, Any]:
    """Return a plan without its number and time."""
    options = options_of(project)
    return {
        "format": FORMAT,
        "form": SCHEMA_VERSION,
        "project": project.key,
        "title": project.title,
        "authors": author_names(project.authors),
        "language": project.language,
        "answers": {name: answers.texts.get(name, "").strip() for name in TEXTS},
        "protocol": project.protocol_json,
        "texts": texts_of(project),
        "limits": {name: getattr(options, name) for name in LIMITS},
        "planned": _planned(project, answers),
        "analyses": list(answers.analyses),
        "parameters": Parameters().of_results,
        "seed": project.seed,
        "software": settings.CODE_VERSION,
    }


def texts_of(project: Project) -> dict[str, str]:
    """Return the SHA-256 of the texts that annotators read, which a plan names instead of repeating them."""
    questions = list(project.questions.order_by("position", "pk").values("kind", "text", "help", "choices"))
    practice = list(project.practice_tasks.order_by("part", "position", "pk").values(*PRACTICE))
    return {
        "guidelines": digest(project.guidelines),
        "consent": digest(project.consent),
        "participant questions": digest(canonical({"questions": questions})),
        "practice and qualification check": digest(canonical({"tasks": practice})),
    }


def _planned(project: Project, answers: Answers) -> dict[str, Any]:
    rounds = {cost.round.key: _of_round(project, cost, answers) for cost in costs_of(project, answers.items)}
    return {"items": answers.items, "rounds": rounds}


def _of_round(project: Project, cost: RoundCost, answers: Answers) -> dict[str, int | None]:
    """Return the people, and the fewest and most judgments, of a round; None where they are not known.

    A round in waves ends between its first wave and its budget.
    """
    design, judgments = cost.round.design, _judgments_of(project, cost)
    if judgments is None:
        return {"people": answers.people.get(cost.round.key), "fewest": None, "most": None}
    fewest = most = judgments
    if design.in_waves:
        each = judgments / design.answers_each
        fewest, most = round(each * design.first_answers), ceil(each * design.budget_each)
    return {"people": answers.people.get(cost.round.key), "fewest": fewest, "most": most}


def _judgments_of(project: Project, cost: RoundCost) -> int | None:
    """Return how many judgments a round needs; None if that depends on texts that are not known yet.

    The number of sentences of an incident, and of utterances of a dialogue, is only estimated by `round_costs`.
    """
    design = cost.round.design
    if design.compares and (tuples := project.tuples.filter(round=cost.round.key).count()):
        return tuples * design.answers_each
    if design.judged_once or not cost.judgments or getattr(design, "grouped", False):
        return None
    return cost.judgments
