"""Pages of an open round of ratings: consent, screens, the end, the home page, numbers, overview, preview; the API."""

from decimal import Decimal

import pytest

from annotation.domain.participation.lifecycle import consent
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.models import State
from annotation.planning.costs import Material, round_costs
from annotation.protocols.errors import ProtocolError
from annotation.protocols.settings import with_settings
from scoring.domain.forecasts.costs import Wish
from scoring.domain.forecasts.forecasts import outlook
from tests.api.worlds import caller_of, member
from tests.domain.rating_pool import open_project, rate_lent
from tests.factories import NOON, add_pairs, make_project, reread
from tests.presets import PRESETS
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db


def begun(user, **changes):
    """A place of the person with consent given."""
    project = open_project(8, **changes)
    place = take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user))
    return consent(participation_id=place.pk, now=NOON)


@pytest.mark.parametrize(("most", "told"), [("4", "up to 5 screens"), ("0", "as many pairs as you like")])
def test_consent_says_how_much_there_is(user, most, told):
    project = open_project(8, calibration=1, items_a_person=most)
    place = take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user))

    assert told in client_of(user).get(f"/my-work/{place.pk}/").text


def test_screens_count_up_to_the_maximum_and_cannot_be_ended_before(user):
    place, client = begun(user), client_of(user)
    rate_lent(place)
    page = client.get(f"/my-work/{place.pk}/")

    assert "2 of 4" in page.text and "Finish here" not in page.text
    assert "1 of up to 4 answered" in client.get("/").text


def test_without_a_maximum_the_round_can_be_ended_after_an_answer(user):
    place, client = begun(user, items_a_person="0"), client_of(user)
    assert "Finish here" not in client.get(f"/my-work/{place.pk}/").text
    rate_lent(place)
    page = client.get(f"/my-work/{place.pk}/")
    assert "Finish here" in page.text and "Pair 2" in page.text and "1 answered so far" in page.text

    client.post(f"/my-work/{place.pk}/stop/")

    assert reread(place).state == State.FINISHED


def test_the_api_and_the_overview_count_the_ratings_that_the_pool_wants(user):
    place = begun(user)
    rate_lent(place)
    manager = member(place.project, "manager")

    (told,) = caller_of(manager).get(f"/api/v1/projects/{place.project.key}/progress/").json()["rounds"]
    page = client_of(manager).get(f"/projects/{place.project.key}/")

    assert (told["answers_wanted"], told["answers"], told["tuples"]) == (24, 1, None)
    assert (told["screens"], told["answered"]) == (24, 1)
    assert "1 of 24 ratings collected from the common pool." in page.text


def test_the_preview_shows_a_pair_before_anything_is_planned(user):
    project = make_project("dscs", open="true", items_a_person="4")
    add_pairs(project, 3)
    client = client_of(member(project, "manager"))

    assert "1 of 4" in client.get(f"/projects/{project.key}/preview/rating/").text


def test_a_maximum_without_a_pool_is_refused():
    with pytest.raises(ProtocolError, match="A maximum per person is only"):
        with_settings(PRESETS["dscs"], {"items_a_person": "20"})


def test_costs_and_forecasts_tell_the_people_of_an_open_round():
    protocol = with_settings(PRESETS["dscs"], {"open": "true", "items_a_person": "30"})
    [cost] = round_costs(protocol, Material(items=100))
    found = outlook(Wish(protocol, protocol.rounds[0], Material(items=100), pay=Decimal(12)))

    # 500 ratings of students and 1000 of the crowd, 30 by each person
    assert (cost.people, cost.screens, cost.judgments) == (17 + 34, 30, 1500)
    [planned] = [line for line in found.lines if line.planned]
    assert (planned.people, planned.cost.people, planned.cost.judgments) == (15, 51, 1500)
