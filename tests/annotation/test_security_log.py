"""The security log stays as it is: only what is older than its time may be deleted."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.domain.account.erasure import erase_account
from annotation.domain.security.log import forget_old_events
from annotation.models import SecurityEvent
from annotation.models.guarding_security import TABLE, guard_security_log
from annotation.models.security import KEPT

pytestmark = pytest.mark.postgres


@pytest.fixture
def event(user) -> SecurityEvent:
    values = {"user": user, "address": "203.0.113.5", "project_key": "project", "details": {"page": "x"}}
    return SecurityEvent.objects.create(kind="signed in", at=timezone.now(), **values)


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'x'",
        "address = 'x'",
        "project_key = ''",
        "details = '{}'",
        "at = '2020-01-01 00:00:00+00:00'",
        "id = 77",
    ],
)
def test_an_event_is_not_changed(event, change):
    before = SecurityEvent.objects.values().get()
    with (
        pytest.raises(IntegrityError, match="neither changed nor deleted"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE {TABLE} SET {change}")

    assert SecurityEvent.objects.values().get() == before


def test_an_event_goes_to_no_other_account(event, django_user_model):
    other = django_user_model.objects.create(username="other")
    with pytest.raises(IntegrityError, match="neither changed nor deleted"), transaction.atomic():
        SecurityEvent.objects.update(user=other)


def test_events_are_deleted_in_their_time_only(event):
    SecurityEvent.objects.create(kind="signed in", at=timezone.now() - KEPT - timedelta(hours=1))
    guard_security_log()  # a second time changes nothing

    with pytest.raises(IntegrityError, match="neither changed nor deleted"), transaction.atomic():
        SecurityEvent.objects.all().delete()
    assert forget_old_events(timezone.now()) == 1
    assert SecurityEvent.objects.get() == event


def test_erasure_empties_account_and_address(event, user):
    erase_account(user=user, now=timezone.now())

    assert list(SecurityEvent.objects.values_list("user", "address")) == [(None, "")]
