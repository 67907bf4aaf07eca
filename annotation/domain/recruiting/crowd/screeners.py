"""Screeners of a study at Prolific: which participants it is shown to. Prolific calls them filters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd.prolific import Refused, Unclear, read_filters
from annotation.domain.recruiting.crowd.prolific_studies import change_draft
from annotation.domain.recruiting.crowd.wallets import token_of
from annotation.models import Project, ProlificStudy, User

KEPT = 24 * 3600  # seconds


def screeners_of(project: Project) -> dict[str, dict[str, Any]]:
    """Return every screener that Prolific offers, by its ID, ordered by title.

    Raises:
        Refusal: there is no token, or Prolific does not answer.
    """
    token, key = token_of(project), f"prolific-filters-{project.pk}"
    found = cache.get(key)
    if found is None:
        try:
            found = read_filters(token)
        except (Refused, Unclear) as error:
            raise Refusal(str(error)) from error
        cache.set(key, found, KEPT)
    usable = [one for one in found if one.get("type") == "range" or one.get("choices")]
    return {one["filter_id"]: one for one in sorted(usable, key=lambda one: one["title"])}


def add_screener(
    *,
    draft: ProlificStudy,
    filter_id: str,
    values: Sequence[str] = (),
    lower: float | None = None,
    upper: float | None = None,
    actor: User,
    now: datetime,
) -> None:
    """Show the study only to participants with one of the values, or within the range; it replaces an earlier choice.

    Raises:
        Refusal: Prolific offers no such screener or value, or refused the change.
    """
    offered = screeners_of(draft.study.project).get(filter_id)
    if offered is None:
        raise Refusal(_("Prolific offers no such screener."))
    chosen = {"filter_id": filter_id, "title": offered["title"]}
    chosen |= _range(lower, upper) if offered["type"] == "range" else _values(offered["choices"], values)
    draft.filters = [one for one in draft.filters if one["filter_id"] != filter_id] + [chosen]
    change_draft(draft=draft, actor=actor, now=now)


def remove_screener(*, draft: ProlificStudy, filter_id: str, actor: User, now: datetime) -> None:
    """Remove a screener from a draft; a second time changes nothing."""
    draft.filters = [one for one in draft.filters if one["filter_id"] != filter_id]
    change_draft(draft=draft, actor=actor, now=now)


def _range(lower: float | None, upper: float | None) -> dict[str, Any]:
    if lower is None and upper is None:
        raise Refusal(_("Enter a minimum, a maximum or both."))
    if lower is not None and upper is not None and lower > upper:
        raise Refusal(_("The minimum is larger than the maximum."))
    limits = {"lower": lower, "upper": upper}
    return {"selected_range": {name: limit for name, limit in limits.items() if limit is not None}}


def _values(choices: dict[str, str], values: Sequence[str]) -> dict[str, Any]:
    if not values or not set(values) <= set(choices):
        raise Refusal(_("Choose at least one of the values that Prolific offers."))
    return {"selected_values": list(values), "names": [str(choices[value]) for value in values]}
