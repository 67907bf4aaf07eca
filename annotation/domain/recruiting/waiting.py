"""The waiting list of a full round: when a place opens, those who have waited longest are invited by e-mail."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q, QuerySet

from annotation.domain.jobs.engine import queue_again
from annotation.domain.participation.open_round import common_pool
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.guests import known_language
from annotation.domain.recruiting.mailings import invite_addresses, sends_email
from annotation.domain.recruiting.quotas import quota_left
from annotation.models import (
    InvitationLink,
    InvitedAddress,
    LinkUse,
    Mailing,
    Participation,
    Project,
    WaitingPerson,
)
from annotation.queries.people import free_seats

HELD = timedelta(days=3)  # so long others wait for somebody who was invited
KEPT = timedelta(days=180)
ONE = 1  # an open round makes a place when somebody comes, one by one


def wait_for_place(*, link: InvitationLink, address: str, language: str, now: datetime) -> WaitingPerson:
    """Add an address to the waiting list of a link's round; a second time changes nothing.

    Who was invited from the list and let the link expire can wait again, at its end.
    """
    place = {"project": link.project, "round": link.round, "pool": link.pool, "address": address.lower()}
    values = {"came_at": now, "language": known_language(language), "group": link.language}
    waiting, _new = WaitingPerson.objects.get_or_create(**place, defaults=values)
    if waiting.invited_at is not None and (waiting.link is None or waiting.link.has_expired(now)):
        waiting.came_at, waiting.invited_at, waiting.link = now, None, None
        waiting.save(update_fields=["came_at", "invited_at", "link"])
    return waiting


def invite_waiting(now: datetime) -> list[int]:
    """Invite as many people from each waiting list as there are free places; return the mailings to send."""
    if not sends_email():
        return []
    open_projects = Q(project__closed_at=None, project__paused_at=None, project__draft=False)
    lists = WaitingPerson.objects.filter(open_projects, invited_at=None)
    groups = lists.order_by().values_list("project", "round", "pool", "group").annotate(first=Min("came_at"))
    return [pk for *group, _first in groups.order_by("first") for pk in _invite_in(*group, now)]


@transaction.atomic
def _invite_in(project_id: int, round_key: str, pool: str, group: str, now: datetime) -> Sequence[int]:
    """Invite people of one group; a place that is held for somebody of another group is not given twice."""
    project = Project.objects.select_for_update().get(pk=project_id)
    on_list = project.waiting.filter(round=round_key, pool=pool)
    free = _free(project, round_key, pool, now) - _held(on_list, now)
    left = quota_left(project, round_key, pool, group)
    if left is not None:
        free = min(free, left - _held(on_list.filter(group=group), now))
    chosen = list(on_list.filter(invited_at=None, group=group)[: max(free, 0)])
    if not chosen:
        return []
    known = {one.address: one for one in _already_invited(project, round_key, chosen)}
    new = [Row(one.address, language=one.language) for one in chosen if one.address not in known]
    mailings = [_invite_again(one, now) for one in known.values()]
    if new:
        place = {"project": project, "round_key": round_key, "pool": pool, "language": group}
        mailings.append(invite_addresses(**place, rows=new, expires_at=now + HELD, actor=None, now=now).pk)
    links = {one.address: one.link for one in _already_invited(project, round_key, chosen)}
    for one in chosen:
        one.invited_at, one.link = now, links[one.address]
        one.save(update_fields=["invited_at", "link"])
    return mailings


def _free(project: Project, round_key: str, pool: str, now: datetime) -> int:
    """Return how many people can join now, whatever their group."""
    places = Participation.objects.filter(project=project, round=round_key, **({"pool": pool} if pool else {}))
    free = free_seats(places).exclude(due_closes=True, due_at__lte=now).count()
    design = project.round(round_key).design
    if free == 0 and design.is_open:
        groups = [pool] if pool else list(design.ratings_by_pool)
        return ONE if any(common_pool(project, round_key, one).is_missing_answers() for one in groups) else 0
    return free


def _held(on_list: QuerySet[WaitingPerson], now: datetime) -> int:
    """Return how many were invited from the list and may still join."""
    invited = on_list.filter(link__expires_at__gt=now, link__revoked_at=None)
    return invited.exclude(link__in=LinkUse.objects.values("link")).count()


def _already_invited(project: Project, round_key: str, people: Sequence[WaitingPerson]) -> QuerySet[InvitedAddress]:
    addresses = [one.address for one in people]
    return project.invited.filter(round=round_key, address__in=addresses).select_related("link")


def _invite_again(invited: InvitedAddress, now: datetime) -> int:
    """Send somebody their own link of an earlier invitation again, with a new end."""
    InvitationLink.objects.filter(pk=invited.link_id).update(expires_at=now + HELD)
    InvitedAddress.objects.filter(pk=invited.pk).update(state=InvitedAddress.State.WAITING, problem="")
    queue_again(Mailing.objects.filter(pk=invited.mailing_id))
    return invited.mailing_id


def forget_waiting(now: datetime) -> int:
    """Delete addresses that have waited too long, or whose project is closed. Return how many."""
    over = Q(came_at__lt=now - KEPT) | Q(project__closed_at__lt=now - HELD)
    return WaitingPerson.objects.filter(over).delete()[0]
