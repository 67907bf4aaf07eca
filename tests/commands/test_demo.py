"""The demo: accounts and projects of every preset, with some work done, made once."""

from collections import Counter
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command

from annotation.domain.project.demo import ACCOUNTS, ANNOTATOR, MANAGER, PASSWORD
from annotation.models import Annotator, Judgment, Participation, Project, User
from annotation.permissions import managed_projects
from annotation.presets.registry import presets
from annotation.queries import tuple_counts
from annotation.texts import direction
from tests.presets import PRESETS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
DEMOS = [demo for preset in presets().values() for demo in preset.demos()]
MODELS = (Annotator, Judgment, Participation, Project, User)


def demo() -> tuple[str, list[int]]:
    """What the command prints, and how much there is of everything afterwards."""
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue(), [model.objects.count() for model in MODELS]


def comparisons() -> dict[str, tuple]:
    """The tuples and answers of every best-worst project, and whether there is something to practise with."""
    compared = Project.objects.filter(tuples__isnull=False).distinct()
    return {project.key: (*tuple_counts(project), project.practice_tasks.exists()) for project in compared}


def test_demo_has_every_preset_and_role_and_work_for_everybody_and_is_made_once():
    text, counts = demo()

    assert {project.key for project in Project.objects.all()} == {demo.key for demo in DEMOS}
    assert {project.protocol.key for project in Project.objects.all()} == set(PRESETS)
    assert text.count("Created the project") == len(DEMOS)
    check_accounts(text)
    check_places()
    assert comparisons() == {
        "pairs": ({"round": "main", "tuples": 48, "wanted": 96, "answers": 36}, True),
        "pairs-ar": ({"round": "main", "tuples": 12, "wanted": 24, "answers": 16}, False),
        "pairs-am": ({"round": "main", "tuples": 12, "wanted": 24, "answers": 16}, False),
        "dialogues": ({"round": "main", "tuples": 60, "wanted": 180, "answers": 36}, True),
        "verdicts": ({"round": "main", "tuples": 48, "wanted": 96, "answers": 36}, False),
    }
    languages = Project.objects.get(key="scripts").items.values_list("language", flat=True)
    assert {direction(language) for language in languages} >= {"ltr", "rtl"}

    again, counts_again = demo()
    assert "Created the project" not in again
    assert counts_again == counts


def check_accounts(text: str) -> None:
    assert PASSWORD in text
    assert all(email in text for email in ACCOUNTS)
    assert all(User.objects.get(email=email).check_password(PASSWORD) for email in ACCOUNTS)
    assert set(EmailAddress.objects.filter(verified=True).values_list("email", flat=True)) == set(ACCOUNTS)
    assert managed_projects(User.objects.get(email=MANAGER)).count() == len(DEMOS)


def check_places() -> None:
    """There is something to do for the annotator in every project, and nobody has to wait for it."""
    assert not Participation.objects.filter(state="resting").exists()
    mine = Participation.objects.filter(annotator__user__email=ANNOTATOR)
    places = Counter((place.project.key, place.round) for place in mine)
    rounds = {("news-en", "R1"), ("news-cs", "R2"), ("news-cs", "R3")}
    single = (
        "sentences",
        "definitions",
        "scripts",
        "pairs",
        "pairs-ar",
        "pairs-am",
        "dialogues",
        "slider",
        "paraphrases",
        "verdicts",
        "two-contexts",
    )
    assert places == Counter(rounds | {(key, "main") for key in single})
    assert mine.exclude(state="finished").count() == 13
