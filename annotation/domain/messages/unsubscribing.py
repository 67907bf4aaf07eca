"""Unsubscribing from invitations and reminders of a project, by a link in each of them or by a mail program itself."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.digests import digest_key, lasting_digest
from annotation.domain.errors import Refusal
from annotation.models import Project, Unsubscribed

SALT = "semblance.unsubscribe"


def digest_of(project: Project, address: str, key: bytes | None = None) -> str:
    """Return a keyed hash of an address, which is of no use outside of the project."""
    return lasting_digest(f"unsubscribed {project.key} {address.lower()}", key).hex()


def is_unsubscribed(project: Project, address: str) -> bool:
    return Unsubscribed.objects.filter(project=project, digest=digest_of(project, address)).exists()


def unsubscribed_among(project: Project, addresses: Iterable[str]) -> set[str]:
    """Return those of the addresses that have unsubscribed, by at most two queries."""
    gone = set(Unsubscribed.objects.filter(project=project).values_list("digest", flat=True))
    key = digest_key() if gone else b""
    return {address for address in addresses if digest_of(project, address, key) in gone} if gone else set()


def unsubscribe_url(project: Project, address: str) -> str:
    """Return the address of the page that unsubscribes; it does not contain the e-mail address."""
    token = signing.dumps([project.pk, digest_of(project, address)], salt=SALT)
    return settings.PUBLIC_URL + reverse("unsubscribe", args=[token])


def read_token(token: str) -> tuple[Project, str]:
    """Return the project of a link and the digest of the address. Raise Refusal if the link was changed or cut."""
    try:
        pk, digest = signing.loads(token, salt=SALT)
        return Project.objects.get(pk=pk), digest
    except (signing.BadSignature, ValueError, Project.DoesNotExist):
        raise Refusal(_("This link is incomplete. Open it again from the email.")) from None


def unsubscribe(*, project: Project, digest: str, now: datetime) -> None:
    """Send no more invitations and reminders of the project to an address; a second time changes nothing."""
    Unsubscribed.objects.get_or_create(project=project, digest=digest, defaults={"at": now})


def send_with_link(*, subject: str, text: str, address: str, project: Project) -> None:
    """Send an e-mail that ends with the unsubscribe link and has the headers of RFC 2369 and RFC 8058."""
    url = unsubscribe_url(project, address)
    footer = _("No more emails from this project: %(url)s") % {"url": url}
    headers = {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    subject = " ".join(subject.split())
    EmailMessage(subject, f"{text.rstrip()}\n\n{footer}\n", None, [address], headers=headers).send()
