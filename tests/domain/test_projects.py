"""Projects made from presets, their members, and their numbers."""

from decimal import Decimal

import pytest

from annotation.domain.assigning import plan_round
from annotation.domain.errors import Refusal
from annotation.domain.projects import add_member, change_protocol, create_project, log_changes
from annotation.models import AuditEntry, Membership, Project, TuplePlace
from annotation.protocols.presets import PRESETS
from tests.factories import NOON, add_pairs, make_project, make_user, rate_next, rating_round


@pytest.mark.parametrize("preset", PRESETS)
def test_create_project_copies_the_preset_with_texts_to_begin_with(db, preset):
    create_project(key="one", preset_key=preset, language="cs", seed=7)

    project = Project.objects.get()
    assert project.protocol == PRESETS[preset]
    assert (str(project), project.title, project.language, project.seed) == ("one", "one", "cs", 7)
    assert project.guidelines and project.consent


def test_create_project_takes_a_title_and_changes(db):
    create_project(key="city-news", preset_key="czech_news", changes={"R3.intra": "3"}, title="City news")

    project = Project.objects.get()
    assert (project.title, project.round("R3").design.intra) == ("City news", 3)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"key": "City News"}, "cannot be a project's key"),
        ({"key": "a" * 51}, "cannot be a project's key"),
        ({"key": "news\n"}, "cannot be a project's key"),
        ({"key": "taken"}, "There is a project “taken” already."),
        ({"preset_key": "nothing"}, "There is no preset “nothing”"),
        ({"changes": {"R9.intra": "3"}}, "This protocol has no number “R9.intra”"),
        ({"seed": -1}, "A seed is a whole number from 0 on."),
        ({"title": "x" * 201}, "title: "),
    ],
)
def test_create_project_is_refused(db, values, reason):
    make_project(key="taken")

    with pytest.raises(Refusal, match=reason):
        create_project(**{"key": "one", "preset_key": "czech_news"} | values)

    assert Project.objects.count() == 1


@pytest.mark.parametrize(("role", "staff"), [("manager", True), ("researcher", False)])
def test_managers_may_enter_the_administration_pages(db, role, staff):
    project, user = make_project(), make_user()

    membership = add_member(project=project, user=user, role=Membership.Role(role))

    user.refresh_from_db()
    assert (user.is_staff, str(membership)) == (staff, f"ann as {role} of project")


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
    with pytest.raises(Refusal, match="does not lead from 0 to 4"):
        change_protocol(project=make_project("stss131"), changes={"scale.step": "0.3"})

    assert Project.objects.get().protocol.scale.step == Decimal("0.1")


def test_change_protocol_is_refused_after_the_first_judgment(user):
    participation = rating_round(user)
    rate_next(participation)

    with pytest.raises(Refusal, match="The first judgment is in"):
        change_protocol(project=participation.project, changes={"scale.step": "0.5"})


def test_a_form_saved_without_a_change_is_no_entry(user):
    project = make_project()
    log_changes(project=project, fields=[], actor=user, now=NOON)
    log_changes(project=project, fields=["title"], actor=user, now=NOON)
    entries = AuditEntry.objects.values_list("project", "actor", "action", "details", "at")
    assert list(entries) == [(project.pk, user.pk, "project changed", {"fields": ["title"]}, NOON)]
