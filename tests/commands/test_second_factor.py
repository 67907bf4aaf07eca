"""The operator removes the second factor of somebody who has lost it and the recovery codes."""

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.management import CommandError, call_command

from annotation.models import SecurityEvent
from tests.factories import make_user
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db


def test_a_lost_second_factor_is_removed_logged_and_told(user, django_capture_on_commit_callbacks, capsys):
    other = make_user("other")
    for who, kind in ((user, "totp"), (user, "recovery_codes"), (other, "totp")):
        Authenticator.objects.create(user=who, type=kind, data={})
    client = client_of(user)

    with django_capture_on_commit_callbacks(execute=True):
        call_command("remove_second_factor", user.email.upper())

    assert [each.user for each in Authenticator.objects.all()] == [other]
    assert client.get("/account/data/").status_code == 302
    event = SecurityEvent.objects.get(kind="second factor removed")
    assert (event.user, event.details) == (user, {"by": "operator"})
    (letter,) = mail.outbox
    assert letter.to == [user.email] and "removed two-factor authentication" in letter.body
    assert "Removed." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("email", "reason"), [("ann@example.org", "no second factor"), ("x@example.org", "no account")]
)
def test_nothing_to_remove(user, email, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("remove_second_factor", email)
