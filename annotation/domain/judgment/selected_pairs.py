"""The pairs of a selection: a summary sentence with each sentence chosen for it (Czech News 4.1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import Assignment, DocumentKind, Item, Participation, Sentence
from annotation.protocols.designs.news import SelectionDesign


@dataclass(frozen=True)
class Pick:
    """A sentence chosen for a role of a selection, with its rating as written."""

    sentence_id: int
    value: str


def pair_items(
    participation: Participation, assignment: Assignment, design: SelectionDesign, picks: Mapping[str, Pick]
) -> dict[str, Item]:
    """Return, by role, the items of S with each chosen sentence; a pair that exists already is reused."""
    chosen = {pick.sentence_id: role for role, pick in picks.items()}
    incident = Sentence.objects.filter(document__incident=assignment.sentence.document.incident_id)
    sentences = list(incident.select_related("document").order_by("document__position", "position"))
    found = [other for other in sentences if other.pk in chosen and other.document.kind == DocumentKind.REPORT]
    if len(found) < len(chosen):
        raise Refusal(_("A chosen sentence is not from the reports of this incident."))
    window = design.context_sentences
    wanted = [
        Item(
            project_id=participation.project_id,
            key=_key(assignment.sentence, sentence),
            position=0,
            sentence1=assignment.sentence.text,
            sentence2=sentence.text,
            context1=surroundings(assignment.sentence, sentences, window),
            context2=surroundings(sentence, sentences, window),
            language=assignment.sentence.document.incident.language or participation.project.language,
            summary_sentence_id=assignment.sentence_id,
            report_sentence_id=sentence.pk,
        )
        for sentence in found
    ]
    # Written as it was: an insert that updates, unlike one that ignores conflicts, gives the ids back.
    stored = Item.objects.bulk_create(
        wanted, update_conflicts=True, unique_fields=["project", "key"], update_fields=["sentence1"]
    )
    return {chosen[item.report_sentence_id]: item for item in stored}


def _key(summary: Sentence, report: Sentence) -> str:
    """Return incident, place in the summary, report and place in it, such as fire:1:2.5; the same in every database."""
    incident = summary.document.incident.key
    return f"{incident}:{summary.position + 1}:{report.document.position}.{report.position + 1}"


def surroundings(sentence: Sentence, sentences: Iterable[Sentence], window: int) -> str:
    """Return the sentence in <sent></sent> with up to `window` sentences of its document on either side."""
    around = [
        other
        for other in sentences
        if other.document_id == sentence.document_id and abs(other.position - sentence.position) <= window
    ]
    return " ".join(f"<sent>{other.text}</sent>" if other.pk == sentence.pk else other.text for other in around)
