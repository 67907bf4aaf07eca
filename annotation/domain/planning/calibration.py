"""The calibration block of a stack design: chosen by the manager, or drawn by random seed (Czech News 4.2.2, R3_C)."""

from collections.abc import Collection, Sequence

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.plan import Plan
from annotation.models import Annotator, Item, SelectedPair
from annotation.planning.people import draw_calibration
from annotation.protocols.designs.news import StackDesign
from annotation.queries.counting import counted_pairs


def calibration_items(
    plan: Plan, design: StackDesign, main: set[int], people: Sequence[Annotator]
) -> tuple[list[int], bool]:
    """Return the items of the calibration block, and whether they were drawn because nobody had chosen any."""
    expected = [float(value) for value in design.calibration]
    chosen = chosen_calibration(plan)
    if not chosen:
        drawn = _drawn_calibration(plan, expected, main, people)
        mark_calibration(drawn)
        return drawn, True
    _guard_calibration(chosen, expected, main, people)
    return [item.pk for item in chosen], False


def chosen_calibration(plan: Plan) -> list[Item]:
    """Return the calibration pairs in order: those requested with the plan, marked as such, or those marked before.

    Raises:
        Refusal: a requested pair does not exist, or is requested twice.
    """
    if not plan.calibration:
        return list(plan.project.items.filter(calibration_order__isnull=False).order_by("calibration_order"))
    found = {item.key: item for item in plan.project.items.filter(key__in=plan.calibration)}
    missing = [key for key in plan.calibration if key not in found]
    if missing:
        raise Refusal(
            _("These calibration pairs do not exist: %(missing)s. Check the keys.") % {"missing": ", ".join(missing)}
        )
    if len(found) < len(plan.calibration):
        raise Refusal(_("A calibration pair is listed twice. List each pair only once."))
    plan.project.items.filter(calibration_order__isnull=False).update(calibration_order=None)
    mark_calibration([found[key].pk for key in plan.calibration])
    return [found[key] for key in plan.calibration]


def _guard_calibration(
    chosen: Sequence[Item], expected: Sequence[float], main: set[int], people: Sequence[Annotator]
) -> None:
    require_places(chosen, expected, main)
    selected = SelectedPair.objects.filter(item__in=chosen, judgment__assignment__participation__annotator__in=people)
    if keys := sorted(set(selected.values_list("item__key", flat=True))):
        raise Refusal(
            _("Annotators of this round selected these calibration pairs themselves: %(keys)s. Choose other pairs.")
            % {"keys": ", ".join(keys)}
        )
    values = dict(counted_pairs(SelectedPair.objects.filter(item__in=chosen)).order_by().values_list("item", "value"))
    for item, value in zip(chosen, expected, strict=True):
        if values.get(item.pk, value) != value:
            raise Refusal(
                _(
                    "The pair %(key)s was rated %(given)s, but its position in the calibration block requires "
                    "exactly %(wanted)s. Choose another pair."
                )
                % {"key": item.key, "given": f"{values[item.pk]:g}", "wanted": f"{value:g}"}
            )


def require_places(chosen: Sequence[Item], expected: Sequence[float], main: Collection[int]) -> None:
    """Raise Refusal if there are more or fewer calibration pairs than places, or the main block has one of them."""
    if len(chosen) != len(expected):
        raise Refusal(
            _("The calibration block needs %(expected)s pairs, but %(chosen)s were chosen.")
            % {"expected": len(expected), "chosen": len(chosen)}
        )
    if shown := [item.key for item in chosen if item.pk in main]:
        raise Refusal(
            _("These calibration pairs are also in the main block: %(shown)s. Choose other pairs.")
            % {"shown": ", ".join(shown)}
        )


def mark_calibration(items: Sequence[int]) -> None:
    """Mark items as the calibration pairs, in this order."""
    for order, item in enumerate(items, start=1):
        Item.objects.filter(pk=item).update(calibration_order=order)


def _drawn_calibration(plan: Plan, expected: Sequence[float], main: set[int], people: Sequence[Annotator]) -> list[int]:
    """Draw pairs that are in no other block and that none of the people selected themselves."""
    pairs = counted_pairs(SelectedPair.objects.filter(item__project=plan.project, item__assignments__isnull=True))
    pairs = pairs.exclude(judgment__assignment__participation__annotator__in=people)
    rows = [(item, value) for item, value in pairs.values_list("item", "value") if item not in main]
    values = np.array([value for _, value in rows], dtype=np.float64)
    return [rows[index][0] for index in draw_calibration(values, expected, plan.generator)]


def keys_of(items: Sequence[int]) -> list[str]:
    """Return the keys of items, in the order of the ids."""
    keys = dict(Item.objects.filter(pk__in=items).values_list("pk", "key"))
    return [keys[item] for item in items]
