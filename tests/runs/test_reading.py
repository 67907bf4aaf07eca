"""The snapshot, column by column, against rows made by hand."""

from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.judgment.saving import choose, rate
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Item, Judgment, Participation, Project, SelectedPair
from scoring.domain.runs import snapshots
from scoring.domain.runs.reading import read_snapshot
from scoring.domain.runs.snapshots import take_snapshot
from scoring.summaries.storing import to_bytes
from scoring.summaries.tables import BLOCKS, CONTEXTS
from tests.domain.best_worst import at_work, best_worst_project, choose_first, lent_to
from tests.factories import (
    NOON,
    add_dialogues,
    add_pairs,
    answer_all,
    answer_to,
    at_once,
    do_round,
    make_project,
    news_project,
    planned_for,
    present_screen,
    rate_next,
    reread,
    seat_outsider,
)
from tests.remembering import remembered
from tests.runs.projects import EVERY, relatedness

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def seconds(number):
    return timedelta(seconds=number)


def texts(table, *columns):
    """Rows of some columns, NaN as None."""
    return [
        tuple(None if isinstance(value, float) and np.isnan(value) else value for value in row)
        for row in zip(*(np.array(getattr(table, name), dtype=object).tolist() for name in columns), strict=True)
    ]


# dscs: ratings with labels, in pools


def rate_at(place, value, *, shown, saved, again=False, **timing):
    assignment = present_screen(place)
    Assignment.objects.filter(pk=assignment.pk).update(shown_at=shown)
    rate(participation_id=place.pk, answer=answer_to(assignment), value=value, now=saved)
    Judgment.objects.filter(assignment=assignment).update(**timing)
    return assignment.item


@pytest.fixture
def dscs(user):
    """Two students and a crowd rater, who is excluded; times of all kinds."""
    project = make_project("dscs", students__people="1", crowd__people="1")
    add_pairs(project, 3, gold=None)
    Item.objects.filter(key="p1").update(gold=True, language="de")
    Item.objects.filter(key="p2").update(gold=False)
    Project.objects.update(language="en")
    student = planned_for(user, project, pool="students")
    return project, student


def test_ratings_with_times(dscs):
    _, student = dscs
    items = [
        rate_at(student, "5", shown=NOON, saved=NOON + seconds(8), answered_ms=7500).key,
        rate_at(student, "0", shown=NOON + seconds(10), saved=NOON + seconds(15)).key,
        rate_at(student, "2", shown=None, saved=NOON + seconds(60)).key,
    ]
    snapshot = read_snapshot(Project.objects.get())
    keys = snapshot.items.keys
    rows = texts(snapshot.ratings, "values", "thinking_ms", "waiting_ms", "position", "already_made")
    assert [keys[item] for item in snapshot.ratings.items] == items
    assert rows == [(5.0, 7500.0, None, 1, 0), (0.0, 5000.0, 2000.0, 2, 1), (2.0, None, None, 3, 2)]
    columns = ("raters", "rounds", "contexts", "blocks", "session", "counted")
    one = (0, 0, CONTEXTS.index("free"), BLOCKS.index("main"), 1, True)
    assert texts(snapshot.ratings, *columns) == [one] * 3
    assert texts(snapshot.items, "keys", "sentence2", "language", "gold", "calibration", "groups", "roles") == [
        ("p1", "Second text of pair 1.", "de", 1.0, False, -1, -1),
        ("p2", "Second text of pair 2.", "en", 0.0, False, -1, -1),
        ("p3", "Second text of pair 3.", "en", None, False, -1, -1),
    ]
    facts = snapshot.facts
    assert (facts.rounds, facts.contexts, facts.minimum, facts.maximum, facts.step) == (
        ("main",),
        (("free",),),
        0,
        5,
        1,
    )
    assert (facts.limits, facts.decimals, facts.grouped, facts.roles) == ((("crowd", 0.8),), 2, False, ())


def test_a_rating_of_a_withdrawn_pair_was_made_before_the_later_ones(dscs):
    _, student = dscs
    for number, value in enumerate("502"):
        rate_at(student, value, shown=NOON + seconds(10 * number), saved=NOON + seconds(10 * number + 8))
    kept = list(Assignment.objects.filter(participation=student).order_by("position").values_list("item", flat=True))
    Item.objects.filter(pk=kept.pop(1)).update(withdrawn_at=NOON)

    ratings = read_snapshot(Project.objects.get()).ratings

    assert texts(ratings, "values", "waiting_ms", "already_made") == [(5.0, None, 0), (2.0, 2000.0, 2)]


