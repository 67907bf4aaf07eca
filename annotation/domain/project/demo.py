"""The demo: projects of every preset, with people of every state, and an account for every role."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress

from annotation.domain.material import import_items
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.domain.practice.importing import import_practice
from annotation.domain.project.creation import add_member, create_project, preset_values
from annotation.domain.recruiting.links import make_link, path_of
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.domain.simulation.rounds import Behaviour, simulate_person
from annotation.models import Membership, Participation, Project, State, User
from annotation.presets.registration import Demo, Preset
from annotation.presets.registry import presets
from annotation.queries.people import free_seats

PASSWORD = "semblance-demo"
SEED = 2021
ADMIN, MANAGER, RESEARCHER, ANNOTATOR = (
    f"{name}@example.org" for name in ("admin", "manager", "researcher", "annotator")
)
EXCLUDED_BECAUSE = "Most answers are the opposite of those of all other annotators."
LINK_NOTE = "Demo"
OTHERS = 5
"""Places of people who have not finished: the demo's annotator, in progress, left, excluded, and one free place."""
OPENED = timedelta(days=40)
"""How long before now the demo projects were opened."""
ACCOUNTS = {
    ANNOTATOR: "annotator with a place in every demo project",
    MANAGER: "manager of the demo projects",
    RESEARCHER: "researcher in the demo projects",
    ADMIN: "superuser",
}


def make_accounts() -> dict[str, User]:
    """Return the demo's accounts by e-mail address; existing accounts stay as they are."""
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


def make_projects(users: dict[str, User], now: datetime) -> list[tuple[Demo, Project]]:
    """Make the demo projects of all presets, leave those that exist as they are, and return the new ones."""
    existing = set(Project.objects.values_list("key", flat=True))
    demos = [(preset, demo) for preset in presets().values() for demo in preset.demos()]
    return [(demo, _make(preset, demo, users, now)) for preset, demo in demos if demo.key not in existing]


def invitation_path(users: dict[str, User], now: datetime) -> str:
    """Return the path of an invitation link to the first demo project, made once; empty if that was deleted."""
    first = next((demo.key for preset in presets().values() for demo in preset.demos()), "")
    project = Project.objects.filter(key=first).first()
    if project is None:
        return ""
    link = project.links.filter(note=LINK_NOTE).first()
    if link is None:
        rounds = {"round_key": project.protocol.rounds[0].key}
        link = make_link(project=project, **rounds, note=LINK_NOTE, actor=users[MANAGER], now=now)
    return path_of(link)


def _make(preset: Preset, demo: Demo, users: dict[str, User], now: datetime) -> Project:
    project = create_project(
        key=demo.key,
        now=now - OPENED,
        title=demo.title,
        language=demo.language,
        seed=SEED,
        launched_at=now - OPENED,
        **preset_values(preset.protocol.key, demo.changes),
    )
    add_member(project=project, user=users[MANAGER], role=Membership.Role.MANAGER)
    add_member(project=project, user=users[RESEARCHER], role=Membership.Role.RESEARCHER)
    texts = preset.folder / "demo"
    import_items(project=project, path=texts / demo.file)
    items = project.items.order_by("pk").values_list("pk", flat=True)
    similarities = {pk: percent / 100 for pk, percent in zip(items, demo.similarities, strict=False)}
    STAGES[demo.stage](_Collection(project, users, now, similarities), demo.finished)
    if demo.practice:
        # After the simulated people, who need no practice.
        import_practice(project=project, path=texts / demo.practice, now=now)
    return project


