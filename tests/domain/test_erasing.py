"""A person's own data: what they can take away, and what is left after they are erased."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models

from annotation.domain.account.erasure import erase_account, erase_annotator, erase_outsider
from annotation.domain.account.own_data import own_data
from annotation.domain.account.tokens import make_token
from annotation.domain.errors import Refusal
from annotation.domain.messages.messages import send_message
from annotation.domain.participation.lifecycle import leave
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.overview import annotator_for
from annotation.models import (
    Annotator,
    AuditEntry,
    Bonus,
    CrowdStudy,
    CrowdSubmission,
    InvitationLink,
    InvitedAddress,
    Judgment,
    Mailing,
    MemberInvitation,
    Membership,
    Participation,
    PersonalAnswer,
    Question,
    User,
)
from scoring.exports.judgments import export_judgments
from tests.crowds import arrive, make_study, pid, sid
from tests.factories import NOON, answer_all, at_once, make_project, make_user, rate_next, rating_round, reread
from tests.releases.making import frozen_now

pytestmark = pytest.mark.postgres

Role = Membership.Role


def known_person(user: User) -> Participation:
    """Somebody about whom every kind of thing is stored."""
    participation = rating_round(user)
    project = participation.project
    rate_next(participation)
    EmailAddress.objects.create(user=user, email="ann@example.org", verified=True)
    EmailAddress.objects.create(user=user, email="ann@work.example.org", verified=True)
    send_message(participation_id=participation.pk, text="Dear Ann", actor=make_user("boss"), now=NOON)
    question = Question.objects.create(project=project, position=1, text="Where do you live?")
    PersonalAnswer.objects.create(question=question, annotator=participation.annotator, text="Annville")
    MemberInvitation.objects.create(project=project, email="ann@work.example.org", role="manager", invited_at=NOON)
    mailing = Mailing.objects.create(project=project, round="main")
    link = InvitationLink.objects.create(project=project, round="main", kind="personal", token="t", note="Ann at work")
    InvitedAddress.objects.create(
        project=project, mailing=mailing, link=link, round="main", address="ann@example.org", name="Ann"
    )
    make_token(user=user, name="Ann's notebook")
    add_member(project=project, user=user, role=Role.RESEARCHER)
    LogEntry.objects.create(
        user=make_user("root"),
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(user.pk),
        object_repr="ann",
        action_flag=CHANGE,
    )
    return participation


def everywhere(*words: str) -> list[str]:
    """Where in the whole database one of the words stands."""
    return [
        f"{model.__name__}.{field.name}: {value}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField | models.JSONField)
        for value in model._base_manager.values_list(field.name, flat=True)
        if any(word.lower() in str(value).lower() for word in words)
    ]


def test_nothing_in_the_database_names_who_was_erased(user):
    participation = known_person(user)
    pseudonym = participation.annotator.pseudonym
    assert len(everywhere("ann")) > 8

    erase_account(user=user, now=NOON)

    assert everywhere("ann@", "annville", "dear ann", "ann at", "ann's", pseudonym) == []
    assert not User.objects.filter(username="ann").exists()
    erased = Annotator.objects.get(pk=participation.annotator_id)
    assert (erased.user, erased.external_id, erased.erased_at) == (None, "", NOON)
    assert str(erased) == erased.pseudonym != pseudonym and len(erased.pseudonym) == 12
    assert Judgment.objects.get().assignment.participation.annotator == erased


def test_rounds_that_are_not_finished_end_and_others_take_over(user):
    participation = rating_round(user)
    rate_next(participation)
    finished = answer_all(rating_round(user, key="finished"))

    erase_account(user=user, now=NOON)

    left = reread(participation)
    assert (left.state, left.reason, left.refill.assignments.count()) == ("left", "Erased.", 3)
    assert reread(finished).state == "finished"


def test_the_words_of_who_had_left_go_too(user):
    participation = rating_round(user)
    leave(participation_id=participation.pk, reason="I, Ann, am ill.", now=NOON)

    erase_account(user=user, now=NOON)

    assert everywhere("I, Ann") == []
    assert reread(participation).reason == "Erased."


def test_the_log_keeps_what_was_done_without_the_name(user):
    participation = rating_round(make_user("other"))
    AuditEntry.objects.create(project=participation.project, actor=user, action="excluded", reason="Fast.", at=NOON)
    add_member(project=participation.project, user=user, role=Role.MANAGER)

    erase_account(user=user, now=NOON)

    kept = list(AuditEntry.objects.order_by("pk").values_list("action", "actor", "by", "reason"))
    assert kept == [("excluded", None, "member", "Fast."), ("member erased their account", None, "member", "")]


def test_the_new_pseudonym_is_nowhere_to_be_computed(user):
    project = rating_round(user).project
    twin = make_project(key="twin")
    before = annotator_for(twin, user=user).pseudonym

    erase_account(user=user, now=NOON)

    found = Annotator.objects.get(project=twin)
    assert found.pseudonym != before
    assert annotator_for(twin, user=make_user("ann")).pseudonym != found.pseudonym
    assert Annotator.objects.get(project=project).pseudonym != found.pseudonym


def test_the_only_owner_hands_over_first(user):
    project = make_project()
    mine = add_member(project=project, user=user, role=Role.OWNER)

    with pytest.raises(Refusal, match="only owner of “project”"):
        erase_account(user=user, now=NOON)
    assert User.objects.get() == user
    add_member(project=project, user=make_user("next"), role=Role.OWNER)
    erase_account(user=user, now=NOON)
    assert not Membership.objects.filter(pk=mine.pk).exists()


def test_the_only_administrator_stays(db):
    root = make_user("root", is_superuser=True)

    with pytest.raises(Refusal, match="only administrator"):
        erase_account(user=root, now=NOON)
    make_user("other", is_superuser=True)
    erase_account(user=root, now=NOON)
    assert User.objects.get().username == "other"


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_erased_at_once_one_stays():
    project = make_project()
    owners = [make_user(name) for name in ("one", "two")]
    for owner in owners:
        add_member(project=project, user=owner, role=Role.OWNER)

    results = at_once(*[lambda owner=owner: erase_account(user=owner, now=NOON) for owner in owners])

    assert sum(isinstance(result, Refusal) for result in results) == 1
    assert User.objects.count() == project.memberships.count() == 1


def crowd_person() -> Participation:
    participation = rating_round(make_user())
    annotator = participation.annotator
    annotator.user, annotator.external_id = None, "prolific:5f3c"
    annotator.save()
    study = CrowdStudy.objects.create(project=participation.project, round="main", platform="prolific")
    CrowdSubmission.objects.create(study=study, participation=participation, submission_id="sub-5f3c", came_at=NOON)
    return participation


def test_somebody_of_a_crowd_is_erased_after_they_were_paid(db):
    participation = crowd_person()
    bonus = Bonus.objects.create(
        study=CrowdStudy.objects.get(), participation=participation, amount="1.00", currency="GBP", key="k", reason="r"
    )

    with pytest.raises(Refusal, match="not been paid yet"):
        erase_annotator(annotator=participation.annotator, now=NOON)
    Bonus.objects.filter(pk=bonus.pk).update(state="sent")
    erase_annotator(annotator=participation.annotator, now=NOON)
    again = erase_annotator(annotator=participation.annotator, now=NOON)

    assert everywhere("5f3c") == []
    assert AuditEntry.objects.filter(action="person erased").count() == 1
    assert again.erased_at == NOON


# taking it along


def taken(user: User) -> dict:
    return json.loads("".join(own_data(user)))


def test_everything_about_the_person_is_in_the_file(user):
    participation = known_person(user)

    data = taken(user)

    assert data["account"]["email"] == "ann@example.org"
    assert [row["email"] for row in data["addresses"]] == ["ann@example.org", "ann@work.example.org"]
    assert [row["pseudonym"] for row in data["pseudonyms"]] == [participation.annotator.pseudonym]
    assert [(row["round"], row["state"]) for row in data["participations"]] == [("main", "active")]
    (judgment,) = data["judgments"]
    assert (judgment["value"], judgment["assignment_position"]) == (2.0, 1)
    assert judgment["assignment_answered_at"] == "2026-03-02T12:00:00Z"
    assert [row["text"] for row in data["messages"]] == ["Dear Ann"]
    assert data["answers about yourself"] == [{"question_text": "Where do you live?", "text": "Annville"}]
    assert [row["role"] for row in data["roles"]] == ["researcher"]
    assert [row["address"] for row in data["invitations"]] == ["ann@example.org"]
    assert [row["name"] for row in data["API tokens"]] == ["Ann's notebook"]
    assert [row["action"] for row in data["log about you"]] == ["message sent"]


def test_what_a_crowd_platform_knows_and_pays_is_in_the_file(user):
    study = make_study()
    participation = arrive(study)
    Annotator.objects.filter(pk=participation.annotator_id).update(user=user)
    study.bonuses.create(participation=participation, amount=2, currency="GBP", reason="Speed", key="speed")

    data = taken(user)

    assert [row["submission_id"] for row in data["crowd submissions"]] == [sid()]
    assert [(row["amount"], row["currency"], row["reason"]) for row in data["bonuses"]] == [("2.00", "GBP", "Speed")]


def test_nothing_about_others_is_in_the_file(user):
    other = answer_all(rating_round(make_user("somebody")))
    send_message(participation_id=other.pk, text="To somebody", actor=user, now=NOON)
    rating_round(user, key="mine")

    data = taken(user)

    assert "somebody" not in json.dumps(data) and data["judgments"] == []
    assert [row["project_key"] for row in data["participations"]] == ["mine"]


def test_a_person_without_anything_gets_a_whole_file(db):
    data = taken(make_user("new"))

    assert data["judgments"] == data["messages"] == data["invitations"] == []


def test_a_run_from_before_is_released_no_more(user, tmp_path):
    participation = answer_all(rating_round(user))
    frozen = frozen_now(participation.project)

    erase_account(user=user, now=NOON)

    with pytest.raises(ValueError, match="Start a new"):
        export_judgments(frozen, tmp_path)
    export_judgments(frozen_now(participation.project), tmp_path)


# by an owner, for who has no account


def test_an_owner_erases_who_is_known_by_an_outside_id_only(user):
    participation = arrive(make_study())
    account, before = participation.annotator.user, participation.annotator.pseudonym
    judgment = rate_next(participation)

    erase_outsider(annotator=participation.annotator, reason="They asked for it.", actor=user, now=NOON)

    annotator = Annotator.objects.get()
    assert (annotator.user, annotator.external_id, annotator.erased_at) == (None, "", NOON)
    assert annotator.pseudonym != before
    assert not User.objects.filter(pk=account.pk).exists()
    assert Judgment.objects.get() == judgment
    assert everywhere(pid(), sid(), before) == []
    entry = AuditEntry.objects.get(action="person erased")
    assert (entry.actor, entry.by, entry.reason) == (user, "member", "They asked for it.")


def test_a_nameless_guest_can_be_erased_too(user):
    participation = rating_round(make_user("guest-abc"))
    User.objects.filter(username="guest-abc").update(email="")

    erase_outsider(annotator=participation.annotator, reason="Asked.", actor=user, now=NOON)

    assert not User.objects.filter(username="guest-abc").exists()


@pytest.mark.parametrize(
    ("reason", "fault"),
    [(" ", "Give a reason"), (f"It was {pid().upper()}.", "Remove the ID"), ("Asked.", "not been paid yet")],
)
def test_what_an_owner_cannot_erase_stays(user, reason, fault):
    study = make_study()
    participation = arrive(study)
    study.bonuses.create(participation=participation, amount=2, currency="GBP", reason="Speed", key="speed")

    with pytest.raises(Refusal, match=fault):
        erase_outsider(annotator=participation.annotator, reason=reason, actor=user, now=NOON)
    assert Annotator.objects.get().external_id == f"prolific:{pid()}"


def test_who_has_an_account_erases_themselves_and_nobody_is_erased_twice(user):
    participation = rating_round(user)

    with pytest.raises(Refusal, match="has an account"):
        erase_outsider(annotator=participation.annotator, reason="Asked.", actor=user, now=NOON)
    erase_annotator(annotator=participation.annotator, now=NOON)
    with pytest.raises(Refusal, match="already been erased"):
        erase_outsider(annotator=participation.annotator, reason="Asked.", actor=user, now=NOON)
