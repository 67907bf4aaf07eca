"""Forged ID tokens. Keys come from a server, as they do in use."""

import json
import threading
import time
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import jwt
import pytest
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from annotation.single_sign_on.provider import SingleSignOnClient

KEY, OTHER = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
PUBLIC = json.loads(ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "k", "alg": "ES256"}
CLAIMS = {"sub": "ann", "aud": "semblance", "iss": "https://id.example.org", "exp": time.time() + 86_400}


class Keys(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"keys": [PUBLIC]}).encode())

    def log_message(self, *_message):
        pass


@pytest.fixture(scope="module")
def client():
    server = HTTPServer(("127.0.0.1", 0), Keys)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    keys = f"http://127.0.0.1:{server.server_port}/"

    class Configured(SingleSignOnClient):
        openid_config = {"jwks_uri": keys, "issuer": CLAIMS["iss"]}

    yield Configured(request=None, provider_id="sso")
    server.shutdown()
    server.server_close()


def signed(key=KEY, algorithm="ES256", kid="k", **claims):
    return jwt.encode(CLAIMS | claims, key, algorithm=algorithm, headers={"kid": kid})


def test_a_token_of_the_provider_is_read(client):
    assert client._decode_id_token(SocialApp(client_id="semblance"), signed())["sub"] == "ann"


@pytest.mark.parametrize(
    "token",
    [
        signed(OTHER),
        signed(kid="unknown"),
        signed(aud="another client"),
        signed(iss="https://id.example.com"),
        signed(exp=time.time() - 1),
        signed(None, "none"),
        signed(PUBLIC["x"] + PUBLIC["y"], "HS256"),
        "no token",
    ],
    ids=["another key", "an unknown key", "another client", "another issuer", "expired", "none", "HMAC", "nothing"],
)
def test_a_forged_token_is_refused(client, token):
    with pytest.raises((OAuth2Error, ProviderException)):
        client._decode_id_token(SocialApp(client_id="semblance"), token)


@pytest.mark.parametrize(("issuer", "accepted"), [("https://id.example.org/", True), ("https://id.example.com", False)])
def test_the_configuration_of_another_issuer_is_refused(monkeypatch, issuer, accepted):
    found = SingleSignOnClient(request=None, provider_id="sso")
    monkeypatch.setattr(OpenIDConnectOAuth2Adapter, "openid_config", {"issuer": issuer})
    app = SocialApp(settings={"server_url": "https://id.example.org"})
    monkeypatch.setattr(found, "get_provider", lambda: SimpleNamespace(app=app))

    with nullcontext() if accepted else pytest.raises(ProviderException):
        assert found.openid_config == {"issuer": issuer}
