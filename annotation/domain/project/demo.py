"""The demo: a project for every preset, with texts and some finished work, and an account for every role."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress

from annotation.domain.material import import_items
from annotation.domain.planning.rounds import plan_round
from annotation.domain.practice.importing import import_practice
from annotation.domain.project.creation import add_member, create_project, preset_values
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.domain.simulation.rounds import Behaviour, simulate_person, simulate_round
from annotation.models import Membership, Project, User
from annotation.presets.registration import Demo, Preset
from annotation.presets.registry import presets

PASSWORD = "semblance-demo"
SEED = 2021
ADMIN, MANAGER, RESEARCHER, ANNOTATOR = (
    f"{name}@example.org" for name in ("admin", "manager", "researcher", "annotator")
)
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


def make_projects(users: dict[str, User], now: datetime) -> list[Project]:
    """Make the demo projects of all presets, leave those that exist as they are, and return the new ones."""
    existing = set(Project.objects.values_list("key", flat=True))
    demos = [(preset, demo) for preset in presets().values() for demo in preset.demos()]
    return [_make(preset, demo, users, now) for preset, demo in demos if demo.key not in existing]


def _make(preset: Preset, demo: Demo, users: dict[str, User], now: datetime) -> Project:
    project = create_project(
        key=demo.key,
        now=now,
        title=demo.title,
        language=demo.language,
        seed=SEED,
        **preset_values(preset.protocol.key, demo.changes),
    )
    add_member(project=project, user=users[MANAGER], role=Membership.Role.MANAGER)
    add_member(project=project, user=users[RESEARCHER], role=Membership.Role.RESEARCHER)
    texts = preset.folder / "demo"
    import_items(project=project, path=texts / demo.file)
    PREPARE[demo.stage](project, users[ANNOTATOR], now)
    if demo.practice:
        # After the simulated people, who need no practice.
        import_practice(project=project, path=texts / demo.practice, now=now)
    return project


def _open_first_round(project: Project, annotator: User, now: datetime) -> None:
    """Plan the first round, with a place for the demo's annotator; the other places are free."""
    round_ = project.protocol.rounds[0]
    plan_round(project=project, round_key=round_.key)
    take_seat(project=project, round_key=round_.key, annotator=annotator_for(project, user=annotator))


def _half_collected(project: Project, annotator: User, now: datetime) -> None:
    """Open the first round, with the demo's annotator at the beginning and some others who are done."""
    _open_first_round(project, annotator, now)
    _simulate(project, project.protocol.rounds[0].key, now, people=3)


def _up_to_last_round(project: Project, annotator: User, now: datetime) -> None:
    """Finish all rounds but the last, with the demo's annotator in the last but one; plan the last for everybody."""
    *first, before, last = [round_.key for round_ in project.protocol.rounds]
    for key in first:
        plan_round(project=project, round_key=key)
        _simulate(project, key, now)
    plan_round(project=project, round_key=before)
    seat = take_seat(project=project, round_key=before, annotator=annotator_for(project, user=annotator))
    simulate_person(seat, behaviour=Behaviour(), seed=SEED, start=now - timedelta(days=30))
    _simulate(project, before, now)
    plan_round(project=project, round_key=last)


def _simulate(project: Project, round_key: str, now: datetime, people: int | None = None) -> None:
    for _ in simulate_round(
        project=project, round_key=round_key, people=people, behaviour=Behaviour(), seed=SEED, now=now
    ):
        pass


PREPARE = {"open": _open_first_round, "half collected": _half_collected, "last round": _up_to_last_round}
