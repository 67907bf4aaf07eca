"""Secrets in the database: encrypted, renewed with another key, and of no use without it."""

import json
from base64 import urlsafe_b64encode

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters
from cryptography.fernet import Fernet
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection

from annotation.domain.account.secrets import reencrypt
from annotation.domain.errors import Refusal
from annotation.domain.messages.unsubscribing import (
    digest_of,
    is_unsubscribed,
    read_token,
    unsubscribe,
    unsubscribe_url,
    unsubscribed_among,
)
from annotation.domain.recruiting.crowd.mturk_payment import token_of
from annotation.domain.recruiting.guests import guest_for
from annotation.encryption import EARLIER, MARK, Unreadable, _derived, decrypt, encrypt, keyed_hash
from annotation.models import Bonus, Wallet
from scoring.models import Webhook
from tests.factories import NOON, make_project

pytestmark = pytest.mark.postgres
OF_FERNET = b"semblance secrets in the database"
OTHER = "another one that is as long as it should be"


@pytest.fixture
def secret(user) -> str:
    cache.clear()
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator ORDER BY id")
        return json.dumps([row[0] for row in cursor.fetchall()])


def accepts(secret: str) -> bool:
    code = format_hotp_value(hotp_value(secret, next(iter(counters()))))
    cache.clear()
    return Authenticator.objects.get(type="totp").wrap().validate_code(code)


def test_second_factors_are_encrypted_and_work(user, secret):
    codes = RecoveryCodes.activate(user).generate_codes()

    seed = Authenticator.objects.get(type="recovery_codes").data["seed"]
    assert secret not in stored() and decrypt(seed) not in stored()
    assert accepts(secret)
    assert Authenticator.objects.get(type="recovery_codes").wrap().generate_codes() == codes


def test_with_another_key_no_code_is_right_and_a_token_is_missing(user, secret, settings):
    Wallet.objects.create(project=make_project(), token="of Prolific")
    settings.SECRET_KEY = OTHER

    assert not accepts(secret)
    assert not accepts("")
    assert Wallet.objects.get().token == ""
    with pytest.raises(Unreadable):
        decrypt(Authenticator.objects.get().data["secret"])


def test_the_key_is_changed(user, secret, settings, capsys):
    Wallet.objects.create(project=make_project(), token="of Prolific")
    old, settings.SECRET_KEY = settings.SECRET_KEY, OTHER
    settings.SECRET_KEY_FALLBACKS = [old]
    assert accepts(secret)

    call_command("reencrypt")
    settings.SECRET_KEY_FALLBACKS = []

    assert "Encrypted again: 2. Not readable with SECRET_KEY or SECRET_KEY_FALLBACKS: 0." in capsys.readouterr().out
    assert accepts(secret)
    assert Wallet.objects.get().token == "of Prolific"
    settings.SECRET_KEY = old
    call_command("reencrypt")
    assert "Encrypted again: 0. Not readable with SECRET_KEY or SECRET_KEY_FALLBACKS: 2." in capsys.readouterr().out


def test_secrets_of_webhooks_are_encrypted_and_renewed(db, settings):
    Webhook.objects.create(project=make_project(), url="https://example.org", secret="signs")
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM scoring_webhook")
        assert cursor.fetchone()[0].startswith(MARK)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = (
        "another one that is as long as it should be",
        [settings.SECRET_KEY],
    )

    assert reencrypt() == (1, 0)

    settings.SECRET_KEY_FALLBACKS = []
    assert Webhook.objects.get().secret == "signs"


@pytest.fixture
def rotated(db, settings):
    """The key is changed, everything is encrypted again, and the earlier key is no longer known."""

    def rotate() -> None:
        settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], OTHER
        reencrypt()
        settings.SECRET_KEY_FALLBACKS = []

    return rotate


def test_whoever_has_unsubscribed_stays_unsubscribed_after_a_change_of_the_key(rotated):
    project = make_project()
    sent = unsubscribe_url(project, "ada@example.org").split("/")[-2]
    unsubscribe(project=project, digest=digest_of(project, "bea@example.org"), now=NOON)
    project, digest = read_token(sent)
    rotated()
    unsubscribe(project=project, digest=digest, now=NOON)  # by the link, while it was valid

    assert is_unsubscribed(project, "Ada@example.org") and is_unsubscribed(project, "bea@example.org")
    assert unsubscribed_among(project, ["ada@example.org", "cyd@example.org"]) == {"ada@example.org"}


def test_digests_of_versions_without_a_stored_key_still_match(rotated, settings):
    project = make_project()
    before = keyed_hash(f"unsubscribed {project.key} ada@example.org").hex()
    unsubscribe(project=project, digest=before, now=NOON)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], OTHER

    assert is_unsubscribed(project, "ada@example.org")


def test_guests_and_bonuses_are_the_same_after_a_change_of_the_key(rotated):
    project = make_project()
    guest, token = guest_for(project=project, address="ada@example.org"), token_of(Bonus(pk=1))
    rotated()

    assert guest_for(project=project, address="ada@example.org") == guest
    assert token_of(Bonus(pk=1)) == token


def test_nobody_is_written_to_if_nobody_knows_who_has_unsubscribed(db, settings):
    project = make_project()
    unsubscribe(project=project, digest=digest_of(project, "ada@example.org"), now=NOON)
    settings.SECRET_KEY = OTHER

    with pytest.raises(Refusal, match="SECRET_KEY_FALLBACKS"):
        is_unsubscribed(project, "ada@example.org")


def test_values_of_earlier_versions_are_read_and_encrypted_again(db, settings):
    wallet = Wallet.objects.create(project=make_project(), token="x")
    earlier = (
        EARLIER + Fernet(urlsafe_b64encode(_derived(settings.SECRET_KEY, OF_FERNET))).encrypt(b"of Prolific").decode()
    )
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_wallet SET token = %s", [earlier])
    assert Wallet.objects.get().token == "of Prolific"

    reencrypt()

    with connection.cursor() as cursor:
        cursor.execute("SELECT token FROM annotation_wallet WHERE id = %s", [wallet.pk])
        assert cursor.fetchone()[0].startswith(MARK)
    assert Wallet.objects.get().token == "of Prolific"


@pytest.mark.parametrize("place", [len(MARK), 30, -5])
def test_a_changed_value_is_not_read(place):
    stored = encrypt("of Prolific, a token of some length")
    changed = stored[:place] + ("A" if stored[place] != "A" else "B") + stored[place:][1:]

    with pytest.raises(Unreadable):
        decrypt(changed)


def test_a_value_from_before_there_was_encryption_is_read(settings):
    assert decrypt("JBSWY3DPEHPK3PXP") == "JBSWY3DPEHPK3PXP"
    assert encrypt("a").startswith(MARK) and encrypt("a") != encrypt("a")
