"""What is deleted when its time is over, or with the person."""

import os
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage, get_connection
from django.test import Client
from django.utils import timezone

from annotation.domain.account.erasure import erase_account
from annotation.domain.account.expiry import delete_expired
from annotation.domain.account.tokens import make_token
from annotation.models import ApiToken, BrowserSession, MemberInvitation
from tests.factories import make_project, make_user
from tests.views.sending import client_of


@pytest.fixture
def folder(settings, tmp_path):
    settings.EMAIL_FILE_PATH = tmp_path
    return tmp_path


def keep_mail(*addresses: str) -> None:
    connection = get_connection("django.core.mail.backends.filebased.EmailBackend")
    for address in addresses:
        EmailMessage("Hello", "A letter.", to=[f"Ann <{address}>"], connection=connection).send()


def test_erasure_ends_sessions_and_deletes_kept_mails(user, folder, django_capture_on_commit_callbacks):
    clients = [client_of(user), client_of(user), client_of(make_user("other"))]
    keep_mail("joann@example.org", "Ann@example.org", "third@example.org")

    with django_capture_on_commit_callbacks(execute=True):
        erase_account(user=user, now=timezone.now())

    assert [client.get("/account/data/").status_code for client in clients] == [302, 302, 200]
    assert BrowserSession.objects.count() == 1
    (left,) = folder.iterdir()
    assert [line for line in left.read_text().splitlines() if line.startswith("To:")] == [
        "To: Ann <joann@example.org>",
        "To: Ann <third@example.org>",
    ]


def test_what_has_expired_is_deleted(user, folder):
    now = timezone.now()
    client_of(user)
    Client().get("/")
    BrowserSession.objects.update(expire_date=now - timedelta(seconds=1))
    make_token(user=user)
    make_token(user=user, days=60)
    project = make_project()
    for email, days in (("old@example.org", 45), ("new@example.org", 15)):
        MemberInvitation.objects.create(
            project=project, email=email, role="manager", invited_at=now - timedelta(days=days)
        )
    ApiToken.objects.filter(pk=ApiToken.objects.first().pk).update(expiry=now - timedelta(days=31))
    keep_mail("old@example.org")
    (old,) = folder.iterdir()
    os.utime(old, ((now - timedelta(days=29)).timestamp(),) * 2)
    delete_expired(now)
    assert old.exists()
    os.utime(old, ((now - timedelta(days=31)).timestamp(),) * 2)

    delete_expired(now)

    assert not BrowserSession.objects.exists()
    assert ApiToken.objects.count() == 1
    assert MemberInvitation.objects.get().email == "new@example.org"
    assert not old.exists()
