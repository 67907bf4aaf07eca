"""The provider of identities. allauth finds this module by its name."""

from secrets import token_urlsafe
from typing import Any

import jwt
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess, ProviderException
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest, HttpResponse

ALGORITHMS = frozenset(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"))


class SingleSignOnClient(OpenIDConnectOAuth2Adapter):
    """allauth's client of OpenID Connect, but it checks every signature, the issuer, and that both answers agree."""

    @property
    def openid_config(self) -> dict[str, Any]:
        found, expected = super().openid_config, self.get_provider().app.settings["server_url"]
        if str(found.get("issuer", "")).rstrip("/") != expected:
            raise ProviderException("The provider's configuration names another issuer than OIDC_URL.")
        return found

    def complete_login(self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any) -> SocialLogin:
        text = kwargs["response"].get("id_token")
        if not text:
            raise ProviderException("The provider sent no ID token.")
        data = {"id_token": self._decode_id_token(app, text), "userinfo": {}}
        if "userinfo_endpoint" in self.openid_config:
            data["userinfo"] = self._fetch_user_info(token.token)
            if data["userinfo"].get("sub") != data["id_token"]["sub"]:
                raise ProviderException("The ID token and the user information are about different people.")
        return self.get_provider().sociallogin_from_response(request, data)

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        try:
            algorithm = jwt.get_unverified_header(id_token).get("alg")
        except jwt.PyJWTError as error:
            raise ProviderException("The ID token is not a JWT.") from error
        if algorithm not in ALGORITHMS:
            raise ProviderException("The ID token is not signed with a public key.")
        urls = {"keys_url": self.openid_config["jwks_uri"], "issuer": self.openid_config["issuer"]}
        lookup = jwtkit.lookup_kid_jwk
        return jwtkit.verify_and_decode(credential=id_token, audience=app.client_id, lookup_kid=lookup, **urls)


class SingleSignOnProvider(OpenIDConnectProvider):
    """allauth's provider, with a nonce. Browsers cannot add scopes or parameters, and no claims are stored."""

    oauth2_adapter_class = SingleSignOnClient

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **_chosen: Any
    ) -> HttpResponse:
        process = AuthProcess.CONNECT if process == AuthProcess.CONNECT else AuthProcess.LOGIN
        nonce = token_urlsafe(24)
        return super().redirect(request, process, next_url, data, nonce=nonce, auth_params={"nonce": nonce})

    def extract_uid(self, data: dict[str, Any]) -> str:
        return str(data["id_token"]["sub"])

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"email": _claims(data).get("email")}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[Any]:
        claims = _claims(data)  # some providers send "true"
        return super().extract_email_addresses(
            {"id_token": claims | {"email_verified": claims.get("email_verified") in (True, "true")}}
        )

    def sociallogin_from_response(self, request: HttpRequest, response: dict[str, Any]) -> SocialLogin:
        login = super().sociallogin_from_response(request, response)
        login.claims = _claims(response)
        return login


def _claims(data: dict[str, Any]) -> dict[str, Any]:
    """Return what both answers say. The ID token is signed, so it wins."""
    return data["userinfo"] | data["id_token"]


provider_classes = [SingleSignOnProvider]
