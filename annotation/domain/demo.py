"""The demo: a project for every preset with texts of its own, some work done, and an account for every role."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from allauth.account.models import EmailAddress

from annotation.domain.assigning import plan_round
from annotation.domain.importing import import_items
from annotation.domain.importing.practice import import_practice
from annotation.domain.projects import add_member, create_project
from annotation.domain.recruiting import annotator_for, take_seat
from annotation.domain.simulating import Behaviour, simulate_person, simulate_round
from annotation.models import Membership, Project, User

TEXTS = Path(__file__).resolve().parents[1] / "demo"
PASSWORD = "semblance-demo"
SEED = 2021
ADMIN, MANAGER, RESEARCHER, ANNOTATOR = (
    f"{name}@example.org" for name in ("admin", "manager", "researcher", "annotator")
)
ACCOUNTS = {
    ANNOTATOR: "annotator, with a place in every demo project",
    MANAGER: "manager of the demo projects",
    RESEARCHER: "researcher in the demo projects",
    ADMIN: "superuser",
}


@dataclass(frozen=True)
class Demo:
    """One demo project, and what has happened in it before somebody looks."""

    key: str
    title: str
    preset: str
    file: str
    language: str
    prepare: Callable[[Project, User, datetime], None]
    changes: dict[str, str] = field(default_factory=dict)
    practice: str = ""


def make_accounts() -> dict[str, User]:
    """The accounts by e-mail address; those that exist stay as they are."""
    users = {}
    for email in ACCOUNTS:
        user, new = User.objects.get_or_create(email=email, defaults={"username": email.split("@")[0]})
        if new:
            user.set_password(PASSWORD)
            user.is_superuser = user.is_staff = email == ADMIN
            user.opens_projects = email == MANAGER
            user.save()
            EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
        users[email] = user
    return users


def make_projects(users: dict[str, User], now: datetime) -> list[Project]:
    """The demo projects that are not there yet."""
    existing = set(Project.objects.values_list("key", flat=True))
    return [_make(demo, users, now) for demo in DEMOS if demo.key not in existing]


def _make(demo: Demo, users: dict[str, User], now: datetime) -> Project:
    project = create_project(
        key=demo.key,
        preset_key=demo.preset,
        changes=demo.changes,
        title=demo.title,
        language=demo.language,
        seed=SEED,
    )
    add_member(project=project, user=users[MANAGER], role=Membership.Role.MANAGER)
    add_member(project=project, user=users[RESEARCHER], role=Membership.Role.RESEARCHER)
    import_items(project=project, path=TEXTS / demo.file)
    demo.prepare(project, users[ANNOTATOR], now)
    if demo.practice:
        # After the simulated people, who need no practice.
        import_practice(project=project, path=TEXTS / demo.practice, now=now)
    return project


def _open_first_round(project: Project, annotator: User, now: datetime) -> None:
    """A place for the demo's annotator; the other places are free."""
    round_ = project.protocol.rounds[0]
    plan_round(project=project, round_key=round_.key)
    take_seat(project=project, round_key=round_.key, annotator=annotator_for(project, user=annotator))


def _half_collected(project: Project, annotator: User, now: datetime) -> None:
    """The demo's annotator at the beginning, and some others who are done."""
    _open_first_round(project, annotator, now)
    _simulate(project, project.protocol.rounds[0].key, now, people=3)


def _up_to_validation(project: Project, annotator: User, now: datetime) -> None:
    """R1 and R2 are done, the demo's annotator among the people of R2; R3 waits for everybody."""
    _simulate_round(project, "R1", now)
    plan_round(project=project, round_key="R2")
    seat = take_seat(project=project, round_key="R2", annotator=annotator_for(project, user=annotator))
    simulate_person(seat, behaviour=Behaviour(), seed=SEED, start=now - timedelta(days=30))
    _simulate(project, "R2", now)
    plan_round(project=project, round_key="R3")


def _simulate_round(project: Project, round_key: str, now: datetime) -> None:
    plan_round(project=project, round_key=round_key)
    _simulate(project, round_key, now)


def _simulate(project: Project, round_key: str, now: datetime, people: int | None = None) -> None:
    for _ in simulate_round(
        project=project, round_key=round_key, people=people, behaviour=Behaviour(), seed=SEED, now=now
    ):
        pass


DEMOS = (
    Demo(
        key="news-en",
        title="City news: selecting sentences",
        preset="czech_news",
        file="incidents-en.jsonl",
        language="en",
        prepare=_open_first_round,
        changes={"R1.incidents": "2", "R2.tuples": "6"},
    ),
    Demo(
        key="news-cs",
        title="Zprávy z regionů: validation",
        preset="czech_news",
        file="incidents-cs.jsonl",
        language="cs",
        prepare=_up_to_validation,
        changes={
            "R1.incidents": "2",
            "R2.tuples": "6",
            "R3.annotators": "2",
            "R3.tuples": "6",
            "R3.stack_size": "2",
            "R3.intra": "3",
            # Three minutes, so that the second session can be seen; the protocol has 72 hours.
            "R3.pause_hours": "0.05",
        },
    ),
    Demo(
        key="sentences",
        title="Everyday sentences, 0.0 to 4.0",
        preset="stss131",
        file="sentences.csv",
        language="en",
        prepare=_half_collected,
        changes={"people": "6"},
    ),
    Demo(
        key="definitions",
        title="Definitions from computer science",
        preset="dscs",
        file="definitions.csv",
        language="en",
        prepare=_half_collected,
    ),
    Demo(
        key="scripts",
        title="Pairs in many scripts",
        preset="stss131",
        file="scripts.csv",
        language="",
        prepare=_half_collected,
        changes={"people": "6"},
    ),
    Demo(
        key="pairs",
        title="Everyday pairs: the most and the least related",
        preset="semrel",
        file="pairs.csv",
        language="en",
        prepare=_half_collected,
        changes={"main.people": "2", "tuples_a_person": "12"},
        practice="practice-semrel.jsonl",
    ),
    Demo(
        key="pairs-ar",
        title="Pairs in Arabic",
        preset="semrel",
        file="pairs-ar.csv",
        language="ar",
        prepare=_half_collected,
        changes={"main.people": "2", "tuples_a_person": "8"},
    ),
    Demo(
        key="pairs-am",
        title="Pairs in Amharic",
        preset="semrel",
        file="pairs-am.csv",
        language="am",
        prepare=_half_collected,
        changes={"main.people": "2", "tuples_a_person": "8"},
    ),
    Demo(
        key="dialogues",
        title="What people say in a dialogue",
        preset="giccs",
        file="dialogues.jsonl",
        language="en",
        prepare=_half_collected,
        changes={"main.people": "3", "tuples_a_person": "12"},
        practice="practice-giccs.jsonl",
    ),
)
