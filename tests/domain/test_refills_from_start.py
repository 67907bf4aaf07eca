"""Refills that begin with the first session: the same people rate a pair in both contexts (Czech News 4.2.2)."""

from collections import defaultdict

import pytest

from annotation.domain.participation.lifecycle import begin_session, exclude, leave
from annotation.domain.participation.reinstatement import restore
from annotation.models import Judgment, Participation
from annotation.queries.counting import counted
from annotation.queries.judgments import judgment_rows
from annotation.queries.progress import blocks_of
from tests.domain.test_participation import answer_session, reread, screens
from tests.factories import NOON, annotator_for, rate_next, validation_round

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def reasons(participation):
    """Why the answers do not count, by session and position."""
    rows = judgment_rows(
        Judgment.objects.filter(assignment__participation=participation), "session", "position", "not_counted_because"
    )
    return {(row.session, row.position): row.not_counted_because for row in rows}


def left(participation):
    leave(participation_id=participation.pk, reason="", now=NOON)
    return reread(participation)


def in_second_session(user, answers, **changes):
    """Somebody who has answered the first session, with a calibration pair and three others, and some of the second."""
    participation = answer_session(validation_round(user, **changes))
    Participation.objects.filter(pk=participation.pk).update(rest_until=NOON)
    begin_session(participation_id=participation.pk, now=NOON)
    for _ in range(answers):
        rate_next(participation)
    return reread(participation)


def test_leaving_at_rest_passes_on_both_sessions(user):
    gone = left(answer_session(validation_round(user)))

    assert gone.passed_on
    assert screens(gone.refill) == [row for row in screens(gone) if row[2] != "intra"]
    assert reasons(gone) == {(1, 1): "calibration", (1, 2): "partial", (1, 3): "partial", (1, 4): "partial", (1, 5): ""}


def test_pairs_rated_in_both_sessions_stay_with_who_left(user):
    gone = left(in_second_session(user, 2))

    kept = {(1, 2), (2, 2)}
    assert screens(gone.refill) == [row for row in screens(gone) if row[2] != "intra" and (row[0], row[3]) not in kept]
    assert {place for place, reason in reasons(gone).items() if not reason} == kept | {(1, 5)}
    assert [reason for place, reason in reasons(gone).items() if place in {(1, 3), (1, 4)}] == ["partial"] * 2


def test_leaving_after_the_last_pair_passes_nothing_on(user):
    gone = left(in_second_session(user, 4))

    assert gone.refill is None
    assert "partial" not in reasons(gone).values()


def test_without_the_option_the_first_session_counts(user):
    gone = left(answer_session(validation_round(user, R3__refill_from_start="false")))

    assert not gone.passed_on
    assert {session for session, *_ in screens(gone.refill)} == {2}
    assert reasons(gone)[1, 2] == ""


def test_the_same_people_rate_a_pair_in_both_contexts(user):
    gone = left(in_second_session(user, 2))
    refill = gone.refill
    Participation.objects.filter(pk=refill.pk).update(annotator=annotator_for(gone.project, external_id="new"))
    Participation.objects.filter(pk=refill.pk).update(state="active", consented_at=NOON)
    answer_session(reread(refill))
    Participation.objects.filter(pk=refill.pk).update(rest_until=NOON)
    begin_session(participation_id=refill.pk, now=NOON)
    answer_session(reread(refill))

    raters = defaultdict(list)
    rows = counted(Judgment.objects.filter(assignment__block="main"))
    for item, context, person in rows.values_list(
        "assignment__item", "assignment__context", "assignment__participation"
    ):
        raters[item, context].append(person)
    items = {item for item, _ in raters}
    assert len(items) == 3
    assert all(len(own) == 1 for own in raters.values())
    assert all(raters[item, "free"] == raters[item, "dependent"] for item in items)


def test_progress_asks_for_every_pair_once(user):
    participation = in_second_session(user, 2)
    before = [
        (block.session, block.wanted) for block in blocks_of(participation.project)["R3"] if block.block == "main"
    ]

    left(participation)

    found = {
        (block.session, block.block): (block.answered, block.wanted) for block in blocks_of(participation.project)["R3"]
    }
    assert before == [(1, 3), (2, 3)]
    assert {place: numbers for place, numbers in found.items() if place[1] == "main"} == {
        (1, "main"): (1, 3),
        (2, "main"): (1, 3),
    }


@pytest.mark.parametrize("taken_by", ["", "newcomer"])
def test_an_exclusion_later_passes_on_the_rest(user, taken_by):
    gone = left(in_second_session(user, 2))
    passed_on = screens(gone.refill)
    if taken_by:
        newcomer = annotator_for(gone.project, external_id=taken_by)
        Participation.objects.filter(replaces=gone).update(annotator=newcomer)

    exclude(participation_id=gone.pk, reason="Careless.", actor=None, now=NOON)

    out = reread(gone)
    everything = [row for row in screens(out) if row[2] != "intra"]
    first, *rest = out.refills.order_by("seat")
    if not taken_by:
        assert (screens(first), rest) == (everything, [])
    else:
        assert screens(first) == passed_on
        assert screens(rest[0]) == [row for row in everything if row not in passed_on or row[2] == "calibration"]
    assert set(reasons(out).values()) == {"excluded"}


def test_whoever_comes_back_has_their_ratings_counted_again(user):
    gone = left(answer_session(validation_round(user)))

    restore(participation_id=gone.pk, reason="A mistake.", actor=None, now=NOON)

    back = reread(gone)
    assert (back.state, back.passed_on, back.refill) == ("resting", False, None)
    assert "partial" not in reasons(back).values()


def test_undoing_the_exclusion_only_keeps_the_pairs_with_the_refill(user):
    gone = left(in_second_session(user, 2))
    Participation.objects.filter(replaces=gone).update(annotator=annotator_for(gone.project, external_id="new"))
    exclude(participation_id=gone.pk, reason="Careless.", actor=None, now=NOON)

    restore(participation_id=gone.pk, reason="A mistake.", actor=None, now=NOON)

    back = reread(gone)
    assert (back.state, back.passed_on) == ("left", True)
    assert [place for place, reason in reasons(back).items() if reason == "partial"] == [(1, 3), (1, 4)]
