"""Links, places, pseudonyms and completion codes."""

import pytest
from django.core import signing

from annotation.domain.errors import Refusal
from annotation.domain.participation.lifecycle import consent, exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.overview import (
    SALT,
    Invitation,
    annotator_for,
    completion_code,
    read_invitation,
    take_seat,
    write_invitation,
)
from annotation.models import Annotator, Assignment, Participation, Project, SelectedPair
from annotation.queries.people import without_pairs_met
from tests.factories import (
    NOON,
    add_incidents,
    add_pairs,
    answer_all,
    do_round,
    make_project,
    news_project,
    rating_round,
    seat_outsider,
    select_next,
)

pytestmark = pytest.mark.postgres

NOT_COMPLETE = "This link is incomplete. Copy the whole link and open it again."
ALL_TAKEN = "All places of this round are taken. Thank you for your interest."
ALL_MET = (
    "All free places of this round contain pairs that you have already "
    "seen, so somebody else has to take them. Thank you for your interest."
)


def dscs(people: int = 3) -> Project:
    project = make_project("dscs")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=people)
    return project


def invite(project: Project, round_key: str, external_id: str) -> Participation | str:
    try:
        return seat_outsider(project, round_key, external_id)
    except Refusal as refusal:
        return str(refusal)


@pytest.mark.parametrize("invitation", [Invitation("news", "R1"), Invitation("dscs", "main", "crowd")])
def test_a_link_says_what_it_invites_to(invitation):
    assert read_invitation(write_invitation(invitation)) == invitation


@pytest.mark.parametrize(
    "changed",
    [
        lambda token: "",
        lambda token: token[:-1],
        lambda token: token + "x",
        lambda token: token.swapcase(),
        lambda token: token.replace(":", "", 1),
        lambda token: "ř" + token,
        lambda token: signing.dumps(["news", "R1", ""], salt="another"),
        lambda token: signing.dumps(["news", "R1", "", "more", "parts"], salt=SALT),
        lambda token: signing.dumps(7, salt=SALT),
    ],
)
def test_a_changed_link_is_refused(changed):
    token = changed(write_invitation(Invitation("news", "R1")))

    with pytest.raises(Refusal) as refusal:
        read_invitation(token)

    assert str(refusal.value) == NOT_COMPLETE


def test_every_single_changed_letter_of_a_link_is_refused():
    token = write_invitation(Invitation("news", "R1"))
    changed = [token[:place] + chr(ord(token[place]) ^ 1) + token[place + 1 :] for place in range(len(token) - 1)]

    for one in changed:
        with pytest.raises(Refusal):
            read_invitation(one)


def test_an_account_is_one_annotator_a_project(user):
    one, other = make_project(), make_project(key="other")

    first, again, elsewhere = (annotator_for(project, user=user) for project in (one, one, other))

    assert first == again != elsewhere
    assert str(first) == "ann@example.org"
    assert list(Annotator.objects.values_list("project", "user", "external_id").order_by("pk")) == [
        (one.pk, user.pk, ""),
        (other.pk, user.pk, ""),
    ]


def test_an_outside_id_is_one_annotator_a_project(db):
    project = make_project()

    first, again, other = (annotator_for(project, external_id=name) for name in ("W1", "W1", "W2"))

    assert first == again != other
    assert str(first) == "W1"


def test_pseudonyms_are_stable_in_a_project_and_different_between_projects(user):
    one, other = make_project(), make_project(key="other")
    names = [annotator_for(one, user=user).pseudonym, annotator_for(other, user=user).pseudonym]
    Annotator.objects.all().delete()

    again = [annotator_for(one, user=user).pseudonym, annotator_for(other, user=user).pseudonym]

    assert names == again
    assert len(set(names)) == 2
    assert all(len(name) == 12 and name.isalnum() and user.username not in name for name in names)


def test_an_account_and_an_outside_id_of_the_same_number_are_two_people(user):
    project = make_project()

    names = {annotator_for(project, user=user).pseudonym, annotator_for(project, external_id=str(user.pk)).pseudonym}

    assert len(names) == 2


def test_completion_codes_differ_between_people_and_projects(user):
    one = rating_round(user)
    other = rating_round(user, key="other")

    codes = {completion_code(place) for place in (one, other, one.project.participations.get(seat=2))}

    assert len(codes) == 3
    assert completion_code(one) == completion_code(Participation.objects.get(pk=one.pk))


def test_a_second_click_gives_the_same_place(db):
    project = dscs()

    assert seat_outsider(project, "main", "W1") == seat_outsider(project, "main", "W1")
    assert project.participations.filter(annotator__isnull=False).count() == 1


