"""People who take part without an account: by a link in their e-mail that signs them in, on any device."""

import base64
from datetime import datetime, timedelta
from secrets import token_urlsafe

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.digests import lasting_digest
from annotation.domain.errors import Refusal
from annotation.domain.rate_limits import within_limit
from annotation.domain.recruiting.links import LinkClosed, guard_link, path_of, stored
from annotation.encryption import keyed_hash
from annotation.models import Guest, InvitationLink, Participation, Project, User
from annotation.models.audit_actions import Action

SALT = "semblance.resume"
LASTS = timedelta(days=90)
KEPT = timedelta(days=30)  # a guest who never opened the link, with the address
SENT_AN_HOUR = 3  # to one address
ASKED_AN_HOUR = 180  # by one machine; a class of fifty may sit behind one address, and everybody asks thrice


def guest_name(project: Project, address: str) -> str:
    """Return the name of the account for an address; nobody can work out the address from the name."""
    digest = lasting_digest(f"guest {project.key} {address.lower()}")
    return f"guest-{base64.b32encode(digest)[:20].decode().lower()}"


def guest_for(*, project: Project, address: str, language: str = "") -> Guest:
    """Return the guest of the project with that address, the only one because of the name of the account."""
    return _guest(project, guest_name(project, address), address.lower(), language)


def nameless_guest(*, project: Project, language: str = "") -> Guest:
    """Return a new guest of whom nothing is known; only the browser that began can go on."""
    return _guest(project, f"guest-{token_urlsafe(15).lower()}", "", language)


@transaction.atomic
def _guest(project: Project, name: str, address: str, language: str) -> Guest:
    values = {"email": address, "language": known_language(language)}
    user, new = User.objects.get_or_create(username=name, defaults=values)
    if new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return guest_of(user, project)


def known_language(code: str) -> str:
    """Return the language of the pages for a tag such as de-AT; "" if they are not in that language."""
    short = code.lower().split("-")[0]
    return short if short in dict(settings.LANGUAGES) else ""


def write_resume(guest: Guest, link: InvitationLink | None = None) -> str:
    """Return the signed part of a link that signs the guest in, and takes a place by an invitation if there is none."""
    return signing.dumps([guest.pk, guest.nonce, link.pk if link else None], salt=SALT)


def resume_code(guest: Guest) -> str:
    """Return the code that does the same as the resume link where the guest comes from their platform."""
    digest = keyed_hash(f"resume {guest.pk} {guest.nonce}")
    code = base64.b32encode(digest)[:12].decode().lower()
    return "-".join((code[:4], code[4:8], code[8:]))


def is_code_of(guest: Guest, code: str) -> bool:
    """Return whether this is the guest's code, in any case and with or without hyphens."""
    typed = "".join(code.split()).replace("-", "").lower()
    return constant_time_compare(typed, resume_code(guest).replace("-", ""))


def guest_of(user: User, project: Project) -> Guest:
    """Return the guest behind an account that the project gave to somebody; a new one if there is none yet."""
    return Guest.objects.get_or_create(user=user, defaults={"project": project, "nonce": token_urlsafe(16)})[0]


def read_resume(token: str) -> tuple[Guest, InvitationLink | None]:
    """Return whom the link signs in, and by which invitation they come.

    Raises:
        Refusal: the link was changed, is too old or was withdrawn, or the guest has a full account by now.
    """
    try:
        pk, nonce, link = signing.loads(token, salt=SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError):
        raise Refusal(
            _("This link is incomplete or has expired. You can request a new one on the invitation page.")
        ) from None
    guest = Guest.objects.select_related("user", "project").filter(pk=pk, nonce=nonce, user__is_active=True).first()
    if guest is None:
        raise Refusal(_("This link no longer works. You can request a new one on the invitation page."))
    if has_account(guest.user):
        raise Refusal(_("You now have an account. Sign in with your password."))
    return guest, InvitationLink.objects.select_related("project").filter(pk=link, project=guest.project).first()


def has_account(user: User) -> bool:
    """Return whether a link or an ID alone does not open the account, because it has more than its own places."""
    if user.signs_in or is_mfa_enabled(user):
        return True
    return user.is_superuser or user.memberships.exists()


