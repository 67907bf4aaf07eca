"""Participant questions of a project, summarised for a report and a data card."""

from collections.abc import Sequence

from annotation.models import PersonalAnswer, Question, QuestionKind
from annotation.protocols.spec import JudgmentKind
from annotation.queries import counted, judgments_of
from scoring.exports.snapshot_view import SnapshotView
from scoring.summaries.demographics import Demographic, Group, group_answers


def demographics_of(view: SnapshotView) -> list[Demographic]:
    """Return the groups of people by answer, of each question whose answers may leave the project.

    The people are those with a judgment that counts, as the run read them; those with a selection, as of now. Answers
    are read as of now: one that was erased is in no later summary.
    """
    questions = list(view.project.questions.filter(published=True).order_by("position", "pk"))
    if not questions:
        return []
    people = sorted(_people(view))
    found = [Demographic(question.text, _groups(question, people)) for question in questions]
    return [demographic for demographic in found if demographic.groups]


def _groups(question: Question, people: Sequence[str]) -> tuple[Group, ...]:
    rows = PersonalAnswer.objects.filter(question=question).order_by()
    by_person = dict(rows.values_list("annotator__pseudonym", "text"))
    answers = [by_person.get(pseudonym, "") for pseudonym in people]
    return group_answers(answers, numbers=question.kind == QuestionKind.NUMBER)


def _people(view: SnapshotView) -> set[str]:
    """Return the pseudonyms of everybody with a judgment that counts, without those who stand for unknown people."""
    pseudonyms, unknown = view["raters.pseudonyms"], view.unknown
    raters = {
        *view["ratings.raters"][view["ratings.counted"]].tolist(),
        *view["choices.annotators"][view["choices.counted"]].tolist(),
    }
    found = {pseudonyms[rater] for rater in raters if not unknown[rater]}
    if view.project.protocol.rounds_of(JudgmentKind.SELECTION):
        selections = counted(judgments_of(view.project)).filter(assignment__sentence__isnull=False)
        found |= set(selections.order_by().values_list("assignment__participation__annotator__pseudonym", flat=True))
    return found
