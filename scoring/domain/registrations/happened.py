"""What happened in a project since its plan was registered, read for the comparison with it."""

from collections import Counter
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, QuerySet

from annotation.models import Decision, Judgment, Project, State, Wave
from annotation.models.audit_actions import Action
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import current
from annotation.queries.judgments import judgments_of
from annotation.queries.projects import done_plans
from scoring.domain.monitoring.options import options_of
from scoring.domain.registrations.plans import material_of, texts_of
from scoring.domain.registrations.registering import is_intact
from scoring.models import Registration
from scoring.queries import BY_RULE
from scoring.stats.limits import LIMITS
from scoring.summaries.registered.canonical import canonical
from scoring.summaries.tables import Registered

INTERVENTIONS = {
    Action.ITEM_CHANGED: "items changed",
    Action.ITEM_REPLACED: "items replaced",
    Action.ITEMS_REINSTATED: "withdrawn items reinstated",
    Action.ITEMS_REOPENED: "requests of more judgments",
    Action.LABEL_CHANGED: "known labels changed",
    Action.PAUSE_SHORTENED: "pauses shortened",
    Action.REASSIGNED: "remaining work reassigned",
    Action.REINSTATED: "annotators reinstated",
    Action.JUDGMENTS_IMPORTED: "imports of judgments",
}
"""What managers do to a collection beyond its plan, by the action that the audit log has of it."""


def registered_of(project: Project, seed: int | None = None) -> Registered:
    """Return the plan that a run is compared with, and what happened; nothing without a registered plan.

    Parameters: seed, of the run.
    """
    reference = reference_of(project)
    if reference is None:
        return Registered()
    return Registered((reference.plan,), (canonical(_happened(reference, seed)),))


def reference_of(project: Project) -> Registration | None:
    """Return the last plan that was registered before the first judgment, or else the first plan.

    A plan that is registered later cannot hide a deviation.
    """
    registered = project.registrations.select_related("project").order_by("number")
    if not registered.exists():
        return None
    first = judgments_of(project).aggregate(first=Min("saved_at"))["first"]
    before = registered if first is None else registered.filter(registered_at__lte=first)
    return before.last() or registered.first()


def _happened(reference: Registration, seed: int | None) -> dict[str, Any]:
    project, since = reference.project, reference.registered_at
    judgments = judgments_of(project)
    options = options_of(project)
    later = project.registrations.filter(number__gt=reference.number).order_by("number")
    return {
        "before": {"judgments before the registration": judgments.filter(saved_at__lt=since).count()},
        "later": [{"number": own.number, "registered_at": own.document["registered_at"]} for own in later],
        "protocol": project.protocol_json,
        "texts": texts_of(project),
        "limits": {name: getattr(options, name) for name in LIMITS},
        "items": material_of(project).count(),
        "rounds": {round_.key: _of_round(project, round_.key) for round_ in project.protocol.rounds},
        "exclusions": _exclusions(project),
        "withdrawn": {"withdrawn items": project.items.filter(withdrawn_at__isnull=False).count()},
        "waves": _waves(project),
        "interventions": _interventions(project, since) | {"altered plans": int(not is_intact(reference))},
        "seeds": _seeds(project, seed),
        "software": settings.CODE_VERSION,
    }


def _of_round(project: Project, key: str) -> dict[str, int]:
    """Return the people of a round with a judgment, and their judgments, without those who are excluded."""
    numbers = _kept(project, key).aggregate(
        people=Count("assignment__participation", distinct=True), judgments=Count("pk")
    )
    return dict(numbers)


def _kept(project: Project, key: str) -> QuerySet[Judgment]:
    """Return the current judgments of a round; calibration pairs belong to the plan of designs that draw them."""
    found = current(judgments_of(project)).filter(assignment__participation__round=key)
    found = found.exclude(assignment__participation__state=State.EXCLUDED)
    if project.round(key).design.calibration_values:
        return found
    return found.exclude(assignment__block=BlockKind.CALIBRATION)


def _exclusions(project: Project) -> dict[str, int]:
    """Return how many people are excluded otherwise than by the registered rule, by round and kind."""
    logged = project.audit_entries.filter(action=Action.EXCLUDED, participation__isnull=False).order_by("pk")
    reasons = dict(logged.values_list("participation", "reason"))
    excluded = project.participations.filter(state=State.EXCLUDED).order_by("round", "pk")
    found: Counter[str] = Counter()
    for place, key in excluded.values_list("pk", "round"):
        if BY_RULE not in reasons.get(place, ""):
            found[f"{key}: {'by the managers' if place in reasons else 'by the imported file'}"] += 1
    return dict(found)


def _waves(project: Project) -> dict[str, str]:
    """Return the waves after which a manager stopped or continued a round."""
    found = {}
    for wave in Wave.objects.filter(project=project).order_by("round", "number"):
        if wave.decision == Decision.MANAGER:
            found[f"{wave.round}, wave {wave.number}"] = "stopped by a manager"
        elif wave.further:
            found[f"{wave.round}, wave {wave.number}"] = "continued by a manager"
    return found


def _interventions(project: Project, since: datetime) -> dict[str, int]:
    entries = project.audit_entries.filter(action__in=INTERVENTIONS, at__gte=since).order_by()
    numbers = dict(entries.values_list("action").annotate(number=Count("pk")))
    return {title: numbers.get(action, 0) for action, title in INTERVENTIONS.items()}


def _seeds(project: Project, seed: int | None) -> dict[str, int]:
    plans = done_plans(project).order_by("pk").values_list("round", "seed")
    found = {"project": project.seed} | {f"plan of {key}": own for key, own in plans}
    return found if seed is None else found | {"scoring run": seed}
