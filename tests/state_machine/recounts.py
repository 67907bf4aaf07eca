"""What must be true of a round at every moment, counted anew from its rows (docs/decisions/0075)."""

from collections import Counter, defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Count

from annotation.domain.participation.open_round import common_pool
from annotation.domain.participation.progress import count, tally_of
from annotation.models import Assignment, Judgment, Participation, Project, SelectedPair, State
from annotation.queries.counting import CURRENT, counted, rated_in_part
from annotation.queries.people import ENDED
from annotation.queries.screens import offered, open_screens

COLUMNS = ("assignment", "key", "value", "best", "worst", "hard_to_say", "saved_at", "answered_ms")
Answers = dict[int, tuple[Any, ...]]


def answers_of(project: Project) -> Answers:
    """Return every answer of a project with what was answered, by its id."""
    rows = Judgment.objects.filter(assignment__participation__project=project).values_list("pk", *COLUMNS)
    found = {pk: tuple(values) for pk, *values in rows}
    pairs = SelectedPair.objects.filter(judgment__in=found).order_by("judgment", "role")
    for pair in pairs.values_list("judgment", "role", "item", "value"):
        found[pair[0]] += pair[1:]
    return found


def superseded(project: Project) -> dict[int, datetime]:
    """Return when each superseded answer was superseded, by its id."""
    rows = Judgment.objects.filter(assignment__participation__project=project, superseded_at__isnull=False)
    return dict(rows.values_list("pk", "superseded_at"))


def each_answered_screen_has_one_current_answer(project: Project) -> None:
    screens = Assignment.objects.filter(participation__project=project)
    of_screens = Judgment.objects.filter(assignment__in=screens)
    numbers = dict(of_screens.filter(CURRENT).values_list("assignment").annotate(Count("pk")).order_by())
    answered = dict.fromkeys(screens.filter(answered_at__isnull=False).values_list("pk", flat=True), 1)
    assert numbers == answered
    assert not of_screens.filter(assignment__answered_at__isnull=True).exists()


def wanted_screens(project: Project, round_key: str) -> Counter[tuple[int, int | None]]:
    """Return how often each item, sentence or tuple of a round planned ahead is answered or still to be answered, in
    each session, by people whose answers count."""
    screens = Assignment.objects.filter(
        participation__project=project, participation__round=round_key, block="main", lapsed_at=None
    ).exclude(participation__state=State.EXCLUDED)
    screens = offered(screens).exclude(rated_in_part())
    return Counter(
        (screen.session, screen.item_id or screen.sentence_id or screen.tuple_id)
        for screen in screens.select_related("participation", "sentence__document__incident")
        if _counts(screen)
    )


def _counts(screen: Assignment) -> bool:
    if screen.sentence:
        return screen.sentence.document.incident.participation_id == screen.participation_id
    return screen.participation.state != State.LEFT or screen.answered_at is not None


def pools_balance(project: Project, round_key: str) -> None:
    """Every entry of an open round counts as given what is leased or answered, and counts; never more than planned."""
    design = project.round(round_key).design
    for raters in [""] if design.compares else design.ratings_by_pool:
        pool = common_pool(project, round_key, raters)
        live = Assignment.objects.filter(participation__project=project, lapsed_at__isnull=True)
        live = live.exclude(participation__state=State.EXCLUDED).filter(**{f"{pool.field}__in": pool.entries})
        held = Counter(live.values_list(pool.field, flat=True))
        answered = Counter(
            counted(Judgment.objects.filter(assignment__in=live)).values_list(f"assignment__{pool.field}", flat=True)
        )
        for pk, given, planned in pool.entries.values_list("pk", "given", "planned"):
            assert answered[pk] <= held[pk] == given <= planned, (pk, answered[pk], held[pk], given, planned)


def everybody_is_where_their_screens_say(project: Project, round_key: str) -> None:
    """States follow from screens; nobody who is gone holds a screen of a pool; stored progress equals a recount."""
    places = Participation.objects.filter(project=project, round=round_key).select_related("project", "annotator")
    screens = defaultdict(list)
    for screen in Assignment.objects.filter(participation__in=places).order_by("session", "position"):
        screens[screen.participation_id].append(screen)
    for place in places:
        own = screens[place.pk]
        ahead = [screen for screen in own if screen.answered_at is None and screen.lapsed_at is None]
        leased = [screen for screen in ahead if screen.lent_until is not None]
        assert not (leased and place.state in (*ENDED, State.FINISHED)), place
        assert place.state != State.FINISHED or not ahead or place.design.is_open, place
        assert (place.state == State.FINISHED) <= (place.finished_at is not None)
        if place.state == State.RESTING:
            began = [screen for screen in own if screen.session == ahead[0].session and screen.answered_at]
            assert place.rest_until is not None and not began, place
        if place.design.is_open and place.most is not None:
            assert sum(screen.block == "main" and screen.answered_at is not None for screen in own) <= place.most
        if ahead:
            stored_progress_equals_a_recount(place)


def stored_progress_equals_a_recount(place: Participation) -> None:
    present = open_screens(place.assignments.select_related("sentence__document")).first()
    present.participation = place
    stored = tally_of(present)
    if stored is None:
        return
    recount = count(present)
    stored, recount = vars(stored).copy(), vars(recount).copy()
    # A clock that was set back changes which answers are the last ones, but not how long each of them took.
    assert sorted(stored.pop("recent")) == sorted(recount.pop("recent"))
    assert stored == recount, place


def missing_answers(project: Project, round_key: str) -> list[Any]:
    """Return what a round that is over still lacks: screens without an answer, and entries of a pool with too few."""
    design = project.round(round_key).design
    if not design.is_open:
        screens = offered(Assignment.objects.filter(participation__project=project, participation__round=round_key))
        at_work = screens.exclude(participation__state__in=ENDED)
        return list(at_work.filter(answered_at__isnull=True, lapsed_at__isnull=True))
    groups = [""] if design.compares else list(design.ratings_by_pool)
    entries = [entry for raters in groups for entry in common_pool(project, round_key, raters).entries]
    return [entry for entry in entries if entry.given != entry.planned]
