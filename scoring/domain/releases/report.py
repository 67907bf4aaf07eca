"""What the report of a run needs beyond the results: the participants and the languages."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import get_language_info

from annotation.models import Assignment, Participation
from annotation.models import State as Working
from scoring.domain.releases.collecting import changes_of, collected_of, imported_people
from scoring.domain.releases.demographics import agreement_by_answer, demographics_of
from scoring.domain.releases.making import reasons_of
from scoring.domain.runs.snapshots import opened, snapshot_of
from scoring.exports.collected import COLUMNS as COLLECTED
from scoring.exports.report.collection import Collection, People
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import PARTS, TOGETHER
from scoring.models import Run, State
from scoring.presets.registry import publication_of
from scoring.summaries.storing import read_columns

COLUMNS = (
    *("participations.states", "raters.pseudonyms", "sources.entries", "items.language", "groups.keys"),
    *COLLECTED,
)
GOING_ON = (Working.ACTIVE, Working.RESTING)


def collection_of(run: Run) -> Collection:
    """Return what the methods section of a finished run is written from; no text and no score is read.

    Raises:
        ValueError: the run's snapshot was changed or written by an earlier version.
        OSError: it is missing.
    """
    with opened(run) as snapshot:
        view = SnapshotView(run.project, run.as_of, *read_columns(snapshot, COLUMNS))
    return Collection(
        protocol=run.project.protocol,
        paper=publication_of(run.project.protocol).paper,
        changes=changes_of(run.project.protocol),
        collected=collected_of(view),
        results=results_with_parts(run),
        people=_people(run, view),
        languages=_languages(view["items.language"]),
        groups=len(view["groups.keys"]),
        run=run.number,
        seed=run.seed,
        code_version=run.code_version,
        as_of=run.as_of,
        demographics=demographics_of(view),
    )


def results_with_parts(run: Run) -> dict[str, Any]:
    """Return the results of a run, with the reliability of each part of its last release that was split."""
    split = run.releases.filter(state=State.DONE, manifest__has_key="split_half").order_by("-number")
    last = split.values("number", "manifest__split_half").first()
    if last is None:
        return run.results
    found = last["manifest__split_half"]  # PostgreSQL does not keep the order of keys
    parts = {name: found[name] for name in (*PARTS, *TOGETHER) if name in found}
    return run.results | {"split_half_of_parts": {"release": last["number"], "parts": parts}}


def results_with_answers(run: Run, collection: Collection) -> dict[str, Any]:
    """Return the results of a collection with the agreement by people's answers, if there are groups of answers.

    Raises: as `collection_of`.
    """
    results = dict(collection.results)
    if not collection.demographics:
        return results
    with opened(run) as file:
        view = SnapshotView(run.project, run.as_of, *read_columns(file, COLUMNS))
    by_answer = agreement_by_answer(view, snapshot_of(run))
    return results | {"subgroups": results.get("subgroups", {}) | by_answer}


def _people(run: Run, view: SnapshotView) -> dict[str, People]:
    """Return people by round: of rounds that rate or choose as the run read them, of selecting ones as of now."""
    reasons = reasons_of(view)
    rounds = [view.facts.rounds[place] for place in view["participations.rounds"].tolist()]
    unknown = view.unknown[view["participations.raters"]].tolist()
    states = Counter(
        (key, state)
        for key, state, stands_in in zip(rounds, view["participations.states"], unknown, strict=True)
        if not stands_in
    )
    unsigned = {key for key, stands_in in zip(rounds, unknown, strict=True) if stands_in}
    too_late = _too_late(run)
    elsewhere = imported_people(run.project)
    names = [view["raters.pseudonyms"][rater] for rater in view["participations.raters"].tolist()]
    imported = Counter(
        (key, state)
        for key, state, name in zip(rounds, view["participations.states"], names, strict=True)
        if name in elsewhere[key]
    )
    found = {}
    for round_ in run.project.protocol.rounds:
        numbers = Counter({state: states[round_.key, state] for state in Working.values})
        if round_.key not in view.facts.rounds:
            numbers = _now(run.project.participations.filter(round=round_.key, annotator__isnull=False))
        found[round_.key] = People(
            finished=numbers[Working.FINISHED] - too_late[round_.key] - imported[round_.key, Working.FINISHED],
            too_late=too_late[round_.key],
            going_on=sum(numbers[state] for state in GOING_ON),
            left=numbers[Working.LEFT],
            not_begun=numbers[Working.INVITED],
            excluded=reasons.get(round_.key, {}),
            imported=imported[round_.key, Working.FINISHED] + imported[round_.key, Working.EXCLUDED],
            imported_excluded=imported[round_.key, Working.EXCLUDED],
            unknown=round_.key in unsigned,
        )
    return found


def _too_late(run: Run) -> Counter[str]:
    """Return by round how many had finished without an answer."""
    finished = run.project.participations.filter(state=Working.FINISHED, finished_at__lte=run.as_of)
    answered = Assignment.objects.filter(participation=OuterRef("pk"), answered_at__isnull=False)
    return Counter(finished.exclude(Exists(answered)).values_list("round", flat=True))


def _now(people: QuerySet[Participation]) -> Counter[str]:
    return Counter(people.values_list("state", flat=True))


def _languages(tags: Iterable[str]) -> list[str]:
    """Return the English names of languages, the most frequent first; a tag without a name stands for itself."""
    return [_name(tag) for tag, _ in Counter(tag for tag in tags if tag).most_common()]


def _name(tag: str) -> str:
    try:
        return str(get_language_info(tag)["name"])
    except KeyError:
        return tag
