"""Decisions of managers about monitoring: limits and pay, and reviewed flags."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import Participation, Project, User
from scoring.models import MonitoringOptions, PersonStatistics
from scoring.models.audit_actions import ScoringAction


def options_of(project: Project) -> MonitoringOptions:
    """Return the options of the project, or the defaults, not stored."""
    return MonitoringOptions.objects.filter(project=project).first() or MonitoringOptions(project=project)


@transaction.atomic
def change_options(*, options: MonitoringOptions, actor: User, now: datetime) -> MonitoringOptions:
    """Store limits and pay; the log keeps the old and the new values."""
    stored = MonitoringOptions.objects.select_for_update().filter(project=options.project).first()
    before = _values(stored or MonitoringOptions(project=options.project))
    options.save()
    changed = {name: [before[name], value] for name, value in _values(options).items() if value != before[name]}
    if changed:
        write_down(ScoringAction.MONITORING_CHANGED, options.project, actor=actor, now=now, changed=changed)
    return options


def _values(options: MonitoringOptions) -> dict[str, Any]:
    values = model_to_dict(options, exclude=["id", "project"])
    return {name: value if isinstance(value, int | float | None) else str(value) for name, value in values.items()}


@transaction.atomic
def settle_flag(*, participation: Participation, kind: str, actor: User, now: datetime) -> None:
    """Mark a flag as reviewed: it stays on the person's page and is no longer counted. Raise Refusal if there is no
    such open flag."""
    statistics = PersonStatistics.objects.select_for_update().filter(participation=participation).first()
    if statistics is None or kind not in statistics.flags or kind in statistics.settled:
        raise Refusal(_("This flag is no longer raised. Nothing was changed."))
    statistics.settled = [*statistics.settled, kind]
    statistics.open_flags = len(set(statistics.flags) - set(statistics.settled))
    statistics.save(update_fields=["settled", "open_flags"])
    details = {"flag": kind, "evidence": statistics.flags[kind], "participation": participation}
    write_down(ScoringAction.FLAG_SETTLED, participation.project, actor=actor, now=now, **details)
