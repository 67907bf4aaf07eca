"""Authentication by token."""

import re
from hmac import compare_digest

from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

from annotation.models import ApiToken, User

KEY = re.compile(rb"(?:[0-9a-f]{2})+")


class TokenAuthentication(KnoxAuthentication):
    """`Authorization: Token KEY`. Unlike knox's class it only reads: an expired token stays on its owner's page."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        if not KEY.fullmatch(token):
            raise AuthenticationFailed("This token does not exist or has been revoked.")
        key = token.decode()
        digest = hash_token(key)
        for found in ApiToken.objects.filter(token_key=key[: CONSTANTS.TOKEN_KEY_LENGTH]).select_related("user"):
            if compare_digest(digest, found.digest):
                return self.validate_user(found)
        raise AuthenticationFailed("This token does not exist or has been revoked.")

    def validate_user(self, auth_token: ApiToken) -> tuple[User, ApiToken]:
        if auth_token.is_over:
            raise AuthenticationFailed("This token has expired.")
        return super().validate_user(auth_token)
