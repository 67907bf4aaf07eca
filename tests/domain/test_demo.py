"""The demo: accounts and projects of every preset, with some work done, made once."""

from collections import Counter

import pytest

from annotation.domain.demo import ACCOUNTS, ADMIN, ANNOTATOR, DEMOS, MANAGER, PASSWORD, make_accounts, make_projects
from annotation.models import Annotator, Judgment, Participation, Project, User
from annotation.permissions import managed_projects
from annotation.protocols.presets import PRESETS
from annotation.queries import tuple_counts
from tests.factories import NOON

MODELS = (Annotator, Judgment, Participation, Project, User)


def comparisons() -> dict[str, tuple]:
    """The tuples and answers of every best-worst project, and whether there is something to practise with."""
    compared = Project.objects.filter(tuples__isnull=False).distinct()
    return {project.key: (*tuple_counts(project), project.practice_tasks.exists()) for project in compared}


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
    single = ("sentences", "definitions", "scripts", "pairs", "pairs-ar", "pairs-am", "dialogues")
    assert places == Counter(rounds | {(key, "main") for key in single})
    assert mine.exclude(state="finished").count() == 9
    assert managed_projects(User.objects.get(email=MANAGER)).count() == len(DEMOS)
    assert comparisons() == {
        "pairs": ({"round": "main", "tuples": 48, "wanted": 96, "answers": 36}, True),
        "pairs-ar": ({"round": "main", "tuples": 12, "wanted": 24, "answers": 16}, False),
        "pairs-am": ({"round": "main", "tuples": 12, "wanted": 24, "answers": 16}, False),
        "dialogues": ({"round": "main", "tuples": 60, "wanted": 180, "answers": 36}, True),
    }


def test_accounts_have_the_password_printed_and_stay_as_they_are(db, client):
    users = make_accounts()
    User.objects.filter(email=MANAGER).update(first_name="Mary")

    again = make_accounts()

    assert list(users) == list(again) == list(ACCOUNTS)
    assert again[MANAGER].first_name == "Mary"
    assert [email for email, user in users.items() if user.is_superuser] == [ADMIN]
    assert all(user.check_password(PASSWORD) for user in again.values())
    assert client.post("/account/login/", {"login": ANNOTATOR, "password": PASSWORD}).status_code == 302
