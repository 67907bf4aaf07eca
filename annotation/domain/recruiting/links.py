"""Invitation links: creation, search, use and withdrawal."""

from datetime import datetime
from secrets import token_urlsafe

from django.db import transaction
from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.recruiting.overview import Invitation, RoundFull, join_round, read_invitation, write_invitation
from annotation.domain.recruiting.quotas import has_quota_of_pool, quota_left
from annotation.models import InvitationLink, LinkUse, Participation, Project, User
from annotation.models.audit_actions import Action

BYTES = 24  # random, in a token: 192 bits
Kind = InvitationLink.Kind
QUOTA_REACHED = gettext_lazy("Enough people of this group have joined. Thank you for your interest.")


class NoLink(Refusal):
    """There is no such link: the same message for strangers, whatever the reason."""

    def __init__(self) -> None:
        super().__init__(_("This link is incomplete. Copy the whole link and open it again."))


class LinkClosed(Refusal):
    """The link was valid once, or is used up."""


@transaction.atomic
def make_link(
    *,
    project: Project,
    round_key: str,
    pool: str = "",
    most: int | None = None,
    expires_at: datetime | None = None,
    note: str = "",
    language: str = "",
    actor: User | None,
    now: datetime,
) -> InvitationLink:
    """Return a new link that anybody may use whom it reaches.

    Raises:
        Refusal: the link would have expired already, or is for a round or pool that the project does not have.
    """
    guard_end(expires_at, now)
    if (round_key, pool) not in places_of(project) and (pool or round_key not in rounds_of(project)):
        raise Refusal(_("The project has no such round or pool."))
    details = {"round": round_key, "pool": pool, "most": most, "expires_at": expires_at, "language": language}
    origin = {"project": project, "created_by": actor, "note": note.strip()}
    link = InvitationLink.objects.create(**origin, **details, token=new_token())
    write_down(Action.LINK_CREATED, project, actor=actor, now=now, link=link.pk, **details)
    return link


def guard_end(expires_at: datetime | None, now: datetime) -> None:
    """Raise Refusal for a link that would have expired already."""
    if expires_at is not None and expires_at <= now:
        raise Refusal(_("This time has already passed. Choose a later time."))


def new_token() -> str:
    return token_urlsafe(BYTES)


def rounds_of(project: Project) -> list[str]:
    return [round_.key for round_ in project.protocol.rounds]


def places_of(project: Project) -> dict[tuple[str, str], str]:
    """Return every round, or of a round with pools every pool, with its title."""
    named = {}
    for round_ in project.protocol.rounds:
        pools = round_.design.rater_pools
        named |= {(round_.key, pool.key): f"{round_.title}: {pool.title}" for pool in pools}
        if not pools:
            named[round_.key, ""] = round_.title
    return named


def find_link(token: str) -> InvitationLink:
    """Return the link with that token; a standing link that nobody has used yet is not stored.

    Raises:
        NoLink: there is none, or its project is a rehearsal; nobody learns which.
    """
    link = InvitationLink.objects.select_related("project").filter(token=token).first() or _standing_of(token)
    if link is None or link.project.rehearsal_of_id is not None or link.round not in rounds_of(link.project):
        raise NoLink
    return link


def _standing_of(token: str) -> InvitationLink | None:
    try:
        invitation = read_invitation(token)
    except Refusal:
        return None
    project = Project.objects.filter(key=invitation.project).first()
    return standing_link(project, invitation.round, invitation.pool) if project else None


def standing_link(project: Project, round_key: str, pool: str) -> InvitationLink:
    """Return the link that every round, or pool of a round, has from the beginning."""
    place = {"project": project, "round": round_key, "pool": pool, "kind": Kind.STANDING}
    return InvitationLink.objects.filter(**place).first() or InvitationLink(**place)


def standing_links(project: Project) -> list[InvitationLink]:
    """Return a link for every round and pool, each with `used`; stored or not."""
    stored = {(link.round, link.pool): link for link in with_uses(project.links.filter(kind=Kind.STANDING))}
    links = []
    for round_key, pool in places_of(project):
        fresh = InvitationLink(project=project, round=round_key, pool=pool, kind=Kind.STANDING)
        fresh.used = 0
        links.append(stored.get((round_key, pool), fresh))
    return links


