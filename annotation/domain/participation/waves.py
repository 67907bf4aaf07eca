"""The waves of an open round with a target: opened one after the other, stopped and continued."""

import zlib
from collections.abc import Mapping
from datetime import datetime
from math import ceil
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import queue_again
from annotation.domain.participation.open_round import FREE, add_places, common_pool
from annotation.domain.planning.tuple_rows import Rows, store_tuples
from annotation.models import Decision, JobState, PooledItem, Project, Tuple, User, Wave
from annotation.models.audit_actions import Action
from annotation.models.jobs import NOT_ENDED

BATCH = 2000
MOST_FURTHER = 1_000_000
"""Judgments that a manager may open at once."""


def _free(kind: type[Tuple] | type[PooledItem]) -> Exists:
    entries = kind._default_manager.filter(FREE, project=OuterRef("project"), round=OuterRef("round"))
    return Exists(entries)


GIVEN_OUT = Q(~_free(PooledItem), ~_free(Tuple))
"""The condition of a wave that nothing of its pool is free: all judgments are given, or the last are being given."""


def waves_of(project: Project, round_key: str) -> QuerySet[Wave]:
    """Return the waves of a round in order."""
    return Wave.objects.filter(project=project, round=round_key).order_by("number")


def is_in_wave(project: Project, round_key: str) -> bool:
    """Return whether the look after the present wave of the round is still ahead, so that another wave may follow."""
    if not project.round(round_key).design.in_waves:
        return False
    return waves_of(project, round_key).filter(state__in=NOT_ENDED).exists()


def begin_wave(project: Project, round_key: str, opened: int, now: datetime, *, entries: int | None = None) -> Wave:
    """Store a wave of judgments that are in the pool already; those of a new plan join a wave that has no look yet.

    The seed of its look is drawn from that of the project.
    """
    last = waves_of(project, round_key).last()
    if last is not None and last.state == JobState.WAITING:
        last.opened, last.entries = last.opened + opened, last.entries + (entries or 0)
        last.save(update_fields=["opened", "entries"])
        return last
    number = last.number + 1 if last else 1
    if entries is None:
        entries = common_pool_of(project, round_key).filter(FREE).count()
    drawn = np.random.default_rng([project.seed % 2**63, zlib.crc32(round_key.encode()), number])
    return Wave.objects.create(
        project=project,
        round=round_key,
        number=number,
        seed=int(drawn.integers(2**62)),
        opened=opened,
        entries=entries,
        created_at=now,
    )


def common_pool_of(project: Project, round_key: str) -> QuerySet[Any]:
    """Return the entries of a round in waves, which has one group of annotators at most."""
    [raters] = project.round(round_key).design.ratings_by_pool
    return common_pool(project, round_key, raters).entries


def open_tuples(project: Project, round_key: str, rows: Rows, now: datetime) -> Wave:
    """Open the next wave of an adaptive round: new tuples of items, each for one person, and places for more people.

    The caller is in the transaction that ends the look before it. Parameters: rows, the ids of the items of each tuple.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    wave = begin_wave(project, round_key, len(rows), now, entries=len(rows))
    store_tuples(project, round_key, rows, planned=1, wave=wave.number)
    most = project.round(round_key).design.most_a_person
    add_places(project, round_key, ceil(len(rows) / most) if most else 1, now)
    return wave


def open_wave(project: Project, round_key: str, further: Mapping[int, int], now: datetime) -> Wave:
    """Open the next wave: more judgments of these entries of the pool, by their ids, and places for more people.

    The caller is in the transaction that ends the look before it.
    """
    entries = common_pool_of(project, round_key)
    opened = list(entries.select_for_update(of=("self",)).filter(pk__in=further).order_by("pk"))
    project = Project.objects.select_for_update().get(pk=project.pk)
    for entry in opened:
        entry.planned += further[entry.pk]
    entries.model._default_manager.bulk_update(opened, ["planned"], batch_size=BATCH)
    number, most = sum(further.values()), project.round(round_key).design.most_a_person
    people = max(max(further.values()), ceil(number / most) if most else 0)
    wave = begin_wave(project, round_key, number, now, entries=len(further))
    add_places(project, round_key, people, now)
    return wave


@transaction.atomic
def stop_round(*, project: Project, round_key: str, reason: str, actor: User, now: datetime) -> Wave:
    """End a round in waves before its target: no judgment is opened or given out any more; those given out count.

    Raises:
        Refusal: no reason, or the round has ended.
    """
    require_reason(reason)
    free = common_pool_of(project, round_key).filter(FREE)
    list(free.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    project = Project.objects.select_for_update().get(pk=project.pk)
    wave = waves_of(project, round_key).select_for_update().last()
    if wave is None or wave.state not in NOT_ENDED:
        raise Refusal(_("This round has already ended."))
    free.update(planned=F("given"))
    ended = {"state": JobState.DONE, "ended_at": now, "decision": Decision.MANAGER}
    Wave.objects.filter(pk=wave.pk).update(**ended, attempts=F("attempts") + 1)
    write_down(Action.ROUND_STOPPED, project, reason=reason, actor=actor, now=now, round=round_key, wave=wave.number)
    return wave


@transaction.atomic
def continue_round(*, project: Project, round_key: str, further: int, reason: str, actor: User, now: datetime) -> Wave:
    """Queue the look after the last wave again, to open so many more judgments for what is the least precise.

    Raises:
        Refusal: no reason, a number out of range, or the round has not ended.
    """
    require_reason(reason)
    if not 1 <= further <= MOST_FURTHER:
        raise Refusal(_("You can open 1 to %(most)s further judgments.") % {"most": MOST_FURTHER})
    project = Project.objects.select_for_update().get(pk=project.pk)
    wave = waves_of(project, round_key).last()
    if wave is None or not queue_again(Wave.objects.filter(pk=wave.pk), further=further):
        raise Refusal(_("This round is still running. Continue it after it has ended."))
    details = {"round": round_key, "wave": wave.number, "judgments": further}
    write_down(Action.ROUND_CONTINUED, project, reason=reason, actor=actor, now=now, **details)
    return wave
