"""Plans for tests."""

from dataclasses import replace
from datetime import timedelta

from scoring.domain.registrations.plans import Answers, answers_of
from scoring.domain.registrations.registering import register_plan
from tests.factories import NOON

EARLY = NOON - timedelta(days=1)


def answers(project, **changes) -> Answers:
    """The suggested answers with hypotheses and models."""
    texts = {"hypotheses": "H1: people agree.", "models": "Krippendorff’s alpha above 0.7."}
    return replace(answers_of(project), **{"texts": texts} | changes)


def registered(project, now=EARLY, actor=None, **changes):
    return register_plan(project=project, answers=answers(project, **changes), actor=actor, now=now)
