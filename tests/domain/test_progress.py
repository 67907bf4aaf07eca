from annotation.domain.judgment.answers import Answer, Timing
from annotation.domain.judgment.saving import rate
from annotation.domain.participation.progress import LONGEST_SECONDS, Progress, progress
from tests.factories import (
    NOON,
    answer_to,
    present_screen,
    rate_next,
    rating_round,
    select_next,
    selection_round,
    validation_round,
)


def rate_in(participation, *seconds: float) -> None:
    for one in seconds:
        screen = present_screen(participation)
        answer = Answer(screen.pk, answer_to(screen).key, Timing(answered_ms=round(one * 1000)))
        rate(participation_id=participation.pk, answer=answer, value="2", now=NOON)


def test_progress_counts_the_block_and_the_round(user):
    participation = validation_round(user, calibration=2, main=3, intra=1)
    for _ in range(3):
        rate_next(participation)

    assert progress(present_screen(participation)) == Progress(3, 12, 1, 3, None)


def test_progress_of_a_selection_counts_the_incident(user):
    participation = selection_round(user)
    for _ in range(4):
        select_next(participation)

    assert progress(present_screen(participation)) == Progress(4, 6, 1, 3, None)


def test_the_estimate_follows_from_the_persons_own_median(user):
    participation = rating_round(user, 23)
    rate_in(participation, 5, 30, 1000)

    assert progress(present_screen(participation)).minutes_left == 10


def test_the_estimate_forgets_what_is_long_ago(user):
    participation = rating_round(user, 43)
    rate_in(participation, *[100] * 11, *[6] * 12)

    assert progress(present_screen(participation)).minutes_left == 2


def test_the_estimate_takes_nobody_for_working_while_away(user):
    participation = rating_round(user, 11)
    rate_in(participation, 5000)

    assert progress(present_screen(participation)).minutes_left == 10 * LONGEST_SECONDS / 60


def test_the_estimate_is_never_nothing(user):
    participation = rating_round(user, 2)
    rate_in(participation, 1)

    assert progress(present_screen(participation)).minutes_left == 1


def test_progress_takes_two_queries(user, django_assert_num_queries):
    screen = present_screen(rating_round(user))

    with django_assert_num_queries(2):
        progress(screen)
