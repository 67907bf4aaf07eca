"""What counts: the only definition of why a judgment does not, as conditions of queries."""

from collections.abc import Mapping
from functools import reduce
from itertools import chain
from operator import and_, or_
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.fields import Field, IntegerField

from annotation.models import Assignment, Judgment, SelectedPair, State
from annotation.models.tuples import TuplePlace
from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import BlockKind


def current(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    return judgments.filter(CURRENT)


def withdrawn_places(tuple_id: OuterRef) -> QuerySet[TuplePlace]:
    return TuplePlace.objects.filter(tuple=tuple_id, item__withdrawn_at__isnull=False)


def rated_in_part(path: str = "") -> Q:
    """Return the condition of a screen of the main block whose pair the person did not answer in every session, if the
    person left and their refill rates such pairs again in all sessions.

    Parameters: path, of the screen in the query, such as `assignment__`.
    """
    place = f"{path}participation"
    unanswered = Assignment.objects.filter(
        participation=OuterRef(place),
        item=OuterRef(f"{path}item"),
        block=BlockKind.MAIN,
        answered_at__isnull=True,
        lapsed_at__isnull=True,
    )
    return Q(**{f"{place}__passed_on": True, f"{path}block": BlockKind.MAIN}) & Q(Exists(unanswered))


Conditions = dict[NotCounted, tuple[Q | Exists, ...]]
"""The conditions of each reason, any of which is enough; single ones, so that a database can join by them."""


def reasons_of_screens(path: str = "") -> Conditions:
    """Return the reasons that a judgment's screen has.

    Parameters: path, of the assignment in the query, such as `assignment__`.
    """
    item, place, incident = (f"{path}{name}" for name in ("item", "participation", "sentence__document__incident"))
    return {
        NotCounted.EXCLUDED: (Q(**{f"{place}__state": State.EXCLUDED}),),
        NotCounted.REASSIGNED: (
            Q(**{f"{incident}__isnull": False, f"{incident}__participation__isnull": True}),
            Q(**{f"{incident}__participation__isnull": False}) & ~Q(**{f"{incident}__participation": F(place)}),
        ),
        NotCounted.WITHDRAWN: (
            Q(**{f"{item}__withdrawn_at__isnull": False}),
            Exists(withdrawn_places(OuterRef(f"{path}tuple"))),
        ),
        NotCounted.CALIBRATION: (
            Q(**{f"{path}block": BlockKind.CALIBRATION}),
            Q(**{f"{item}__calibration_order__isnull": False}),
        ),
        NotCounted.PARTIAL: (rated_in_part(path),),
    }


def _reasons(path: str = "") -> Conditions:
    """Return the conditions under which a judgment does not count. This is the only definition of what counts.

    Parameters: path, of the judgment in the query, such as `judgment__`.
    """
    found: Conditions = {
        **reasons_of_screens(f"{path}assignment__"),
        NotCounted.SUPERSEDED: (Q(**{f"{path}superseded_at__isnull": False}),),
        NotCounted.INVALID: (Q(**{f"{path}set_aside": True}),),
    }
    return {reason: found[reason] for reason in NotCounted}


def none_of(reasons: Conditions) -> Q:
    return reduce(and_, (~condition for condition in chain.from_iterable(reasons.values())), Q())


def first_of(reasons: Conditions) -> Case:
    """Return the first reason that applies as a text, empty for none."""
    return _choosing(reasons, {reason: str(reason) for reason in reasons}, "", CharField())


def _choosing(reasons: Conditions, values: Mapping[NotCounted, Any], none: Any, field: Field) -> Case:
    """Return the value of the first reason that applies."""
    cases = (When(reduce(or_, conditions, Q()), then=Value(values[reason])) for reason, conditions in reasons.items())
    return Case(*cases, default=Value(none), output_field=field)


REASONS = _reasons()
OF_PAIRS = _reasons("judgment__")
OF_PAIRS[NotCounted.WITHDRAWN] += (Q(item__withdrawn_at__isnull=False),)
CURRENT = none_of({NotCounted.SUPERSEDED: REASONS[NotCounted.SUPERSEDED]})
COUNTED = none_of(REASONS)
"""The judgments from which scores and statistics are computed."""
COUNTABLE = none_of({reason: conditions for reason, conditions in REASONS.items() if reason != NotCounted.EXCLUDED})
"""The judgments that count, or would if their people were not excluded: of these a person is measured."""
PAIR_NOT_COUNTED_BECAUSE = first_of(OF_PAIRS)
"""Why a selected pair does not count: a reason of its selection, or its own item is withdrawn."""


def counted(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """Return the judgments from which statistics are computed."""
    return judgments.filter(COUNTED)


def countable(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """Return the judgments that count, or would if their people were not excluded."""
    return judgments.filter(COUNTABLE)


def reason_code(codes: Mapping[NotCounted, int], none: int) -> Case:
    """Return why a judgment does not count as an integer, the code of the first reason that applies."""
    return _choosing(REASONS, codes, none, IntegerField())


def counted_pairs(pairs: QuerySet[SelectedPair]) -> QuerySet[SelectedPair]:
    """Return the pairs of counted selections, in the order of each person's screens.

    An incident that was reassigned counts only for its new owner.
    """
    return pairs.filter(none_of(OF_PAIRS)).order_by(
        "judgment__assignment__participation__seat",
        "judgment__assignment__session",
        "judgment__assignment__position",
        "role",
    )
