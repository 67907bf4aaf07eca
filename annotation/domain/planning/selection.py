"""Plans of a selection: whole incidents for each person, a screen for each summary sentence (Czech News 4.1)."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.plan import Outcome, Plan
from annotation.models import DocumentKind, Sentence
from annotation.planning.sharing import deal_incidents
from annotation.protocols.designs.news import SelectionDesign
from annotation.protocols.terms import BlockKind


def plan_selection(plan: Plan, design: SelectionDesign) -> Outcome:
    free = np.array(plan.project.incidents.filter(participation=None).values_list("pk", flat=True), dtype=np.int64)
    if not len(free) and not plan.planned_before:
        raise Refusal(_("There are no incidents yet. Import incidents first."))
    wanted = len(free) // design.incidents if plan.people is None else plan.people - plan.planned_before
    shares = deal_incidents(free, people=max(wanted, 0), per_person=design.incidents, generator=plan.generator)
    sentences = _summary_sentences(shares.ravel().tolist())
    for share in shares.tolist():
        place = plan.add([(BlockKind.MAIN, [sentence for incident in share for sentence in sentences[incident]])])
        plan.incidents.append((place, share))
    return {"incidents given": int(shares.size), "incidents left": len(free) - int(shares.size)}


def _summary_sentences(incidents: Sequence[int]) -> dict[int, list[int]]:
    grouped: dict[int, list[int]] = defaultdict(list)
    rows = Sentence.objects.filter(document__incident__in=incidents, document__kind=DocumentKind.SUMMARY)
    for incident, sentence in rows.order_by("document__position", "position").values_list("document__incident", "pk"):
        grouped[incident].append(sentence)
    return grouped
