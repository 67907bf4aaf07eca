import pytest

from annotation.domain.assigning import plan_round
from annotation.domain.errors import Refusal
from annotation.domain.projects import add_member, change_protocol
from annotation.models import Membership, Project
from tests.factories import add_pairs, make_project, rate_next, rating_round

pytestmark = pytest.mark.django_db

MANAGER, RESEARCHER = Membership.Role.MANAGER, Membership.Role.RESEARCHER


def people_of(project):
    return Project.objects.get(pk=project.pk).round("main").design.pools[0].people


def test_manager_may_enter_the_administration(user):
    project = make_project()
    add_member(project=project, user=user, role=RESEARCHER)
    assert not user.is_staff
    add_member(project=project, user=user, role=MANAGER)
    add_member(project=make_project(key="other"), user=user, role=MANAGER)
    user.refresh_from_db()
    assert user.is_staff
    assert [(one.project.key, one.role) for one in user.memberships.order_by("project__key")] == [
        ("other", "manager"),
        ("project", "manager"),
    ]


def test_protocol_changes_before_anything_is_planned():
    project = make_project()
    changed = change_protocol(project=project, changes={"people": "7", "maximum": "3"})
    assert people_of(project) == 7
    assert changed.protocol.scale.maximum == 3


def test_protocol_with_numbers_that_contradict_stays():
    project = make_project()
    with pytest.raises(Refusal, match="at least one rater"):
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
    with pytest.raises(Refusal, match="Somebody has a place already"):
        change_protocol(project=place.project, changes={"people": "7"})
    assert people_of(place.project) == 32


def test_protocol_stays_once_the_first_judgment_is_in(user):
    place = rating_round(user)
    rate_next(place)
    with pytest.raises(Refusal, match="The first judgment is in"):
        change_protocol(project=place.project, changes={"people": "7"})
    assert people_of(place.project) == 32