def with_uses(links: QuerySet[InvitationLink]) -> QuerySet[InvitationLink]:
    return links.annotate(used=Count("uses"))


def path_of(link: InvitationLink) -> str:
    """Return the path of a link on the site."""
    token = link.token or write_invitation(Invitation(link.project.key, link.round, link.pool))
    return reverse("join", args=[token])


def guard_link(link: InvitationLink, now: datetime) -> None:
    """Check that the link still leads to a place; whether one is free is another question.

    Raises:
        LinkClosed: the link was withdrawn, has expired, or is used up, a quota of its group is reached, or the project
            is closed.
    """
    if link.project.closed_at is not None:
        raise LinkClosed(_("This project is closed and not accepting more people. Thank you for your interest."))
    if link.revoked_at is not None:
        raise LinkClosed(_("This invitation has been revoked. Ask the person who sent it for a new one."))
    if link.has_expired(now):
        raise LinkClosed(_("This invitation has expired. Ask the person who sent it for a new one."))
    if link.most is not None and link.pk and link.uses.count() >= link.most:
        if link.kind == Kind.PERSONAL:
            raise LinkClosed(_("This invitation has already been used by somebody else."))
        raise LinkClosed(
            _("The maximum number of people have already used this invitation. Thank you for your interest.")
        )
    if link.pool or link.language:
        _guard_quotas(link)


@transaction.atomic
def join_by_link(*, link: InvitationLink, user: User, now: datetime) -> Participation:
    """Return a place in the round of the link; who has one already keeps it, and the link is not used.

    The lock of the project admits people one by one, so that a link is never used more often than it may be.

    Raises:
        LinkClosed: see `guard_link`. Refusal: see `take_seat`.
    """
    Project.objects.select_for_update().get(pk=link.project_id)
    if kept := Participation.objects.filter(project=link.project, round=link.round, annotator__user=user).first():
        return kept
    link = stored(link)
    guard_link(link, now)
    place = _join_group(link, user)
    LinkUse.objects.create(link=link, participation=place, at=now)
    return place


def _join_group(link: InvitationLink, user: User) -> Participation:
    """Take a place in the link's pool, or in the first that has one and whose quota is not reached."""
    pools = [pool for round_key, pool in places_of(link.project) if round_key == link.round]
    if link.pool or not has_quota_of_pool(link.project, link.round):
        return join_round(project=link.project, round_key=link.round, user=user, pool=link.pool)
    refusal: Refusal = LinkClosed(QUOTA_REACHED)
    for pool in pools:
        if quota_left(link.project, link.round, pool, link.language) != 0:
            try:
                return join_round(project=link.project, round_key=link.round, user=user, pool=pool)
            except RoundFull as error:
                refusal = error
    raise refusal


def _guard_quotas(link: InvitationLink) -> None:
    if quota_left(link.project, link.round, link.pool, link.language) == 0:
        raise LinkClosed(QUOTA_REACHED)


def stored(link: InvitationLink) -> InvitationLink:
    """Return the link as it is now in the database; a standing one is stored when it is first needed."""
    if link.kind != Kind.STANDING:
        return InvitationLink.objects.select_related("project").get(pk=link.pk)
    place = {"project": link.project, "round": link.round, "pool": link.pool, "kind": Kind.STANDING}
    return InvitationLink.objects.get_or_create(**place)[0]


@transaction.atomic
def revoke_link(*, link: InvitationLink, actor: User | None, now: datetime) -> None:
    """Withdraw a link; who has a place keeps it. A second time changes nothing."""
    row = stored(link)
    if InvitationLink.objects.filter(pk=row.pk, revoked_at=None).update(revoked_at=now):
        details = {"link": row.pk, "kind": row.kind, "round": row.round}
        write_down(Action.LINK_WITHDRAWN, row.project, actor=actor, now=now, **details)


@transaction.atomic
def reopen_link(*, link: InvitationLink, actor: User | None, now: datetime) -> None:
    """Take back the withdrawal of a link. A second time changes nothing."""
    if InvitationLink.objects.filter(pk=link.pk, revoked_at__isnull=False).update(revoked_at=None):
        details = {"link": link.pk, "kind": link.kind, "round": link.round}
        write_down(Action.LINK_REOPENED, link.project, actor=actor, now=now, **details)