def test_places_are_taken_in_order_until_the_round_is_full(db):
    project = dscs()

    taken = [invite(project, "main", f"W{number}") for number in range(4)]

    assert [place.seat for place in taken[:3]] == [1, 2, 3]
    assert taken[3] == ALL_TAKEN


def test_a_link_to_a_pool_gives_a_place_of_that_pool(db):
    project = dscs()
    pools = [
        take_seat(project=project, round_key="main", annotator=annotator_for(project, external_id=name), pool=pool).pool
        for name, pool in [("W1", "crowd"), ("W2", "crowd"), ("W3", "students"), ("W1", "students")]
    ]

    assert pools == ["crowd", "crowd", "students", "crowd"]
    with pytest.raises(Refusal, match=ALL_TAKEN):
        take_seat(
            project=project, round_key="main", annotator=annotator_for(project, external_id="W4"), pool="students"
        )


@pytest.mark.parametrize("end", ["left", "excluded"])
def test_whoever_has_gone_does_not_come_back_by_the_link(db, end):
    project = dscs()
    place = seat_outsider(project, "main", "W1")
    if end == "left":
        leave(participation_id=place.pk, reason="", now=NOON)
    else:
        exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)

    again = seat_outsider(project, "main", "W1")

    assert (again, again.state) == (place, end)


def test_a_round_that_is_not_planned_is_full(db):
    assert invite(make_project(), "main", "W1") == ALL_TAKEN


def test_nobody_validates_own_selections(db):
    project = news_project(people=2)
    plan_round(project=project, round_key="R2")

    places = [invite(project, "R2", name) for name in ["r1-1", "r1-2"]]

    assert [str(place.validates.annotator) for place in places] == ["r1-2", "r1-1"]


def test_who_selected_all_that_is_left_gets_no_place(db):
    project = news_project(people=1)
    plan_round(project=project, round_key="R2")

    assert invite(project, "R2", "r1-1") == ALL_MET
    assert project.participations.filter(round="R2", annotator__isnull=False).count() == 0


def test_pairs_of_r2_are_not_met_again_through_a_free_place_of_r3(db):
    """Two annotators of R1; who rated pairs of one in R2 gets a place of the other in R3."""
    project = news_project(people=2)
    validators = do_round(project, "R2")
    validated = {str(place.annotator): place.validates for place in validators}
    plan_round(project=project, round_key="R3")
    Participation.objects.filter(project=project, round="R3").update(annotator=None)

    places = {name: seat_outsider(project, "R3", name) for name in validated}

    main = Assignment.objects.filter(block="main")
    for name, place in places.items():
        items = [
            set(main.filter(participation__annotator__external_id=name, participation__round=key).values_list("item"))
            for key in ("R2", "R3")
        ]
        assert len(items[0]) == len(items[1]) == 6
        assert not items[0] & items[1]
        assert place.validates


def test_nobody_calibrates_with_a_pair_of_their_own_selection(db):
    """The calibration block is the same for everyone, so the person gets no place at all."""
    project = news_project(people=3)
    plan_round(project=project, round_key="R3")
    calibration = SelectedPair.objects.filter(item__calibration_order__isnull=False)
    owner = calibration.first().judgment.assignment.participation.annotator

    assert invite(project, "R3", str(owner)) == ALL_MET


def test_a_pair_assigned_before_counts_as_met_even_unanswered(db):
    project = news_project(people=1, R3__annotators="1")
    plan_round(project=project, round_key="R2")
    place = seat_outsider(project, "R2", "r2-1")
    plan_round(project=project, round_key="R3")
    free = project.participations.filter(round="R3", annotator=None)
    met = {
        seat.pk
        for seat in free
        if set(seat.assignments.filter(block="main").values_list("item")) & set(place.assignments.values_list("item"))
    }

    assert set(without_pairs_met(free, place.annotator).values_list("pk", flat=True)) == {
        seat.pk for seat in free if seat.pk not in met
    }


def test_whoever_gave_an_incident_back_does_not_validate_what_they_selected_in_it(db):
    """The person who takes over selects the same pairs again."""
    project = make_project("czech_news", R1__incidents="2", R2__tuples="3")
    add_incidents(project, 2)
    plan_round(project=project, round_key="R1")
    first = seat_outsider(project, "R1", "r1-1")
    consent(participation_id=first.pk, now=NOON)
    for _ in range(4):
        select_next(first)
    leave(participation_id=first.pk, reason="", now=NOON)
    answer_all(seat_outsider(project, "R1", "r1-2"))
    plan_round(project=project, round_key="R2")

    assert set(project.participations.filter(round="R2").values_list("validates__seat", flat=True)) == {1, 2}
    assert invite(project, "R2", "r1-1") == ALL_MET
