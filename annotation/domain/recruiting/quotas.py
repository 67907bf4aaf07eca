"""Quotas: how many people of a group, by pool or language, a round takes."""

from datetime import datetime

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import Participation, Project, Quota, User
from annotation.models.audit_actions import Action
from annotation.queries.people import ENDED


def has_quota_of_pool(project: Project, round_key: str) -> bool:
    return Quota.objects.filter(project=project, round=round_key).exclude(pool="").exists()


def quota_left(project: Project, round_key: str, pool: str, language: str = "") -> int | None:
    """Return how many more people of a group can join the round; None if no quota limits the group."""
    quotas = Quota.objects.filter(project=project, round=round_key, pool__in=["", pool], language__in=["", language])
    left = [quota.most - people_of(quota).count() for quota in quotas]
    return max(min(left), 0) if left else None


def people_of(quota: Quota) -> QuerySet[Participation]:
    """Return the places that count for a quota: of people who have neither left nor been excluded."""
    places = Participation.objects.filter(project=quota.project_id, round=quota.round, annotator__isnull=False)
    if quota.pool:
        places = places.filter(pool=quota.pool)
    if quota.language:
        places = places.filter(link_use__link__language=quota.language)
    return places.exclude(state__in=ENDED)


def quotas_of(project: Project) -> list[tuple[Quota, int]]:
    """Return the quotas of a project, each with the number of people who count for it, by two queries."""
    places = Participation.objects.filter(project=project, annotator__isnull=False).exclude(state__in=ENDED)
    groups = places.order_by().values_list("round", "pool", "link_use__link__language").annotate(people=Count("pk"))
    counted = list(groups)

    def people(quota: Quota) -> int:
        pools, languages = {quota.pool} - {""}, {quota.language} - {""}
        return sum(
            number
            for round_key, pool, language, number in counted
            if round_key == quota.round and pools <= {pool} and languages <= {language}
        )

    return [(quota, people(quota)) for quota in project.quotas.all()]


@transaction.atomic
def set_quota(
    *, project: Project, round_key: str, pool: str, language: str, most: int, actor: User, now: datetime
) -> Quota:
    """Limit the number of people of a group in a round; a second quota for the group replaces the first.

    Raises:
        Refusal: there is no such round or pool, or neither a pool nor a language.
    """
    pools = {round_.key: {one.key for one in round_.design.rater_pools} for round_ in project.protocol.rounds}
    if round_key not in pools or (pool and pool not in pools[round_key]):
        raise Refusal(_("The project has no such round or pool."))
    if not (pool or language):
        raise Refusal(_("Choose a pool, a language or both."))
    group = {"round": round_key, "pool": pool, "language": language}
    quota, _new = Quota.objects.update_or_create(project=project, **group, defaults={"most": most})
    write_down(Action.QUOTA_SET, project, actor=actor, now=now, most=most, **group)
    return quota


@transaction.atomic
def remove_quota(*, quota: Quota, actor: User, now: datetime) -> None:
    """Remove a quota: its group is limited by the places of the round only."""
    group = {"round": quota.round, "pool": quota.pool, "language": quota.language}
    quota.delete()
    write_down(Action.QUOTA_REMOVED, quota.project, actor=actor, now=now, **group)
