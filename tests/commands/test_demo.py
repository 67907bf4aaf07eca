from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command

from annotation.domain.demo import ACCOUNTS, ANNOTATOR, PASSWORD
from annotation.models import Judgment, Participation, Project, User
from annotation.protocols.presets import PRESETS
from annotation.texts import direction

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def demo():
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def test_demo_has_every_preset_and_role_and_is_made_once():
    text = demo()
    projects, judgments = Project.objects.count(), Judgment.objects.count()

    assert {project.protocol.key for project in Project.objects.all()} == set(PRESETS)
    assert text.count("made the project") == projects
    assert PASSWORD in text
    assert all(email in text for email in ACCOUNTS)
    assert all(User.objects.get(email=email).check_password(PASSWORD) for email in ACCOUNTS)
    assert set(EmailAddress.objects.filter(verified=True).values_list("email", flat=True)) == set(ACCOUNTS)
    assert not Participation.objects.filter(state="resting").exists()

    places = Participation.objects.filter(annotator__user__email=ANNOTATOR)
    assert {place.project for place in places} == set(Project.objects.all())
    assert {place.round for place in places.filter(project__key="news-cs")} == {"R2", "R3"}
    languages = Project.objects.get(key="scripts").items.values_list("language", flat=True)
    assert {direction(language) for language in languages} >= {"ltr", "rtl"}

    again = demo()
    assert "made the project" not in again
    assert (Project.objects.count(), Judgment.objects.count()) == (projects, judgments)
