"""Signatures of Prolific, made by keys of a stand-in that publishes them."""

import base64
import hmac
import json
import time
from datetime import timedelta

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd.signatures import PATIENCE, check_signature
from tests.crowds import STUDY, pid, sid
from tests.platforms import Prolific, running

IDS = {"PROLIFIC_PID": pid(), "STUDY_ID": STUDY, "SESSION_ID": sid()}
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHERS = {
    "expired": {"exp": int(time.time()) - 3600},
    "another site": {"aud": "https://elsewhere.example.org"},
    "a site with our name in it": {"aud": "https://semblance.example.org.evil.org"},
    "another person": {"prolific": IDS | {"PROLIFIC_PID": pid(2)}},
    "another study": {"prolific": IDS | {"STUDY_ID": "6" * 24}},
    "no person": {"prolific": {}},
    "no claim": {"prolific": None},
}


@pytest.fixture
def platform(settings):
    cache.clear()
    settings.PUBLIC_URL = "https://semblance.example.org"
    server = Prolific()
    with running(server):
        settings.PROLIFIC_API_URL = server.url
        yield server


def check(token: str, later: timedelta = timedelta(0)) -> None:
    check_signature(token, IDS, timezone.now() + later)


@pytest.mark.parametrize(
    "audience",
    ["semblance.example.org", "https://semblance.example.org/crowd/?a=b", ["x", "https://semblance.example.org"]],
)
def test_a_signed_address_is_valid(platform, audience):
    check(platform.sign(pid(), sid(), aud=audience))


@pytest.mark.parametrize("claims", OTHERS.values(), ids=OTHERS)
def test_what_is_signed_for_something_else_is_refused(platform, claims):
    with pytest.raises(Refusal, match="The address of this page has"):
        check(platform.sign(pid(), sid(), **claims))


def without_signature(token: str) -> str:
    header = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "key 1"}).encode()).rstrip(b"=").decode()
    return f"{header}.{token.split('.')[1]}."


def signed_with_public_key(claims: dict[str, object], key: bytes) -> str:
    """As a library without care would take it: the public key as the secret of an HMAC."""
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "kid": "key 1"}, claims)]
    body = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    return b".".join([body, base64.urlsafe_b64encode(hmac.digest(key, body, "sha256")).rstrip(b"=")]).decode()


def test_forged_signatures_are_refused(platform):
    token = platform.sign(pid(), sid())
    claims = jwt.decode(token, options={"verify_signature": False})
    public = platform.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    forged = [
        "",
        "a.b.c",
        without_signature(token),
        token[:-8],
        jwt.encode(claims, OTHER_KEY, "RS256", headers={"kid": "key 1"}),
        signed_with_public_key(claims, public),
        jwt.encode(claims, platform.key, "RS256"),
        jwt.encode(claims, platform.key, "RS256", headers={"kid": "key 2"}),
    ]

    for one in forged:
        with pytest.raises(Refusal, match="The address of this page has"):
            check(one)


def test_keys_are_kept_a_day_and_made_up_ids_cause_no_requests(platform):
    token = platform.sign(pid(), sid())
    check(token)
    for number in range(5):
        with pytest.raises(Refusal):
            check(jwt.encode({"exp": 1}, OTHER_KEY, "RS256", headers={"kid": str(number)}))
    assert platform.asked_for_keys == 1

    cache.delete("prolific-keys-asked")  # as after a minute
    assert PATIENCE == 60
    check(token, later=timedelta(hours=25))
    assert platform.asked_for_keys == 2


def test_the_keys_of_before_serve_while_prolific_does_not_answer(platform):
    token = platform.sign(pid(), sid())
    platform.failing["keys"] = "falls over"
    with pytest.raises(Refusal, match="Prolific can't be reached at the"):
        check(token)
    platform.failing.clear()
    cache.clear()
    check(token)
    platform.failing["keys"] = "falls over"
    cache.delete("prolific-keys-asked")

    check(token, later=timedelta(hours=25))
