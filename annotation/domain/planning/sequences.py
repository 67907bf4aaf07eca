"""Plans of disjoint sequences for the validators of each annotator (Czech News 4.2)."""

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.plan import Outcome, Plan
from annotation.domain.planning.selections import first_selections, nobody_ready
from annotation.planning.stacks import disjoint_sequences, overlapping_roles
from annotation.protocols.designs.news import SequenceDesign
from annotation.protocols.terms import BlockKind


def plan_sequences(plan: Plan, design: SequenceDesign) -> Outcome:
    validated = set(plan.places().values_list("validates", flat=True))
    ready = [chosen for chosen in first_selections(plan, design) if chosen.participation.pk not in validated]
    if not ready and not validated:
        raise Refusal(nobody_ready(design))
    wanted = len(ready)
    if plan.people is not None:
        wanted = plan.whole_groups(plan.people - plan.planned_before, design.validators)
    if wanted > len(ready):
        raise Refusal(
            _(
                "%(people)s people can validate %(validators)s annotators, but round %(source)s has "
                "only %(ready)s ready. %(condition)s"
            )
            % {
                "people": plan.people,
                "validators": plan.people // design.validators,
                "ready": len(ready),
                "source": design.source,
                "condition": nobody_ready(design),
            }
        )
    for selections in ready[:wanted]:
        tuples, roles = selections.items.shape
        chosen = disjoint_sequences(tuples=tuples, validators=design.validators, roles=roles, generator=plan.generator)
        drawn, second = overlapping_roles(chosen, overlap=design.overlap, roles=roles, generator=plan.generator)
        for sequence, more in zip(chosen, second, strict=True):
            items = [*selections.items[np.arange(tuples), sequence].tolist(), *selections.items[drawn, more].tolist()]
            plan.add([(BlockKind.MAIN, items)], validates=selections.participation)
    overlapping = {"selections with an overlap": design.overlap} if design.overlap else {}
    return {"annotators validated": wanted, "pairs a person": design.tuples + design.overlap} | overlapping
