"""Participant questions of a project, summarised for a report and a data card."""

from collections.abc import Iterator

from annotation.models import PersonalAnswer, Question, QuestionKind
from annotation.protocols.terms import JudgmentKind
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from scoring.exports.snapshot_view import SnapshotView
from scoring.summaries.demographics import Demographic, Group, group_answers, label_of
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.subgroups import agreement_of_groups
from scoring.summaries.undefined import Result


def demographics_of(view: SnapshotView) -> list[Demographic]:
    """Return the groups of people by answer, of each question whose answers may leave the project.

    The people are those with a judgment that counts, as the run read them; those with a selection, as of now. Answers
    are read as of now: one that was erased is in no later summary.
    """
    return [Demographic(question.text, groups) for question, groups, _ in _grouped(view)]


def agreement_by_answer(view: SnapshotView, snapshot: Snapshot) -> Result:
    """Return the agreement of the people of each group of `demographics_of`, by question: {text: figures}.

    It is for members of the project, who may read these answers, and for no release: together with the judgments of
    each pseudonym, a figure of a group would tell who is in it.
    """
    places = {pseudonym: place for place, pseudonym in enumerate(snapshot.raters.pseudonyms)}
    found: Result = {}
    for question, groups, answers in _grouped(view):
        members: dict[str, list[int]] = {group.label: [] for group in groups}
        for pseudonym, answer in answers.items():
            label = label_of(answer, groups, numbers=_has_numbers(question))
            members[label] += [places[pseudonym]] if pseudonym in places else []
        found[question.text] = agreement_of_groups(snapshot, members)
    return found


def _grouped(view: SnapshotView) -> Iterator[tuple[Question, tuple[Group, ...], dict[str, str]]]:
    """Yield questions whose answers may be published, with their groups and the answer of each person by pseudonym."""
    questions = list(view.project.questions.filter(published=True).order_by("position", "pk"))
    people = sorted(_people(view)) if questions else []
    for question in questions:
        rows = PersonalAnswer.objects.filter(question=question).order_by()
        by_person = dict(rows.values_list("annotator__pseudonym", "text"))
        answers = {pseudonym: by_person.get(pseudonym, "") for pseudonym in people}
        if groups := group_answers(list(answers.values()), numbers=_has_numbers(question)):
            yield question, groups, answers


def _has_numbers(question: Question) -> bool:
    return question.kind == QuestionKind.NUMBER


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