def confirmed_addresses(user: User) -> set[str]:
    """Return the addresses that are proved to be the person's: by a confirmation, or by the link that they came by."""
    found = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    guest = Guest.objects.filter(user=user).select_related("project").first()
    if guest is not None and user.email and user.username == guest_name(guest.project, user.email):
        found.add(user.email)
    return {address.lower() for address in found}


def send_way_in(*, project: Project, address: str, link: InvitationLink | None, language: str, now: datetime) -> None:
    """Send an e-mail that leads to the person's place; only its text depends on whether the address is known.

    Without an invitation it leads only people who have a place in the project.

    Every address gets an e-mail, the same number an hour, so that nobody else learns which ones are known.

    Raises:
        Refusal: no e-mail can be sent at the moment.
    """
    if not within_limit(name=f"way in {project.pk} {address.lower()}", most=SENT_AN_HOUR, now=now):
        return
    template, url = _way_in(project, address, link, language, now)
    _mail_link(template, url, project, address, language)


def _mail_link(template: str, url: str, project: Project, address: str, language: str) -> None:
    with translation.override(known_language(language) or settings.LANGUAGE_CODE):
        text = render_to_string(f"email/{template}.txt", {"project": project, "url": url})
        subject = _("Your link: %(project)s") % {"project": project.title}
        try:
            send_mail(" ".join(subject.split()), text, None, [address])
        except OSError as error:
            raise Refusal(_("The email can't be sent at the moment. Try again later.")) from error


def _way_in(
    project: Project, address: str, link: InvitationLink | None, language: str, now: datetime
) -> tuple[str, str]:
    """Return which e-mail an address gets, and the link in it."""
    if any(has_account(user) for user in User.objects.filter(email__iexact=address, is_active=True)):
        path = path_of(link) if link else reverse("home")
        return "sign_in", settings.PUBLIC_URL + f"{reverse('account_login')}?next={path}"
    if not _may_come(project, address, link, now):
        return "no_place", ""
    guest = guest_for(project=project, address=address, language=language)
    return "resume", _resume_url(guest, stored(link) if link else None)


def _resume_url(guest: Guest, link: InvitationLink | None = None) -> str:
    return settings.PUBLIC_URL + reverse("resume", args=[write_resume(guest, link)])


def _may_come(project: Project, address: str, link: InvitationLink | None, now: datetime) -> bool:
    """Return whether an address leads to a place: it has one, or the link is open and is not somebody else's."""
    places = Participation.objects.filter(project=project, annotator__user__guest__isnull=False)
    if places.filter(annotator__user__email=address.lower()).exists():
        return True
    if link is None:
        return False
    try:
        guard_link(link, now)
    except LinkClosed:
        return False
    return link.kind != InvitationLink.Kind.PERSONAL


@transaction.atomic
def send_resume_link(*, guest: Guest, actor: User, now: datetime) -> None:
    """Send the guest their link by e-mail; nobody else sees it, and the log keeps that it was sent.

    Raises:
        Refusal: there is no address, or no e-mail can be sent at the moment.
    """
    if not guest.user.email or has_account(guest.user):
        raise Refusal(_("This person has no email address to send a link to."))
    write_down(Action.RESUME_LINK_SENT, guest.project, actor=actor, now=now, guest=guest.pk)
    _mail_link("resume", _resume_url(guest), guest.project, guest.user.email, guest.user.language)


@transaction.atomic
def withdraw_resume_links(*, guest: Guest, actor: User | None, now: datetime) -> None:
    """Withdraw every link sent to the guest and end their sessions; they can ask for a new link."""
    guest.nonce = token_urlsafe(16)
    guest.save(update_fields=["nonce"])
    guest.user.set_unusable_password()  # another one: sessions depend on it
    guest.user.save(update_fields=["password"])
    write_down(Action.RESUME_LINKS_WITHDRAWN, guest.project, actor=actor, now=now, guest=guest.pk)


def forget_the_unconfirmed(now: datetime) -> int:
    """Delete guests who asked for a link and never opened it, with their addresses. Return how many."""
    stale = User.objects.filter(guest__created_at__lt=now - KEPT, last_login=None, annotators=None)
    return stale.filter(memberships=None, password__startswith="!").delete()[1].get("annotation.User", 0)
