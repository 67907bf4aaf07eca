"""What the database itself refuses, and how rows are called."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.models import (
    Annotator,
    AuditEntry,
    Document,
    Incident,
    Item,
    Membership,
    Sentence,
)
from tests.factories import NOON, make_project, present_screen, rate_next, rating_round, select_next, selection_round

pytestmark = pytest.mark.postgres


def refuses(constraint: str, write) -> None:
    """The write breaks that constraint; SQLite names columns where PostgreSQL names the constraint."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        write()
    assert constraint in str(error.value) or "UNIQUE constraint failed" in str(error.value)


def copy_of(row, **values: object):
    """The same row once more, with some values changed."""
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return lambda: type(row)(**fields | {"id": None} | values).save(force_insert=True)


def changed(row, **values: object):
    return lambda: type(row).objects.filter(pk=row.pk).update(**values)


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        ("one_participation_a_seat", {"annotator_id": None, "state": "invited"}),
        ("one_participation_a_person_and_round", {"seat": 9}),
        ("only_people_work", {"seat": 9, "annotator_id": None}),
        ("an_end_has_a_reason", {"seat": 9, "annotator_id": None, "state": "left"}),
        ("an_end_has_a_reason", {"seat": 9, "annotator_id": None, "state": "excluded"}),
    ],
)
def test_participations_are_guarded(user, constraint, values):
    refuses(constraint, copy_of(rating_round(user), **values))


def test_a_finished_participation_has_a_time(user):
    refuses("finished_has_a_time", changed(rating_round(user), state="finished"))


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        ("one_screen_a_position", {"item_id": None, "sentence_id": None}),
        ("an_item_once_a_block", {"position": 9}),
        ("an_item_a_sentence_or_a_tuple", {"position": 9, "item_id": None}),
    ],
)
def test_assignments_are_guarded(user, constraint, values):
    screen = present_screen(rating_round(user))
    if constraint == "one_screen_a_position":
        values = {"item_id": Item.objects.create(project=screen.participation.project, key="x", position=9).pk}

    refuses(constraint, copy_of(screen, **values))


def test_a_sentence_is_selected_for_once_a_session(user):
    screen = present_screen(selection_round(user))

    refuses("a_sentence_once_a_session", copy_of(screen, position=9))
    refuses(
        "an_item_a_sentence_or_a_tuple",
        changed(screen, item=Item.objects.create(project=screen.participation.project, key="x", position=9)),
    )


def test_a_screen_is_shown_before_it_is_answered(user):
    screen = rate_next(rating_round(user)).assignment

    refuses("shown_before_answered", changed(screen, shown_at="2031-01-01T00:00:00Z"))


def test_an_assignment_has_one_current_judgment_and_one_a_key(user):
    judgment = rate_next(rating_round(user))

    refuses("one_current_judgment_an_assignment", copy_of(judgment, key=uuid4()))
    refuses("one_judgment_a_key", copy_of(judgment, superseded_at=NOON))


def test_a_selection_has_one_pair_a_role_and_one_role_a_pair(user):
    first, second, _ = select_next(selection_round(user)).pairs.order_by("role")

    refuses("one_pair_a_role", changed(second, role=first.role))
    refuses("one_role_a_pair", changed(second, item=first.item))


def test_texts_have_their_own_places_and_keys(user):
    select_next(selection_round(user))
    item = Item.objects.first()
    refuses("one_incident_a_key", copy_of(Incident.objects.first()))
    refuses("one_document_a_position", copy_of(Document.objects.first()))
    refuses("one_sentence_a_position", copy_of(Sentence.objects.first()))
    refuses("one_item_a_key", copy_of(item, summary_sentence_id=None, report_sentence_id=None))
    refuses("one_item_a_pair_of_sentences", copy_of(item, key="x"))
    changed(item, calibration_order=1)()
    refuses("one_item_a_calibration_place", changed(Item.objects.exclude(pk=item.pk)[0], calibration_order=1))


def test_people_are_known_once_a_project(user):
    project = make_project()
    by_account = Annotator.objects.create(project=project, user=user, pseudonym="a")
    outside = Annotator.objects.create(project=project, external_id="W1", pseudonym="b")
    role = Membership.objects.create(project=project, user=user, role="researcher")

    refuses("one_annotator_an_account", copy_of(by_account, pseudonym="c"))
    refuses("one_annotator_an_outside_id", copy_of(outside, pseudonym="c"))
    refuses("one_annotator_a_pseudonym", copy_of(outside, external_id="W2"))
    refuses("one_role_a_person_and_project", copy_of(role, role="manager"))


def test_rows_are_called_by_what_people_know(user):
    participation = selection_round(user)
    judgment = select_next(participation)
    incident, document = Incident.objects.first(), Document.objects.first()
    entry = AuditEntry.objects.create(project=participation.project, action="left", at=NOON)

    assert [str(row) for row in (participation, judgment.assignment, incident, document, entry)] == [
        "R1 place 1",
        "R1 place 1, session 1, screen 1",
        "Incident 1",
        "summary0",
        "left 2026-03-02 12:00",
    ]
    assert [str(row) for row in (judgment, judgment.pairs.get(role="A"), judgment.assignment.sentence)] == [
        f"judgment {judgment.pk}",
        f"A of judgment {judgment.pk}",
        judgment.assignment.sentence.text,
    ]
    assert str(Item.objects.first()) == Item.objects.first().key
    incident.title, document.title = "", "A report"
    assert (str(incident), str(document)) == ("i1", "A report")
