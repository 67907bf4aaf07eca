"""Selections that were collected elsewhere, as a release writes them: a row for each role, with the key of the pair."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from annotation.domain.errors import translated
from annotation.domain.judgment.selected_pairs import Pick, pair_items
from annotation.domain.material.answers import (
    Circumstances,
    Collected,
    Rounds,
    as_known,
    is_left_out,
    read_circumstances,
)
from annotation.domain.material.finished import BATCH, store_judgments
from annotation.domain.material.policy import JudgmentImport
from annotation.domain.material.rows import Problem, Problems, Row, read_rows
from annotation.domain.material.values import LONGEST_KEY, text_of
from annotation.models import Assignment, DocumentKind, Incident, Judgment, Project, SelectedPair, Sentence
from annotation.protocols.errors import OffScale
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Round
from annotation.protocols.terms import BlockKind, JudgmentKind

PAIR = re.compile(r"(.+):([0-9]+):([0-9]+)\.([0-9]+)", re.DOTALL)
"""An incident, a place in its summary, a report and a place in it, as `pairing` names a pair."""
NO_PAIR = (
    "No incident of the project has the sentences of these pairs: %(names)s (%(number)s in all; "
    "lines affected: %(rows)s). Write the key of a selected pair like fire:1:2.5."
)
"""The problem of several rows; a file of another project has it in all."""
Judged = tuple[str, str, int]
"""Who selected, in which round, for which sentence."""


def selecting_rounds(project: Project) -> dict[str, Round]:
    return {round_.key: round_ for round_ in project.protocol.rounds_of(JudgmentKind.SELECTION)}


def is_selection(row: Row, rounds: Mapping[str, Round], default_round: str | None) -> bool:
    """Return whether a row is one of the pairs of a selection."""
    return bool(row.get("role")) and (str(row.get("round") or "").strip() or default_round) in rounds


@dataclass
class Selection:
    """The pairs of one screen; line is that of the first."""

    line: int
    round: Round
    circumstances: Circumstances
    picks: dict[str, Pick] = field(default_factory=dict)


def import_selections(path: Path, under_way: JudgmentImport) -> list[Collected]:
    """Store the selections of a file, and with them the pairs that later rounds rate. Return the selections.

    The incidents have to be there. What cannot be read is left to whoever reads the ratings of the file.
    """
    project, problems = under_way.project, under_way.problems
    rounds = selecting_rounds(project)
    if not rounds:
        return []
    reader = _Reader(under_way, rounds)
    for line, row in read_rows(path, required=(), problems=Problems()):
        if is_selection(row, rounds, under_way.default_round) and not is_left_out(row, under_way.counts):
            reader.read(line, row)
        if problems.full:
            break
    reader.require_whole()
    if problems.found:
        return []
    judgments = [_collected(judged, selection) for judged, selection in reader.selections.items()]
    store_judgments(project, judgments)
    _store_pairs(project, reader.selections)
    return judgments


class _Reader:
    """Puts the rows of each screen together."""

    def __init__(self, under_way: JudgmentImport, rounds: Mapping[str, Round]) -> None:
        project, self.now, self.problems = under_way.project, under_way.now, under_way.problems
        self.scale: Scale | None = project.protocol.scale
        self.rounds = Rounds(project, "selections", rounds.values(), under_way.default_round)
        self.sentences = dict(_sentences(project))
        owners = Incident.objects.filter(project=project, participation__isnull=False)
        self.owners = dict(owners.values_list("key", "participation__annotator__external_id"))
        screens = Assignment.objects.filter(participation__project=project, sentence__isnull=False)
        person = "participation__annotator__external_id"
        self.stored = set(screens.values_list(person, "participation__round", "sentence"))
        self.selections: dict[Judged, Selection] = {}

    def read(self, line: int, row: Row) -> None:
        before = self.problems.number
        annotator = text_of(row, "annotator", line, self.problems, longest=LONGEST_KEY)
        round_ = self.rounds.read(row, line, self.problems)
        circumstances = read_circumstances(row, line, round_, self.now, self.problems)
        value = self._value(row, line)
        summary, report = self._pair(row, line, annotator, owns=circumstances.counted)
        role = self._role(row, line, round_)
        if self.problems.number > before or round_ is None:
            return
        judged = annotator, round_.key, summary
        selection = self.selections.setdefault(judged, Selection(line, round_, circumstances))
        if role in selection.picks or judged in self.stored:
            self.problems.add(
                line, "role", f"{annotator} has already selected a sentence as {role} for this summary sentence."
            )
        elif report in [pick.sentence_id for pick in selection.picks.values()]:
            self.problems.add(line, "item", f"{annotator} has already selected this sentence in another role.")
        selection.picks[role] = Pick(report, value)

    def _value(self, row: Row, line: int) -> str:
        text = str("" if row.get("value") is None else row["value"]).strip()
        try:
            return str(self.scale.read(text)) if self.scale else ""
        except OffScale as error:
            self.problems.add(line, "value", translated(error))
            return ""

    def _pair(self, row: Row, line: int, annotator: str, *, owns: bool) -> tuple[int, int]:
        """Return the two sentences that a pair's key names, of an incident that nobody else who counts has."""
        key = text_of(row, "item", line, self.problems)
        incident, pair = self._found(key)
        if key and pair is None:
            reason = f"No incident of the project has the sentences of “{key}”."
            problem = Problem(line, "item", f"{reason} Write the key of a selected pair like fire:1:2.5.")
            self.problems.add_alike(problem, f"“{key}”", NO_PAIR)
        elif pair and owns and (owner := self.owners.setdefault(incident, annotator)) != annotator:
            self.problems.add(
                line, "item", f"The incident “{incident}” already belongs to {owner or 'another account'}."
            )
        return pair or (0, 0)

    def _found(self, key: str) -> tuple[str, tuple[int, int] | None]:
        """Return the incident of a pair's key and the two sentences, as far as they are there."""
        named = PAIR.fullmatch(key)
        if named is None:
            return "", None
        incident = as_known(named[1], self.sentences)
        places = self.sentences.get(incident, {})
        summary, report = places.get((0, int(named[2]))), places.get((int(named[3]), int(named[4])))
        return incident, None if summary is None or report is None else (summary, report)

    def _role(self, row: Row, line: int, round_: Round | None) -> str:
        role = text_of(row, "role", line, self.problems)
        if round_ and role not in (roles := _roles(round_)):
            self.problems.add(
                line, "role", f"“{role}” is not a role of round {round_.key}. Use one of: {', '.join(roles)}."
            )
        return role

    def require_whole(self) -> None:
        """Add a problem for every selection without a pair for each role."""
        for (annotator, *_), selection in self.selections.items():
            if missing := [role for role in _roles(selection.round) if role not in selection.picks]:
                reason = f"{annotator} has not selected a sentence as {', '.join(missing)}. Add the missing rows."
                self.problems.add(selection.line, "role", reason)


