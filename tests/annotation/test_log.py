"""The log stays as it is, whoever tries to change it, and by whatever way."""

import ast
from inspect import signature
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils.functional import Promise

from annotation.domain.audit.log import write_down
from annotation.models import AuditEntry, PracticePart, Project, audit_actions
from annotation.models.audit_actions import Action, action_name, detail_name
from annotation.models.guarding import TABLE, guard_log
from annotation.models.log import Unchangeable
from scoring.models.audit_actions import ScoringAction
from tests.factories import NOON, make_project, make_user, rating_round


@pytest.fixture
def entry(user) -> AuditEntry:
    place = rating_round(user)
    return AuditEntry.objects.create(
        project=place.project, participation=place, actor=user, action="excluded", reason="Careless.", at=NOON
    )


def by_hand(statement: str, *values: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.mark.postgres
def test_an_entry_is_neither_changed_nor_deleted_by_the_orm(entry):
    entry.reason = "Another."

    for act in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(reason="Another."),
        lambda: AuditEntry.objects.bulk_update([entry], ["reason"]),
        lambda: AuditEntry.objects.update_or_create(pk=entry.pk, defaults={"reason": "Another."}),
    ):
        with pytest.raises(Unchangeable):
            act()
    assert AuditEntry.objects.get().reason == "Careless."


@pytest.mark.postgres
@pytest.mark.parametrize(
    "change",
    [
        "reason = 'x'",
        "details = '{}'",
        "at = '2020-01-01 00:00:00+00:00'",
        "action = 'left'",
        "project_key = 'x'",
        "place = ''",
        "id = 77",
    ],
)
def test_an_entry_is_not_changed_by_hand(entry, change):
    if connection.vendor == "postgresql":
        change = change.replace("details = '{}'", """details = '{"a": 1}'""")
    with pytest.raises(IntegrityError, match="neither changed nor deleted"):
        by_hand(f"UPDATE {TABLE} SET {change}")
    assert AuditEntry.objects.get(pk=entry.pk).reason == "Careless."


@pytest.mark.postgres
def test_an_entry_is_not_deleted_by_hand(entry):
    with pytest.raises(IntegrityError, match="neither changed nor deleted"):
        by_hand(f"DELETE FROM {TABLE}")
    assert AuditEntry.objects.exists()


@pytest.mark.postgres
@pytest.mark.parametrize("reference", ["project_id", "participation_id", "actor_id"])
def test_a_reference_may_end_but_not_move(entry, reference):
    make_project(key="other")
    others = {
        "project_id": Project.objects.get(key="other").pk,
        "participation_id": entry.project.participations.exclude(pk=entry.participation_id).get().pk,
        "actor_id": make_user("other").pk,
    }
    with pytest.raises(IntegrityError, match="neither changed nor deleted"):
        by_hand(f"UPDATE {TABLE} SET {reference} = %s", others[reference])

    by_hand(f"UPDATE {TABLE} SET {reference} = NULL")

    assert AuditEntry.objects.values_list(reference, flat=True).get() is None
    with pytest.raises(IntegrityError, match="neither changed nor deleted"):
        by_hand(f"UPDATE {TABLE} SET {reference} = %s", getattr(entry, reference))


@pytest.mark.postgres
def test_the_log_outlives_project_place_and_account(entry, user):
    project = entry.project
    project.participations.exclude(pk=entry.participation_id).delete()
    entry.participation.assignments.all().delete()
    project.participations.all().delete()
    project.annotators.all().delete()
    user.delete()
    project.delete()

    kept = AuditEntry.objects.get()
    assert (kept.project, kept.participation, kept.actor) == (None, None, None)
    assert (kept.project_key, kept.place, kept.by, kept.reason) == ("project", "main place 1", "member", "Careless.")


@pytest.mark.postgres
def test_what_nobody_did_was_the_system(db):
    entry = AuditEntry.objects.create(project=make_project(), action="x", at=NOON)

    assert (entry.by, entry.place, entry.get_by_display()) == ("system", "", "the system")


@pytest.mark.postgres
def test_the_guard_can_be_made_again_and_again(entry):
    guard_log()
    guard_log()

    with pytest.raises(IntegrityError):
        by_hand(f"DELETE FROM {TABLE}")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [1, 2])
def test_the_guard_is_there_after_the_tables_were_emptied(turn):
    """The second of the two runs comes after the first was cleaned away."""
    assert not AuditEntry.objects.exists()
    AuditEntry.objects.create(project=make_project(), action="x", at=NOON)

    with pytest.raises(IntegrityError, match="neither changed nor deleted"):
        by_hand(f"DELETE FROM {TABLE}")


# what actions and details are called

WRITERS = ("write_down", "_log")
PARAMETERS = signature(write_down).parameters.keys()
COUNTED = set(PracticePart.values)  # of a practice set: its details are not written out in the code


def words_of(node: ast.expr | None) -> set[str]:
    """The texts that an expression may have for its value, as far as they stand in it."""
    if isinstance(node, ast.IfExp):
        return words_of(node.body) | words_of(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def keys_of(node: ast.expr) -> set[str]:
    """The keys of the dictionaries of which an expression is put together."""
    match node:
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            return keys_of(one) | keys_of(other)
        case ast.Dict(keys=keys):
            return {word for key in keys for word in words_of(key)}
    return set()


def assigned(tree: ast.AST, name: str) -> list[ast.expr]:
    assignments = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    return [node.value for node in assignments if [getattr(one, "id", "") for one in node.targets] == [name]]


def entries_written(tree: ast.AST) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) in WRITERS]


def details_in(tree: ast.AST) -> set[str]:
    """As arguments, by their names, and as keys of a dictionary that is given whole or was called `details` before."""
    calls = entries_written(tree)
    named = {one.arg for call in calls for one in call.keywords if one.arg}
    given = [argument for call in calls for argument in call.args]
    return (named | {key for one in (*assigned(tree, "details"), *given) for key in keys_of(one)}) - PARAMETERS


@pytest.fixture(scope="module")
def sources() -> list[str]:
    root = Path(__file__).resolve().parents[2]
    files = [path for app in ("annotation", "scoring") for path in (root / app).rglob("*.py")]
    return [path.read_text(encoding="utf-8") for path in files if path.name != "audit_actions.py"]


@pytest.mark.parametrize("actions", [Action, ScoringAction])
def test_every_action_of_the_log_is_written_and_has_a_name_on_the_pages(sources, actions):
    never = [one for one in actions if not any(f"{actions.__name__}.{one.name}" in text for text in sources)]

    assert never == []
    assert all(isinstance(one.label, Promise) and action_name(one.value) == one.label for one in actions)


def test_an_action_that_nobody_registered_is_not_written(db):
    project = make_project()

    with pytest.raises(ValueError, match="“project painted” is not registered"):
        write_down("project painted", project, actor=None, now=NOON)

    assert not project.audit_entries.exists()


def test_an_action_keeps_the_words_that_are_stored(user):
    entry = write_down(Action.REINSTATED, make_project(), actor=user, now=NOON)

    assert AuditEntry.objects.values_list("action", flat=True).get(pk=entry.pk) == "restored"


def test_every_detail_of_the_log_has_a_name_on_the_pages(sources):
    written = {detail for text in sources for detail in details_in(ast.parse(text))} | COUNTED

    assert written == audit_actions._details.keys()


def test_what_an_earlier_version_wrote_is_told_in_its_own_words():
    assert (action_name("restored"), action_name("something old")) == ("reinstated", "something old")
    assert (detail_name("further"), detail_name("old")) == ("additional judgments per item", "old")
