import pytest

from annotation.domain.assigning import plan_round
from annotation.models import AuditEntry, Item, Participation
from scoring.domain.screening import screen, screen_finished
from scoring.tasks import screen_raters
from tests.factories import NOON, add_pairs, join, make_project, present_screen, rate_next, select_next, selection_round

pytestmark = pytest.mark.django_db

SIMILAR = ("p1", "p2", "p3")  # the others are dissimilar


def rater(user, values, *, pool="crowd", labelled=True, answers=5):
    """A person who has rated p1 to p5 with these values, in a project with a place in either pool."""
    project = make_project("dscs", students__people="1", crowd__people="1")
    add_pairs(project, 5, gold=False if labelled else None)
    if labelled:
        Item.objects.filter(key__in=SIMILAR).update(gold=True)
    plan_round(project=project, round_key="main")
    place = join(project, "main", user, pool=pool)
    for _ in range(answers):
        key = present_screen(place).item.key
        rate_next(place, str(values[int(key[1:]) - 1]))
    return Participation.objects.get(pk=place.pk)


CONTRARY = (0, 1, 2, 5, 4)
FOUR_OF_FIVE = (0, 1, 2, 5, 0)


def state_after(place):
    return Participation.objects.get(pk=place.pk).state


def test_contrary_rater_is_excluded_and_replaced(user):
    place = rater(user, CONTRARY)
    assert screen(participation_id=place.pk, now=NOON) is True
    assert state_after(place) == "excluded"
    # DSCS 4.1: removed above 80 %, until ten unique responses stand.
    assert AuditEntry.objects.get().reason == (
        "100% of 5 answers contradict the known labels; more than 80% is too much."
    )
    refill = Participation.objects.get(replaces=place)
    assert (refill.pool, refill.state, refill.assignments.count()) == ("crowd", "invited", 5)


@pytest.mark.parametrize(
    ("values", "changes"),
    [
        (FOUR_OF_FIVE, {}),  # 80 % is not more than 80 %
        ((5, 5, 5, 0, 0), {}),
        (CONTRARY, {"pool": "students"}),
        (CONTRARY, {"labelled": False}),
    ],
    ids=["four of five", "agreeing", "student", "no labels"],
)
def test_rater_who_stays(user, values, changes):
    place = rater(user, values, **changes)
    assert screen(participation_id=place.pk, now=NOON) is False
    place.refresh_from_db()
    assert (place.state, place.screened_at) == ("finished", NOON)


def test_screening_twice_changes_nothing(user):
    place = rater(user, CONTRARY)
    assert screen_finished(NOON) == 1
    assert screen_raters() == 0
    assert screen(participation_id=place.pk, now=NOON) is False
    assert Participation.objects.filter(replaces=place).count() == 1


def test_rater_who_has_not_finished_is_not_screened(user):
    place = rater(user, CONTRARY, answers=4)
    assert screen(participation_id=place.pk, now=NOON) is False
    assert screen_finished(NOON) == 0
    place.refresh_from_db()
    assert (place.state, place.screened_at) == ("active", None)


def test_round_without_pools_excludes_nobody(user):
    place = selection_round(user, incidents=1, summary=1)
    select_next(place)
    assert screen_finished(NOON, Participation.objects.filter(pk=place.pk)) == 0
    assert state_after(place) == "finished"