def test_excluded_people_are_there_and_do_not_count(dscs):
    project, student = dscs
    answer_all(student)
    crowd = answer_all(seat_outsider(project, "main", "c-1"))
    exclude(participation_id=crowd.pk, reason="They asked for it.", actor=None, now=NOON)
    snapshot = read_snapshot(project)
    people = snapshot.raters.pseudonyms
    own = {people.index(place.annotator.pseudonym): place for place in map(reread, (student, crowd))}
    assert list(people) == sorted(people)
    assert set(texts(snapshot.ratings, "raters", "counted")) == {
        (rater, place.state == "finished") for rater, place in own.items()
    }
    assert len(snapshot.ratings.values) == 6
    # The refill is nobody yet, and no participant.
    assert sorted(zip(snapshot.participations.pools, snapshot.participations.states, strict=True)) == [
        ("crowd", "excluded"),
        ("students", "finished"),
    ]
    assert np.isnan(snapshot.participations.waits).all()


def test_superseded_answers_are_not_there(dscs):
    project, student = dscs
    assignment = present_screen(student)
    rate_next(student, "1")
    again = answer_to(assignment)
    again = type(again)(again.assignment_id, again.key, again.timing, again=True)
    rate(participation_id=student.pk, answer=again, value="4", now=NOON + seconds(9))
    assert Judgment.objects.count() == 2
    assert read_snapshot(project).ratings.values.tolist() == [4.0]


# czech_news: selections, two contexts, blocks


@remembered
def validated_news() -> Project:
    project = news_project()
    do_round(project, "R2")
    plan_round(project=project, round_key="R3")
    for place in project.participations.filter(round="R3", annotator__isnull=False):
        answer_all(place)
    return project


@pytest.fixture
def news() -> Project:
    return validated_news()


def test_selected_pairs_and_blocks(news):
    snapshot = read_snapshot(news)
    pairs = {pair.item.key: pair for pair in SelectedPair.objects.select_related("item")}
    used = set(Assignment.objects.exclude(item=None).values_list("item__key", flat=True))
    calibrating = set(news.items.exclude(calibration_order=None).values_list("key", flat=True))
    assert texts(snapshot.items, "keys", "roles", "selected", "unvalidated", "calibration") == [
        (key, "ABC".index(pairs[key].role), pairs[key].value, key not in used | calibrating, key in calibrating)
        for key in news.items.order_by("position", "pk").values_list("key", flat=True)
    ]
    facts = snapshot.facts
    assert (facts.rounds, facts.roles, facts.expected, facts.decimals) == (
        ("R2", "R3"),
        ("A", "B", "C"),
        (6, 3, 0),
        4,
    )
    rows = Judgment.objects.filter(value__isnull=False, superseded_at=None).order_by(
        "assignment__participation__round",
        "assignment__participation__seat",
        "assignment__session",
        "assignment__position",
    )
    named = rows.values_list(
        *(
            f"assignment__{name}"
            for name in ("item__key", "participation__annotator__pseudonym", "participation__round")
        ),
        *(f"assignment__{name}" for name in ("context", "block", "session", "position")),
        "value",
    )
    own = snapshot.ratings
    assert [
        (
            snapshot.items.keys[own.items[at]],
            snapshot.raters.pseudonyms[own.raters[at]],
            facts.rounds[own.rounds[at]],
            CONTEXTS[own.contexts[at]],
            BLOCKS[own.blocks[at]],
            own.session[at],
            own.position[at],
            own.values[at],
        )
        for at in range(len(own.values))
    ] == list(named)
    assert {BLOCKS[block] for block in own.blocks} == {"calibration", "main", "intra"}


def test_waits_between_sessions(news):
    place = news.participations.filter(round="R3").first()
    screens = place.assignments
    screens.filter(session=1).update(shown_at=NOON, answered_at=NOON)
    screens.filter(session=2).update(shown_at=NOON + timedelta(hours=73), answered_at=NOON + timedelta(hours=74))
    other = news.participations.filter(round="R3").last()
    other.assignments.update(shown_at=None)
    snapshot = read_snapshot(news)
    waits = {
        snapshot.raters.pseudonyms[rater]: wait
        for rater, round_, wait in texts(snapshot.participations, "raters", "rounds", "waits")
        if round_ == snapshot.facts.rounds.index("R3")
    }
    assert waits[place.annotator.pseudonym] == 73.0
    assert waits[other.annotator.pseudonym] is None


