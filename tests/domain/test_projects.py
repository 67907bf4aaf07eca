"""Projects made from presets, their members, and their numbers."""

from decimal import Decimal

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member, change_protocol, create_project, log_changes, preset_values
from annotation.models import AuditEntry, Membership, Project, TuplePlace
from tests.factories import NOON, add_pairs, make_project, make_user, rate_next, rating_round
from tests.presets import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_create_project_copies_the_preset_with_texts_to_begin_with(db, preset):
    create_project(key="one", language="cs", seed=7, now=NOON, **preset_values(preset))

    project = Project.objects.get()
    assert project.protocol == PRESETS[preset]
    assert (str(project), project.title, project.language, project.seed) == ("one", "one", "cs", 7)
    assert project.guidelines and project.consent


def test_create_project_takes_a_title_and_changes(db):
    create_project(key="city-news", title="City news", now=NOON, **preset_values("czech_news", {"R3.intra": "3"}))

    project = Project.objects.get()
    assert (project.title, project.round("R3").design.intra) == ("City news", 3)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"key": "City News"}, "is not a valid project key"),
        ({"key": "a" * 51}, "is not a valid project key"),
        ({"key": "news\n"}, "is not a valid project key"),
        ({"key": "taken"}, "The key “taken” is already taken. Choose another key."),
        ({"seed": -1}, "The random seed must be a whole number, 0 or greater."),
        ({"title": "x" * 201}, "title: "),
    ],
)
def test_create_project_is_refused(db, values, reason):
    make_project(key="taken")

    with pytest.raises(Refusal, match=reason):
        create_project(**{"key": "one", "now": NOON} | preset_values("czech_news") | values)

    assert Project.objects.count() == 1


@pytest.mark.parametrize(
    ("preset", "changes", "reason"),
    [
        ("nothing", {}, "There is no preset “nothing”"),
        ("czech_news", {"R9.intra": "3"}, "This protocol has no setting “R9.intra”"),
    ],
)
def test_what_no_preset_has_is_refused(preset, changes, reason):
    with pytest.raises(Refusal, match=reason):
        preset_values(preset, changes)


@pytest.mark.parametrize("owned", [True, False])
def test_who_creates_a_project_is_in_its_log(user, owned):
    project = create_project(key="one", now=NOON, owner=user if owned else None, **preset_values("semrel"))

    (entry,) = project.audit_entries.all()
    assert (entry.action, entry.details, entry.at) == ("project created", {"protocol": "semrel"}, NOON)
    assert (entry.actor, entry.by) == ((user, "member") if owned else (None, "system"))
    assert (project.draft, project.memberships.count()) == (owned, int(owned))


def test_a_member_has_one_role_a_project(db):
    project, user = make_project(), make_user()

    for role in (Membership.Role.MANAGER, Membership.Role.RESEARCHER, Membership.Role.MANAGER):
        add_member(project=project, user=user, role=role)

    assert list(Membership.objects.values_list("role", flat=True)) == ["manager"]


def test_change_protocol_changes_numbers(db):
    project = change_protocol(project=make_project("stss131"), changes={"scale.step": "0.5"})

    assert project.protocol.scale.step == Project.objects.get().protocol.scale.step == Decimal("0.5")


@pytest.mark.parametrize("open_", ["true", "false"])
def test_change_protocol_removes_tuples_planned_with_the_old_numbers(db, open_):
    project = make_project("semrel", open=open_)
    add_pairs(project, 12)
    plan_round(project=project, round_key="main")

    changed = change_protocol(project=project, changes={"tuple_size": "5"})

    left = [rows.count() for rows in (project.tuples, project.participations, project.plans, TuplePlace.objects)]
    assert left == [0, 0, 0, 0]
    assert plan_round(project=changed, round_key="main")["tuples"] == 24
    assert TuplePlace.objects.count() == 5 * 24


def test_change_protocol_is_refused_for_numbers_that_contradict(db):
    with pytest.raises(Refusal, match=r"not a multiple of the step 0\.3"):
        change_protocol(project=make_project("stss131"), changes={"scale.step": "0.3"})

    assert Project.objects.get().protocol.scale.step == Decimal("0.1")


def test_change_protocol_is_refused_after_the_first_judgment(user):
    participation = rating_round(user)
    rate_next(participation)

    with pytest.raises(Refusal, match="The protocol can't be changed any"):
        change_protocol(project=participation.project, changes={"scale.step": "0.5"})


def test_a_form_saved_without_a_change_is_no_entry(user):
    project = make_project()
    log_changes(project=project, fields=[], actor=user, now=NOON)
    log_changes(project=project, fields=["title"], actor=user, now=NOON)
    entries = AuditEntry.objects.values_list("project", "actor", "action", "details", "at")
    assert list(entries) == [(project.pk, user.pk, "project changed", {"fields": ["title"]}, NOON)]
