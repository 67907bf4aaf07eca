import pytest

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import change_protocol
from annotation.models import Project
from tests.factories import add_pairs, make_project, rate_next, rating_round

pytestmark = pytest.mark.django_db


def people_of(project):
    return Project.objects.get(pk=project.pk).round("main").design.pools[0].people


def test_protocol_changes_before_anything_is_planned():
    project = make_project()
    changed = change_protocol(project=project, changes={"people": "7", "step": "0.5"})
    assert people_of(project) == 7
    assert changed.protocol.scale.size == 9


def test_protocol_with_numbers_that_contradict_stays():
    project = make_project()
    with pytest.raises(Refusal, match="“People” must be between 1 and 10000"):
        change_protocol(project=project, changes={"people": "0"})
    assert people_of(project) == 32


def test_new_numbers_remove_places_that_nobody_has_taken():
    project = make_project()
    add_pairs(project, 1)
    plan_round(project=project, round_key="main", people=1)
    change_protocol(project=project, changes={"people": "7"})
    assert (people_of(project), project.participations.count(), project.plans.count()) == (7, 0, 0)


def test_protocol_stays_once_somebody_has_a_place(user):
    place = rating_round(user)
    with pytest.raises(Refusal, match="The protocol can't be changed any more"):
        change_protocol(project=place.project, changes={"people": "7"})
    assert people_of(place.project) == 32


def test_protocol_stays_once_the_first_judgment_is_in(user):
    place = rating_round(user)
    rate_next(place)
    with pytest.raises(Refusal, match="The protocol can't be changed any"):
        change_protocol(project=place.project, changes={"people": "7"})
    assert people_of(place.project) == 32