def test_selections_of_an_excluded_person_are_no_selections(news):
    first = news.participations.filter(round="R1").first()
    Participation.objects.filter(pk=first.pk).update(state="excluded", reason="They asked for it.")
    own = set(
        SelectedPair.objects.filter(judgment__assignment__participation=first).values_list("item__key", flat=True)
    )
    snapshot = read_snapshot(news)
    lost = {key for key, value in texts(snapshot.items, "keys", "selected") if value is None}
    assert own and lost == own


# semrel and giccs: choices


def chosen(snapshot):
    keys = snapshot.items.keys
    rows = zip(
        snapshot.choices.items, snapshot.choices.best, snapshot.choices.worst, snapshot.choices.annotators, strict=True
    )
    return [
        ([keys[item] for item in shown], keys[best], keys[worst], snapshot.raters.pseudonyms[person])
        for shown, best, worst, person in rows
    ]


def test_choices_as_each_person_saw_them():
    project = best_worst_project()
    one, other = at_work(project, "w-1", "w-2")
    lent = lent_to(one)
    Assignment.objects.filter(pk=lent.pk).update(order="3142")
    first = choose_first(one, lent)
    Judgment.objects.filter(pk=first.pk).update(hard_to_say=True, answered_ms=2500)
    second = choose_first(other)
    Judgment.objects.filter(pk=second.pk).update(answered_ms=None)
    Assignment.objects.filter(pk=second.assignment_id).update(shown_at=None)
    exclude(participation_id=other.pk, reason="They asked for it.", actor=None, now=NOON)
    snapshot = read_snapshot(project)
    expected = []
    for judgment in (first, second):
        assignment = Assignment.objects.get(pk=judgment.assignment_id)
        keys = list(assignment.tuple.places.order_by("position").values_list("item__key", flat=True))
        shown = [keys[int(digit) - 1] for digit in assignment.order]
        person = assignment.participation.annotator.pseudonym
        expected.append((shown, judgment.best.key, judgment.worst.key, person))
    assert chosen(snapshot) == expected
    assert texts(snapshot.choices, "hard_to_say", "counted") == [(True, True), (False, False)]
    assert texts(snapshot.screens, "rounds", "thinking_ms") == [(0, 2500), (0, None)]
    designed = [
        [snapshot.items.keys.index(key) for key in one.places.order_by("position").values_list("item__key", flat=True)]
        for one in project.tuples.order_by("position")
    ]
    assert snapshot.tuples.tolist() == designed
    assert [set(snapshot.tuples[row]) for row in snapshot.choices.tuples] == [
        set(row) for row in snapshot.choices.items
    ]
    assert snapshot.facts.design_seed == project.seed
    assert len(snapshot.ratings.values) == 0


def test_origins_are_what_the_file_told_of_its_pairs():
    project = make_project("semrel")
    add_pairs(project, 2, source="news", extra={"heuristic": "random"})
    project.items.filter(key="p2").update(extra={"heuristic": 7}, source="")

    found = read_snapshot(project).origins

    assert texts(found, "sources", "heuristics") == [("news", "random"), ("", "7")]


def test_lapsed_leases_are_no_choices():
    project = best_worst_project()
    (one,) = at_work(project, "w-1")
    lapsed = lent_to(one)
    Assignment.objects.filter(pk=lapsed.pk).update(lapsed_at=NOON)
    answered = next_place(reread(one), NOON).assignment
    choose_first(one, answered)
    snapshot = read_snapshot(project)
    assert len(snapshot.choices.best) == 1
    assert snapshot.tuples.shape == (24, 4)


def test_choice_made_again_counts_once():
    project = best_worst_project()
    (one,) = at_work(project, "w-1")
    lent = lent_to(one)
    choose_first(one, lent)
    items = list(lent.tuple.places.values_list("item", flat=True))
    lent_to(one)  # the next one, from where people go back
    again = answer_to(lent)
    again = type(again)(again.assignment_id, again.key, again.timing, again=True)
    choose(participation_id=one.pk, answer=again, best=items[-1], worst=items[0], now=NOON)
    snapshot = read_snapshot(project)
    keys = list(project.items.filter(pk__in=items).values_list("pk", "key"))
    assert [row[1:3] for row in chosen(snapshot)] == [(dict(keys)[items[-1]], dict(keys)[items[0]])]


