"""What managers decide about watching: limits and pay, and flags that they looked at."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import Participation, User
from scoring.models import PersonPulse, WatchOptions


@transaction.atomic
def change_options(*, options: WatchOptions, actor: User, now: datetime) -> WatchOptions:
    """Stores limits and pay; the log keeps what they were and what they are."""
    stored = WatchOptions.objects.select_for_update().filter(project=options.project).first()
    before = _values(stored or WatchOptions(project=options.project))
    options.save()
    changed = {name: [before[name], value] for name, value in _values(options).items() if value != before[name]}
    if changed:
        write_down("watching changed", options.project, actor=actor, now=now, changed=changed)
    return options


def _values(options: WatchOptions) -> dict[str, Any]:
    values = model_to_dict(options, exclude=["id", "project"])
    return {name: value if isinstance(value, int | float | None) else str(value) for name, value in values.items()}


@transaction.atomic
def settle_flag(*, participation: Participation, kind: str, actor: User, now: datetime) -> None:
    """A manager has looked and found the answers in order: the flag stays on the person's page and bothers no more.

    Raises:
        Refusal: no such flag is up.
    """
    pulse = PersonPulse.objects.select_for_update().filter(participation=participation).first()
    if pulse is None or kind not in pulse.flags or kind in pulse.settled:
        raise Refusal(_("This flag is not up any more. Nothing was changed."))
    pulse.settled = [*pulse.settled, kind]
    pulse.open_flags = len(set(pulse.flags) - set(pulse.settled))
    pulse.save(update_fields=["settled", "open_flags"])
    details = {"flag": kind, "evidence": pulse.flags[kind]}
    write_down("flag settled", participation.project, participation=participation, actor=actor, now=now, **details)
