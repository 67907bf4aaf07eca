"""What an exclusion would do, held against the scores of the whole project with the person and then without."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import pytest
from django.db import transaction

from annotation.domain.participation.lifecycle import exclude
from annotation.models import Item, Judgment, Participation, Project, State
from scoring.domain.exclusion.preview import LEAST, SPLITS, Change, changes_by_exclusion
from scoring.domain.runs.snapshots import take_snapshot
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.reliability import split_half
from scoring.summaries.stacks import all_stacks
from tests.factories import NOON
from tests.runs.projects import EVERY

Scored = dict[tuple[str, str], tuple[int, np.ndarray, float]]


def scored(place: Participation) -> Scored:
    """Judgments, scores and reliability by round and context; of choices under the person's round and no context."""
    snapshot = take_snapshot(place.project)
    found = {}
    for one in all_stacks(snapshot):
        rated, means = one.ratings, one.means(len(snapshot.items.keys))
        alpha = krippendorff_alpha(rated.items, rated.values, "interval")
        found[one.round, one.context] = (len(rated.values), means, alpha)
    choices = snapshot.counted_choices
    scores, reliability = best_worst_scores(count_choices(choices)), float("nan")
    if choices.judgments:
        halves = split_half(choices, np.random.default_rng(place.project.seed), splits=SPLITS)
        reliability = halves.summary()[0].mean
    return found | {(place.round, ""): (choices.judgments, scores, reliability)}


def differences(before: Scored, after: Scored) -> Iterator[Change]:
    for (round_key, context), (judgments, scores, reliability) in before.items():
        left, others, then = after[round_key, context]
        if left < judgments:
            moved = np.abs(others - scores)
            moved = moved[~np.isnan(moved) & (moved > LEAST)]
            mean, largest = (moved.mean(), moved.max()) if len(moved) else (None, None)
            lost = int((np.isnan(others) & ~np.isnan(scores)).sum())
            known = [None if np.isnan(value) else value for value in (reliability, then)]
            yield Change(round_key, context, not context, len(moved), lost, mean, largest, *known)


def by_excluding(place: Participation) -> list[Change]:
    """The changes found by excluding the person indeed, which is taken back."""
    before = scored(place)
    with transaction.atomic():
        exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)
        after = scored(place)
        transaction.set_rollback(True)
    return list(differences(before, after))


def made_uneven(project: Project, generator: np.random.Generator) -> None:
    """Half of the answers away, so that some items are left without any, one item withdrawn, and somebody excluded."""
    answers = Judgment.objects.filter(assignment__participation__project=project, pairs__isnull=True)
    known = sorted(answers.values_list("pk", flat=True))
    gone = generator.choice(known, len(known) // 2, replace=False)
    answers.filter(pk__in=gone.tolist()).delete()
    items = Item.objects.filter(project=project, calibration_order__isnull=True)
    items.filter(pk=items.order_by("-position").values("pk")[:1]).update(withdrawn_at=NOON)
    exclude(participation_id=people_of(project)[-1].pk, reason="Careless.", actor=None, now=NOON)


def people_of(project: Project) -> list[Participation]:
    """Those who can be excluded."""
    seated = project.participations.filter(annotator__isnull=False).exclude(state=State.EXCLUDED)
    return list(seated.order_by("round", "seat"))


@pytest.mark.parametrize(
    ("halves", "whole"), [((0.6, 0.5), (0.75, 2 / 3)), ((0.6, -0.8), (0.75, None)), ((0.6, None), None)]
)
def test_full_length_is_shown_only_of_correlations_that_are_not_negative(halves, whole):
    change = Change(
        "main", "", choices=True, changed=1, lost=0, mean=0.1, largest=0.1, before=halves[0], after=halves[1]
    )

    assert change.full_lengths == (whole and pytest.approx(whole))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "contexts"),
    [("czech_news", {"free", "dependent"}), ("dscs", {"free"}), ("semrel", {""}), ("giccs", {""})],
)
def test_what_is_told_before_an_exclusion_comes_true(preset, contexts):
    project = EVERY[preset]("project")

    for seed in range(2):
        people = people_of(project)
        some = people[:: -(-len(people) // 6)]
        found = [(changes_by_exclusion(place), by_excluding(place)) for place in some]

        assert {one.context for changes, _ in found for one in changes} == contexts
        for changes, true in found:
            assert [asdict(one) for one in changes] == [pytest.approx(asdict(one), abs=1e-9) for one in true]
        made_uneven(project, np.random.default_rng(seed))
