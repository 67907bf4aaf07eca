"""Password strength: hard to guess as estimated by zxcvbn, with any characters."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

GOOD = 3  # of 4: more than 10^8 guesses
JUDGED = 72  # characters; the judgment of longer passwords takes long


class StrengthValidator:
    """Refuses passwords that are easy to guess, also from the person's own address."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        known = [getattr(user, "email", ""), *getattr(user, "email", "").replace("@", ".").split("."), "semblance"]
        if zxcvbn(password[:JUDGED], user_inputs=[word for word in known if word])["score"] < GOOD:
            raise ValidationError(_("This password is too easy to guess. Try several unrelated words."), code="weak")

    def get_help_text(self) -> str:
        return _("Use several unrelated words for a strong password.")
