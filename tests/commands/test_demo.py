"""The demo: accounts and projects of every preset, with some work done, made once."""

from collections import Counter
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.utils import timezone

from annotation.domain.jobs.engine import complete
from annotation.domain.jobs.engine import run as run_job
from annotation.domain.jobs.kinds import kind_named
from annotation.domain.project.demo import ACCOUNTS, ANNOTATOR, MANAGER, PASSWORD
from annotation.domain.recruiting.links import find_link
from annotation.models import Annotator, ItemFigures, JobState, Judgment, Participation, Project, State, User
from annotation.permissions import managed_projects
from annotation.presets.registry import presets
from annotation.queries.progress import tuple_counts
from annotation.texts import direction
from scoring.models import PersonStatistics, ProjectStatistics, Release, Run
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
    check_people()
    check_invitation(text)
    check_results()
    assert comparisons() == {
        "pairs": ({"round": "main", "tuples": 48, "wanted": 96, "answers": 74}, True),
        "pairs-ar": ({"round": "main", "tuples": 12, "wanted": 24, "answers": 16}, False),
        "dialogues": ({"round": "main", "tuples": 60, "wanted": 120, "answers": 86}, True),
        "verdicts": ({"round": "main", "tuples": 48, "wanted": 96, "answers": 86}, False),
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
    mine = Participation.objects.filter(annotator__user__email=ANNOTATOR)
    places = Counter((place.project.key, place.round) for place in mine)
    rounds = {("news-en", "R1"), ("news-cs", "R2"), ("news-cs", "R3")}
    single = (
        "sentences",
        "definitions",
        "scripts",
        "pairs",
        "pairs-ar",
        "dialogues",
        "slider",
        "paraphrases",
        "verdicts",
        "two-contexts",
    )
    assert places == Counter(rounds | {(key, "main") for key in single})
    assert not mine.filter(state=State.RESTING).exists()
    assert mine.exclude(state=State.FINISHED).count() == len(DEMOS)


def check_people() -> None:
    """Every preset has a project with people of every state; a second round is open where the first one is, too."""
    everyone = {State.INVITED, State.ACTIVE, State.FINISHED, State.LEFT, State.EXCLUDED}
    for project in Project.objects.filter(key__in=[demo.key for demo in DEMOS if demo.has_results]):
        rests = {State.RESTING} if any(round_.pause_hours for round_ in project.protocol.rounds) else set()
        assert set(project.participations.values_list("state", flat=True)) == everyone | rests, project.key
    states = Participation.objects.filter(project__key="news-en").values_list("round", "state")
    assert {("R1", State.INVITED), ("R1", State.FINISHED), ("R2", State.ACTIVE), ("R2", State.RESTING)} <= set(states)


def check_invitation(text: str) -> None:
    link = find_link(text.split("/join/")[1].split("/")[0])
    assert (link.project.key, link.round) == ("pairs", "main")
    assert link.project.participations.filter(annotator=None).exists()


def check_results() -> None:
    """The worker finds statistics, runs and releases to compute; a release waits for its run."""
    assert ProjectStatistics.objects.filter(state=JobState.WAITING).count() == len(DEMOS)
    assert set(Run.objects.values_list("state", "parameters__splits")) == {(JobState.WAITING, 1000)}
    assert Run.objects.count() == Release.objects.count() == len(PRESETS)
    project = Project.objects.get(key="two-contexts")
    release = project.releases.get()
    assert run_job("release", release.pk, timezone.now()) is None

    run = complete(project.runs.get())
    assert ("release", release.pk) in kind_named("run").followers(run)
    assert complete(release).state == JobState.DONE
    for project in Project.objects.filter(key__in=["two-contexts", "news-cs"]):
        complete(project.statistics)
        assert PersonStatistics.objects.filter(participation__project=project, open_flags__gt=0).exists()
        assert ItemFigures.objects.filter(project=project, disputed=True).exists()