@dataclass
class _Collection:
    """The people of a demo project."""

    project: Project
    users: dict[str, User]
    now: datetime
    similarities: dict[int, float]
    number: int = field(default=0)
    """Simulated people so far."""

    def plan(self, round_key: str, *, annotator: bool = True, people: int | None = None) -> None:
        """Plan a round, with a place for the demo's annotator if they take part in it.

        Parameters: people, the number of places of a round whose people share its answers.
        """
        is_open = self.project.round(round_key).design.is_open
        plan_round(project=self.project, round_key=round_key, people=people if is_open else None)
        if annotator:
            self.seat_annotator(round_key)

    def seat_annotator(self, round_key: str) -> Participation:
        annotator = annotator_for(self.project, user=self.users[ANNOTATOR])
        return take_seat(project=self.project, round_key=round_key, annotator=annotator)

    def _seat(self, round_key: str, pool: str = "") -> Participation:
        """Return the place of a simulated person from an earlier round, or of a new one."""
        simulated = self.project.participations.filter(annotator__user__isnull=True, annotator__isnull=False)
        if seat := simulated.filter(round=round_key, state=State.INVITED).order_by("seat").first():
            return seat
        self.number += 1
        annotator = annotator_for(self.project, external_id=f"simulated-{self.number}")
        return take_seat(project=self.project, round_key=round_key, annotator=annotator, pool=pool)

    def finish(
        self, round_key: str, people: int, *, first: timedelta, last: timedelta, hasty: int | None = None
    ) -> None:
        """Let people finish a round, beginning at even distances between two times before now.

        Parameters: hasty, the place of a person who answers well, and faster than anybody can read.
        """
        for place in range(people):
            start = self.now - first + (first - last) * place / people
            behaviour = Behaviour(hasty=1) if place == hasty else Behaviour()
            self._simulate(self._seat(round_key), behaviour, start, within=timedelta(hours=12))

    def lose(self, round_key: str, *, before: timedelta) -> None:
        """Let one person leave before the end, and exclude another who took the scale the wrong way round."""
        start, within = self.now - before, timedelta(hours=12)
        self._simulate(self._seat(round_key), Behaviour(leaving=1), start, within=within)
        pools = self.project.round(round_key).design.rater_pools
        contrary = self._seat(round_key, pools[-1].key if pools else "")
        self._simulate(contrary, Behaviour(contrary=1), start, within=within)
        # A pool that is screened by its known labels excludes them by that rule.
        if not (pools and pools[-1].contradictions_above):
            reason = {"reason": EXCLUDED_BECAUSE, "actor": self.users[MANAGER]}
            exclude(participation_id=contrary.pk, **reason, now=self.now - before / 2)

    def begin(self, round_key: str) -> None:
        """Let one person stop in the middle of a session today, and another, if there is a pause, at its beginning."""
        sessions = self.project.round(round_key).sessions
        for share in (0.5, 1.0)[: len(sessions)]:
            seat = self._seat(round_key)
            first = seat.assignments.filter(session=1).count() or seat.most or 0
            start, within = self.now - timedelta(hours=2), timedelta(minutes=30)
            self._simulate(seat, Behaviour(), start, within=within, screens=round(first * share))

    def _simulate(self, seat: Participation, behaviour: Behaviour, start: datetime, **values: Any) -> None:
        shared = {"seed": SEED, "similarities": self.similarities}
        simulate_person(seat, behaviour=behaviour, start=start, **shared, **values)


def _half_collected(collection: _Collection, finished: int) -> None:
    """Open the first round, with the demo's annotator at the beginning and some others who are done."""
    round_key = collection.project.protocol.rounds[0].key
    collection.plan(round_key)
    collection.finish(round_key, finished, first=timedelta(days=6), last=timedelta(days=1))


def _collected(collection: _Collection, finished: int) -> None:
    """Collect most of the first round, with people of every state."""
    round_key = collection.project.protocol.rounds[0].key
    collection.plan(round_key, people=finished + OTHERS)
    collection.lose(round_key, before=timedelta(days=14))
    collection.finish(round_key, finished, first=timedelta(days=12), last=timedelta(days=1), hasty=1)
    collection.begin(round_key)


def _second_round(collection: _Collection, finished: int) -> None:
    """Leave the demo's annotator and some places in the first round, and open the second one for what is ready."""
    first, second, *_ = [round_.key for round_ in collection.project.protocol.rounds]
    collection.plan(first)
    collection.finish(first, 2, first=timedelta(days=20), last=timedelta(days=15))
    collection.plan(second, annotator=False)
    collection.finish(second, finished, first=timedelta(days=12), last=timedelta(days=8))
    collection.begin(second)


def _last_round(collection: _Collection, finished: int) -> None:
    """Finish all rounds but the last, with the demo's annotator in the last but one, and open the last."""
    *earlier, last = [round_.key for round_ in collection.project.protocol.rounds]
    before = timedelta(days=38)
    for round_key in earlier:
        collection.plan(round_key, annotator=False)
        if round_key == earlier[-1]:
            seat = collection.seat_annotator(round_key)
            start = collection.now - before
            simulate_person(seat, behaviour=Behaviour(), seed=SEED, start=start)
            collection.lose(round_key, before=before)
        free = free_seats(collection.project.participations.filter(round=round_key)).count()
        collection.finish(round_key, free, first=before, last=before - timedelta(days=5), hasty=1)
        before -= timedelta(days=14)
    collection.plan(last, annotator=False)
    collection.finish(last, finished, first=timedelta(days=5), last=timedelta(days=3))
    collection.begin(last)


STAGES = {
    "half collected": _half_collected,
    "collected": _collected,
    "second round": _second_round,
    "last round": _last_round,
}
