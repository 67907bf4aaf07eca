"""Small projects seen over the API, and who looks at them."""

from collections.abc import Mapping
from decimal import Decimal
from hashlib import sha256

from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone

from annotation.domain.account.tokens import make_token
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import Membership, Project, User
from scoring.domain.runs.starting import start_run
from scoring.models import Machine, MachineRun, MachineScreen, Release, ReleaseFile, Run, State
from tests.factories import NOON, add_pairs, answer_session, join, make_project, make_user

PEOPLE = ("stranger", "annotator", "outsider", "researcher", "manager")
"""The outsider researches another project; only the last two may see this one."""
HOST, SECRET = "models.example.net", "sk-secret"


class Caller(Client):
    """A program with a token."""

    def __init__(self, key: str = "", **values: object) -> None:
        headers = {"Authorization": f"Token {key}"} if key else {}
        super().__init__(headers=headers, raise_request_exception=False, **values)

    def read(self, path: str, **parameters: object):
        return self.get(path, parameters)

    def send(self, path: str, body: object):
        return self.post(path, body, content_type="application/json")


def caller_of(user: User, **values: object) -> Caller:
    return Caller(make_token(user=user, **{"scope": "write"} | values)[1])


def rated_project(pairs: int = 3, key: str = "project") -> Project:
    """stss131 in small: one person has answered everything."""
    project = make_project("stss131", key)
    add_pairs(project, pairs)
    plan_round(project=project, round_key="main", people=2)
    answer_session(join(project, "main", make_user(f"ann-{key}")))
    return project


def member(project: Project, role: str, name: str = "") -> User:
    user = make_user(name or role)
    add_member(project=project, user=user, role=Membership.Role(role))
    return user


def callers(project: Project) -> dict[str, Caller]:
    """One of each kind of people, with a token that may write."""
    other = make_project("stss131", "other")
    return {
        "stranger": Caller(),
        "annotator": caller_of(User.objects.get(username=f"ann-{project.key}")),
        "outsider": caller_of(member(other, "researcher", "outsider")),
        "researcher": caller_of(member(project, "researcher")),
        "manager": caller_of(member(project, "manager")),
    }


def answered_by_model(project: Project) -> Machine:
    """A model, the first of all, with an invalid and a valid answer to one pair and a valid one to another."""
    asked = {"round": "main", "name": "judge", "model": "judge-1", "url": f"https://{HOST}/v1", "api_key": SECRET}
    machine = Machine.objects.create(pk=1, project=project, seed=5, created_at=NOON, started_at=NOON, **asked)
    MachineRun.objects.create(machine=machine, state=State.DONE, done=2, total=2)
    sent = {"prompt": "Two texts.", "seed": 5, "prompt_tokens": 100, "answer_tokens": 10}
    sent |= {"cost": Decimal("0.000115"), "milliseconds": 40, "answered_at": NOON}
    for position, item in enumerate(project.items.order_by("position")[:2], start=1):
        at = {"repeat": 1, "session": 1, "context": "free", "position": position}
        screen = machine.screens.create(item=item, state=MachineScreen.State.ANSWERED, **at)
        if position == 1:
            screen.answers.create(attempt=1, raw="two", problem="Not a number.", **sent)
        screen.answers.create(attempt=3 - position, value=2.0, raw='{"rating": 2}', **sent)
    return machine


def done_run(project: Project) -> Run:
    run = start_run(project=project, actor=None)
    ended = {"ended_at": timezone.now(), "drawn_at": timezone.now()}
    Run.objects.filter(pk=run.pk).update(state=State.DONE, results={"kind": "ratings"}, **ended)
    forms = {"svg": "<svg/>", "png": b"\x89PNG", "csv": "a\n1\n"}
    run.figures.create(name="scores", title="Scores", description="One pair.", **forms)
    return Run.objects.get(pk=run.pk)


CONVERTED = {
    "items.csv": b"item,sentence1,sentence2\r\np1,One.,Two.\r\n",
    "scores.csv": b"item,round,context,mean,sd,ratings\r\np1,main,free,2,,1\r\n",
    "judgments.jsonl": b"",
}
"""The files from which a release is converted for other programs."""


def done_release(
    project: Project,
    *,
    content: bytes = b"item,value\r\np1,2\r\n",
    number: int = 1,
    files: Mapping[str, bytes] | None = None,
) -> Release:
    """A release with one file, scores.csv, or with these files."""
    release = Release.objects.create(
        project=project,
        number=number,
        run=project.runs.first() or done_run(project),
        code_version="1",
    )
    for name, written in (files or {"scores.csv": content}).items():
        ReleaseFile.objects.create(
            release=release,
            name=name,
            file=ContentFile(written, name=name),
            sha256=sha256(written).hexdigest(),
            size=len(written),
            media_type="text/csv",
        )
    Release.objects.filter(pk=release.pk).update(state=State.DONE, manifest={"files": ["scores.csv"]}, sha256="0" * 64)
    return Release.objects.get(pk=release.pk)
