"""The origin of a run's judgments: planned and collected here, or imported, and by which changes of a preset."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace

from django.db.models import Count

from annotation.models import Participation, Project, Wave
from annotation.presets.registry import presets
from annotation.protocols.settings import setting_names, written
from annotation.protocols.spec import Protocol
from annotation.protocols.terms import JudgmentKind
from annotation.protocols.wording import QUESTION, texts_of
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from annotation.queries.people import imported_places
from annotation.queries.projects import done_plans
from scoring.exports.collected import Collected, brought_in, collected_amounts
from scoring.exports.report.waves import Look
from scoring.exports.snapshot_view import SnapshotView
from scoring.queries import with_shortened_pause


def changes_of(protocol: Protocol) -> list[str]:
    """Return in words the numbers and texts in which a protocol differs from its preset; none without a preset."""
    known = presets().get(protocol.key)
    return list(_changes(protocol, known.protocol)) if known else []


def _changes(protocol: Protocol, preset: Protocol) -> Iterator[str]:
    before = setting_names(preset)
    for name, value in setting_names(protocol).items():
        if name in before and value != before[name]:
            yield f"{name} is {written(value)} instead of {written(before[name])}"
    own, usual = ({name: text for name, text in texts_of(one).items() if text} for one in (protocol, preset))
    if own.pop(QUESTION, "") != usual.pop(QUESTION, ""):
        yield "the question has been changed"
    if own != usual:
        labels = "the scale labels have been changed" if own else "the scale has no labels"
        yield labels if protocol.scale else "the wording of best and worst has been changed"


def collected_of(view: SnapshotView) -> dict[str, Collected]:
    """Return what was collected in each round: as the run read it, and of rounds that select as of now."""
    project, protocol = view.project, view.project.protocol
    found = collected_amounts(view, protocol)
    found |= {round_.key: _selected(project, round_.key) for round_ in protocol.rounds_of(JudgmentKind.SELECTION)}
    planned = set(done_plans(project).values_list("round", flat=True))
    firsts = Participation.objects.filter(project=project, replaces__isnull=True).order_by()
    places = dict(firsts.values_list("round").annotate(places=Count("pk")))
    shortened = Participation.objects.filter(pk__in=with_shortened_pause(project, view["sources.entries"]))
    pauses = Counter(shortened.values_list("round", flat=True))
    looks, elsewhere = looks_of(view), imported_people(project)
    return {
        key: replace(
            own,
            planned=key in planned,
            brought_in=_brought_in(view, key, elsewhere[key]),
            places=places.get(key, 0),
            shortened=pauses[key],
            looks=looks.get(key, ()),
        )
        for key, own in found.items()
    }


def imported_people(project: Project) -> dict[str, set[str]]:
    """Return the pseudonyms of the annotators whose judgments were imported, by round; of planned rounds only."""
    found: dict[str, set[str]] = defaultdict(set)
    places = project.participations.filter(round__in=done_plans(project).values("round"))
    for key, pseudonym in imported_places(places).values_list("round", "annotator__pseudonym"):
        found[key].add(pseudonym)
    return found


def _brought_in(view: SnapshotView, key: str, pseudonyms: Collection[str]) -> tuple[int, int]:
    round_ = view.project.protocol.round(key)
    return (0, 0) if round_.design.selects or not pseudonyms else brought_in(view, round_, pseudonyms)


def looks_of(view: SnapshotView) -> dict[str, list[Look]]:
    """Return the looks at each round in waves that were made before the run read the judgments."""
    found: dict[str, list[Look]] = {}
    waves = Wave.objects.filter(project=view.project, found__isnull=False, ended_at__lte=view.as_of)
    for wave in waves.order_by("round", "number"):
        names = ("judgments", "items", "closed", "estimate", "low", "high")
        known = {name: wave.found[name] for name in names}
        own = {"seed": wave.seed, "opened": wave.opened, "decision": wave.decision, "further": wave.further}
        found.setdefault(wave.round, []).append(Look(wave.number, **own, **known))
    return found


def _selected(project: Project, round_key: str) -> Collected:
    selections = counted(judgments_of(project)).filter(
        assignment__participation__round=round_key, assignment__sentence__isnull=False
    )
    incidents = Count("assignment__sentence__document__incident", distinct=True)
    numbers = {"sentences": Count("pk"), "incidents": incidents}
    people = list(
        selections.order_by()
        .values("assignment__participation")
        .annotate(**numbers)
        .values_list("sentences", "incidents")
    )
    incidents = [one for _, one in people] or [0]
    return Collected(
        people=len(people),
        sentences=sum(sentences for sentences, _ in people),
        incidents=(min(incidents), max(incidents)),
    )
