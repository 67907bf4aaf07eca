"""The demo: accounts and projects of every preset, with some work done, made once."""

from collections import Counter

import pytest

from annotation.domain.demo import ACCOUNTS, ADMIN, ANNOTATOR, DEMOS, MANAGER, PASSWORD, make_accounts, make_projects
from annotation.models import Annotator, Judgment, Participation, Project, User
from annotation.permissions import managed_projects
from annotation.protocols.presets import PRESETS
from tests.factories import NOON

MODELS = (Annotator, Judgment, Participation, Project, User)


@pytest.mark.slow
def test_the_demo_has_work_for_everybody_and_is_made_once(db):
    made = make_projects(make_accounts(), NOON)
    counts = [model.objects.count() for model in MODELS]

    again = make_projects(make_accounts(), NOON)

    assert [project.key for project in made] == [demo.key for demo in DEMOS]
    assert {project.protocol.key for project in made} == set(PRESETS)
    assert (again, [model.objects.count() for model in MODELS]) == ([], counts)
    mine = Participation.objects.filter(annotator__user__email=ANNOTATOR)
    places = Counter((place.project.key, place.round) for place in mine)
    rounds = {("news-en", "R1"), ("news-cs", "R2"), ("news-cs", "R3")}
    assert places == Counter(rounds | {(key, "main") for key in ("sentences", "definitions", "scripts")})
    assert mine.exclude(state="finished").count() == 5
    assert managed_projects(User.objects.get(email=MANAGER)).count() == len(DEMOS)


def test_accounts_have_the_password_printed_and_stay_as_they_are(db, client):
    users = make_accounts()
    User.objects.filter(email=MANAGER).update(first_name="Mary")

    again = make_accounts()

    assert list(users) == list(again) == list(ACCOUNTS)
    assert again[MANAGER].first_name == "Mary"
    assert [email for email, user in users.items() if user.is_superuser] == [ADMIN]
    assert all(user.check_password(PASSWORD) for user in again.values())
    assert client.post("/account/login/", {"login": ANNOTATOR, "password": PASSWORD}).status_code == 302
