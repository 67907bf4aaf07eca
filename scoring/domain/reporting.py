"""What the report of a run tells that its results do not hold: who took part, and in which languages."""

from collections import Counter
from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import get_language_info

from annotation.models import Participation
from annotation.models import State as Working
from scoring.domain.releasing.making import reasons_of
from scoring.domain.running.snapshots import opened
from scoring.exports.frozen import Frozen
from scoring.exports.report.collection import Collection, People
from scoring.models import Run
from scoring.summaries.storing import read_columns

COLUMNS = (
    *(f"participations.{name}" for name in ("raters", "rounds", "states")),
    *("raters.pseudonyms", "sources.entries", "items.language", "groups.keys"),
)
GOING_ON = (Working.ACTIVE, Working.RESTING)


def collection_of(run: Run) -> Collection:
    """What the methods of a run that is done are told from; no judgment is read.

    Raises:
        ValueError: the run's snapshot is not what it wrote, or was written by an earlier version of the program.
        OSError: there is no such file.
    """
    with opened(run) as snapshot:
        frozen = Frozen(run.project, run.as_of, *read_columns(snapshot, COLUMNS))
    return Collection(
        protocol=run.project.protocol,
        results=run.results,
        people=_people(run, frozen),
        languages=_languages(frozen["items.language"]),
        groups=len(frozen["groups.keys"]),
        run=run.number,
        seed=run.seed,
        code_version=run.code_version,
        as_of=run.as_of,
    )


def _people(run: Run, frozen: Frozen) -> dict[str, People]:
    """By round: of those that rate or choose as the run read them, of those that select as they are now."""
    reasons = reasons_of(frozen)
    rounds = [frozen.facts.rounds[place] for place in frozen["participations.rounds"].tolist()]
    unknown = frozen.unknown[frozen["participations.raters"]].tolist()
    states = Counter(
        (round_, state)
        for round_, state, stands_in in zip(rounds, frozen["participations.states"], unknown, strict=True)
        if not stands_in
    )
    unsigned = {round_ for round_, stands_in in zip(rounds, unknown, strict=True) if stands_in}
    found = {}
    for one in run.project.protocol.rounds:
        own = Counter({state: states[one.key, state] for state in Working.values})
        if one.key not in frozen.facts.rounds:
            own = _now(run.project.participations.filter(round=one.key, annotator__isnull=False))
        found[one.key] = People(
            finished=own[Working.FINISHED],
            going_on=sum(own[state] for state in GOING_ON),
            left=own[Working.LEFT],
            not_begun=own[Working.INVITED],
            excluded=reasons.get(one.key, {}),
            unknown=one.key in unsigned,
        )
    return found


def _now(people: QuerySet[Participation]) -> Counter[str]:
    return Counter(people.values_list("state", flat=True))


def _languages(tags: Iterable[str]) -> list[str]:
    """The English names of languages, the most frequent first; a tag that Django has no name for stands for itself."""
    return [_name(tag) for tag, _ in Counter(tag for tag in tags if tag).most_common()]


def _name(tag: str) -> str:
    try:
        return str(get_language_info(tag)["name"])
    except KeyError:
        return tag
