"""All answers of a project as a table, and one annotator's answers next to those of the others."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.api.judgment_rows import complete, raw
from annotation.keyset import KeysetPage, keyset_page
from annotation.models import Judgment, Membership, Participation, Project
from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import COUNTED, counted
from annotation.queries.judgments import COLUMNS, about_item, judgments_of
from scoring.models import PersonStatistics

PAGE = 50
SHOWN = (
    *("id", "round", "participation", "annotator", "context", "block", "session", "position", "item", "item_id"),
    *("tuple", "items", "best", "worst", "value", "hard_to_say", "selections", "counted", "not_counted_because"),
    *("invalid", "saved_at", "answered_ms"),
)
REASONS = {
    NotCounted.SUPERSEDED: _("replaced by a later answer"),
    NotCounted.EXCLUDED: _("the annotator is excluded"),
    NotCounted.REASSIGNED: _("the incident was reassigned"),
    NotCounted.WITHDRAWN: _("the item is withdrawn"),
    NotCounted.CALIBRATION: _("calibration"),
    NotCounted.INVALID: _("invalid choice"),
    NotCounted.PARTIAL: _("not rated in every session"),
}
"""Why an answer does not count, in words."""
COUNTS = "yes"


def answers_of(
    project: Project,
    *,
    round_key: str = "",
    person: str = "",
    item: str = "",
    counts: str = "",
    since: datetime | None = None,
    role: str = Membership.Role.RESEARCHER,
) -> QuerySet[Judgment]:
    """Return the answers, replaced ones too; unknown values of `counts` are ignored.

    Parameters: person, a pseudonym, for managers also a part of an address or of a platform ID; item, its ID; counts,
    `yes` or the reason why an answer does not count.
    """
    answers = judgments_of(project)
    if round_key:
        answers = answers.filter(assignment__participation__round=round_key)
    if person:
        answers = answers.filter(called(person, role, "assignment__participation__"))
    if item:
        answers = answers.filter(about_item(project, item))
    if since:
        answers = answers.filter(saved_at__gte=since)
    if counts == COUNTS:
        answers = answers.filter(COUNTED)
    elif counts in set(NotCounted):
        answers = answers.alias(because=COLUMNS["not_counted_because"]).filter(because=counts)
    return answers


def called(name: str, role: str, path: str = "") -> Q:
    """Return the filter by a pseudonym; for managers also by a part of an address or of a platform ID.

    Parameters: path, of the participation in the query.
    """
    annotator = f"{path}annotator__"
    named = Q(**{f"{annotator}pseudonym__iexact": name})
    if role == Membership.Role.RESEARCHER:
        return named
    by_id = Q(**{f"{annotator}external_id__icontains": name})
    return named | by_id | Q(**{f"{annotator}user__email__icontains": name})


def answer_page(answers: QuerySet[Judgment], cursor: str, *, newest: bool = True) -> tuple[list[Any], KeysetPage]:
    """Return the answers of a page, by default the newest first, in five queries."""
    page = keyset_page(answers, "pk", descending=newest, cursor=cursor, size=PAGE)
    rows = complete(list(raw(Judgment.objects.filter(pk__in=page.ids))), SHOWN)
    flagged = _open_flags({row["participation"] for row in rows})
    for row in rows:
        row["flags"] = flagged.get(row["participation"], 0)
        row["because"] = REASONS.get(row["not_counted_because"], "")
    return sorted(rows, key=lambda row: row["id"], reverse=newest), page


def _open_flags(participations: set[int]) -> dict[int, int]:
    found = PersonStatistics.objects.filter(participation__in=participations, open_flags__gt=0)
    return dict(found.values_list("participation", "open_flags"))


@dataclass(frozen=True)
class Others:
    """The counted answers of everybody else to the same item, in the same round and context.

    For ratings: number, mean, deviation, and `marks`, the places of the ratings from 0 to 100 with their numbers. For
    choices: how many of them chose the same best, and the same worst.
    """

    number: int
    mean: float | None = None
    deviation: float | None = None
    marks: Sequence[tuple[float, int]] = ()
    own: float | None = None
    same_best: int = 0
    same_worst: int = 0


def with_others(participation: Participation, rows: Sequence[dict[str, Any]]) -> None:
    """Add `others` to the answers of a person's page; two queries, however many rows."""
    ratings, choices = _other_ratings(participation, rows), _other_choices(participation, rows)
    for row in rows:
        if row["best"] is not None:
            chosen = choices.get(row["tuple"], [])
            same = [sum(pair[place] == row[name] for pair in chosen) for place, name in enumerate(("best", "worst"))]
            row["others"] = Others(len(chosen), same_best=same[0], same_worst=same[1])
        elif row["value"] is not None:
            row["others"] = _rated(participation, row["value"], ratings.get((row["item_id"], row["context"]), []))


def _other_ratings(participation: Participation, rows: Sequence[dict[str, Any]]) -> dict[tuple[int, str], list[float]]:
    items = {row["item_id"] for row in rows if row["value"] is not None}
    found = counted(Judgment.objects.filter(assignment__item__in=items, value__isnull=False))
    found = found.filter(assignment__participation__round=participation.round, assignment__block=BlockKind.MAIN)
    found = found.exclude(assignment__participation=participation)
    values: dict[tuple[int, str], list[float]] = defaultdict(list)
    for item, context, value in found.values_list("assignment__item", "assignment__context", "value"):
        values[item, context].append(value)
    return values


def _other_choices(participation: Participation, rows: Sequence[dict[str, Any]]) -> dict[int, list[tuple[str, str]]]:
    tuples = {row["tuple"] for row in rows if row["best"] is not None}
    found = counted(judgments_of(participation.project)).exclude(assignment__participation=participation)
    found = found.filter(assignment__tuple__round=participation.round, assignment__tuple__position__in=tuples)
    chosen: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for position, best, worst in found.values_list("assignment__tuple__position", "best__key", "worst__key"):
        chosen[position].append((best, worst))
    return chosen


def _rated(participation: Participation, own: float, values: Sequence[float]) -> Others:
    scale = participation.project.protocol.scale
    least, length = float(scale.minimum), float(scale.maximum - scale.minimum)

    def place(value: float) -> float:
        return round(100 * (value - least) / length, 1)

    found, numbers = np.unique(np.array(values, dtype=np.float64), return_counts=True)
    marks = [(place(value), int(number)) for value, number in zip(found.tolist(), numbers.tolist(), strict=True)]
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Others(len(values), float(np.mean(values)) if values else None, deviation, marks, place(own))