def test_dialogues_are_groups():
    project = make_project("giccs")
    add_dialogues(project, 2)
    plan_round(project=project, round_key="main")
    answered = seat_outsider(project, "main", "w-1")
    snapshot = read_snapshot(project)
    assert (snapshot.groups.keys, snapshot.groups.domains) == (("d1", "d2"), ("cinema", "cinema"))
    assert snapshot.items.groups.tolist() == [0] * 5 + [1] * 5
    assert set(snapshot.items.language) == {"de"}
    assert snapshot.facts.grouped is True
    assert np.isnan(snapshot.facts.minimum)
    assert snapshot.tuples.shape == (20, 3)
    assert texts(snapshot.participations, "raters", "states") == [(0, answered.state)]


# all of them


@pytest.mark.parametrize("preset", EVERY)
def test_reading_twice_gives_the_same_bytes(preset):
    project = EVERY[preset]("project")
    assert to_bytes(read_snapshot(project)) == to_bytes(read_snapshot(Project.objects.get()))


def test_another_project_is_not_read():
    relatedness("other")
    project = make_project("stss131")
    snapshot = read_snapshot(project)
    assert (len(snapshot.items.keys), len(snapshot.raters.pseudonyms), len(snapshot.choices.best)) == (0, 0, 0)
    assert snapshot.facts.design_seed == -1


@pytest.mark.parametrize("people", [1, 10])
def test_queries_do_not_grow_with_judgments(people):
    project = make_project("stss131", people="10")
    add_pairs(project, 20)
    plan_round(project=project, round_key="main", people=10)
    for number in range(people):
        answer_all(seat_outsider(project, "main", f"w-{number}"))
    with CaptureQueriesContext(connection) as queries:
        assert len(read_snapshot(project).ratings.values) == 20 * people
    assert len(queries) == 17


@pytest.mark.django_db(transaction=True)
def test_snapshot_is_of_one_moment(monkeypatch):
    """An answer that comes in while the judgments are read is not in the snapshot, or all of it is."""
    project = best_worst_project()
    (one,) = at_work(project, "w-1")
    choose_first(one)
    reading = snapshots.read_snapshot

    def interrupted(project, seed):
        before = Judgment.objects.count()
        at_once(lambda: choose_first(one))
        assert Judgment.objects.count() == before
        return reading(project, seed)

    monkeypatch.setattr(snapshots, "read_snapshot", interrupted)
    assert len(take_snapshot(project).choices.best) == 1
    assert Judgment.objects.count() == 2


def test_the_working_time_of_all_answers_and_of_those_that_count():
    dscs = EVERY["dscs"]("working")
    first, second = Judgment.objects.filter(assignment__participation__project=dscs).order_by("pk")[:2]
    Judgment.objects.filter(pk=first.pk).update(active_ms=None)
    exclude(participation_id=second.assignment.participation_id, reason="Careless.", actor=None, now=NOON)

    found = take_snapshot(dscs).efforts

    rows = list(
        Judgment.objects.filter(assignment__participation__project=dscs).values_list(
            "active_ms", "assignment__participation", "assignment__participation__state"
        )
    )
    timed = [row for row in rows if row[0] is not None]
    assert found.rounds == ("main",)
    assert (found.answers.tolist(), found.timed.tolist()) == ([len(rows)], [len(rows) - 1])
    assert found.people.tolist() == [len({person for _, person, _ in timed})]
    assert found.active_ms.tolist() == [sum(time for time, *_ in timed)]
    assert found.counted_ms.tolist() == [sum(time for time, _, state in timed if state != "excluded")]


def test_the_pairs_that_a_round_asks_for():
    news = EVERY["czech_news"]("asking")
    item = Assignment.objects.filter(participation__project=news, participation__round="R3", block="main").first().item
    asked = len(set(Assignment.objects.filter(participation__round="R3", block="main").values_list("item", flat=True)))
    Item.objects.filter(pk=item.pk).update(withdrawn_at=NOON)

    facts = take_snapshot(news).facts

    assert facts.rounds == ("R2", "R3")
    assert facts.pairs[1] == asked - 1
    assert facts.wanted == (1, news.protocol.round("R3").design.stack_size)
    assert facts.tested == ("R3",)