def _sentences(project: Project) -> Iterator[tuple[str, dict[tuple[int, int], int]]]:
    """Yield the sentences of each incident, by document (0 is the summary) and place, from 1."""
    known: dict[str, dict[tuple[int, int], int]] = {}
    rows = Sentence.objects.filter(document__incident__project=project).values_list(
        "document__incident__key", "document__kind", "document__position", "position", "pk"
    )
    for incident, kind, document, position, pk in rows.iterator():
        place = 0 if kind == DocumentKind.SUMMARY else document
        known.setdefault(incident, {})[place, position + 1] = pk
    yield from known.items()


def _roles(round_: Round) -> list[str]:
    return [role.key for role in round_.design.roles]


def _collected(judged: Judged, selection: Selection) -> Collected:
    annotator, round_, sentence = judged
    shown = {"sentence_id": sentence, "block": BlockKind.MAIN, "context": selection.round.sessions[0]}
    return Collected(judged, annotator, round_, 1, selection.circumstances, shown, answered={})


def _store_pairs(project: Project, selections: Mapping[Judged, Selection]) -> None:
    """Store the pairs of the selections just stored, and give each incident to who selected in it."""
    pairs = []
    for judgment in _judgments(project):
        place, assignment = judgment.assignment.participation, judgment.assignment
        selection = selections.get((place.annotator.external_id, place.round, assignment.sentence_id))
        if selection is None:
            continue
        items = pair_items(place, assignment, selection.round.design, selection.picks)
        pairs += [
            SelectedPair(judgment=judgment, role=role, item=items[role], value=float(pick.value))
            for role, pick in selection.picks.items()
        ]
        if selection.circumstances.counted:
            Incident.objects.filter(pk=assignment.sentence.document.incident_id).update(participation=place)
    SelectedPair.objects.bulk_create(pairs, batch_size=BATCH)


def _judgments(project: Project) -> Iterator[Judgment]:
    rows = Judgment.objects.filter(assignment__participation__project=project, assignment__sentence__isnull=False)
    place, incident = "assignment__participation", "assignment__sentence__document__incident"
    with_texts = rows.select_related(f"{place}__project", f"{place}__annotator", incident)
    return with_texts.order_by("pk").iterator(chunk_size=BATCH)
