"""Whatever people do in an open round of ratings: no pair has more ratings than planned, and in the end as many."""

from datetime import timedelta

from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from annotation.domain.errors import Refusal
from annotation.domain.participation.flow import Screen
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import consent, exclude, leave
from annotation.domain.participation.reinstatement import restore
from annotation.models import Participation, State
from tests.domain.rating_pool import accounts_balance, open_project, rate_all, rate_lent, ratings_by_item
from tests.factories import NOON, reread, seat_outsider
from tests.properties import examples

ACTS = ("come", "look", "rate", "rate", "rate", "leave", "exclude", "restore", "wait")


class Round:
    """An open round in which one thing after the other happens."""

    def __init__(self, pairs: int, ratings: int, most: int) -> None:
        self.project = open_project(pairs, raters__people=str(ratings), items_a_person=str(most))
        self.now, self.most = NOON, most
        self.came: list[Participation] = []

    def come(self) -> bool:
        try:
            place = seat_outsider(self.project, "main", f"new-{len(self.came)}")
        except Refusal:
            return False
        self.came.append(consent(participation_id=place.pk, now=self.now))
        return True

    def act(self, what: str, who: int) -> None:
        if what == "wait":
            self.now += timedelta(minutes=31)
        elif what == "come" or not self.came:
            self.come()
        else:
            self.by_person(what, self.came[who % len(self.came)])

    def by_person(self, what: str, place: Participation) -> None:
        moment = {"reason": "Chance.", "now": self.now}
        try:
            with transaction.atomic():
                if what == "leave":
                    leave(participation_id=place.pk, **moment)
                elif what in ("exclude", "restore"):
                    {"exclude": exclude, "restore": restore}[what](participation_id=place.pk, actor=None, **moment)
                elif isinstance(next_place(reread(place), self.now), Screen) and what == "rate":
                    rate_lent(place, now=self.now)
        except Refusal:
            pass

    def finish(self) -> None:
        """Everybody rates what they still may, and others come, until nothing is wanted any more."""
        for _ in range(2):
            self.now += timedelta(hours=1)
            for place in self.came:
                rate_all(place, now=self.now)
        while self.come():
            rate_all(self.came[-1], now=self.now)


class OpenRoundOfRatings(TestCase):
    @settings(max_examples=examples(0.25))
    @given(
        pairs=st.integers(1, 5),
        ratings=st.integers(1, 3),
        most=st.integers(1, 5),
        acts=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 5)), max_size=25),
    )
    def test_never_more_ratings_than_planned_and_in_the_end_exactly_as_many(self, pairs, ratings, most, acts):
        world = Round(pairs, ratings, most)
        for what, who in acts:
            world.act(what, who)
            assert accounts_balance(world.project)
            assert all(number <= ratings for number in ratings_by_item(world.project).values())

        world.finish()

        assert list(ratings_by_item(world.project).values()) == [ratings] * pairs
        for place in Participation.objects.exclude(state=State.INVITED):
            answered = place.assignments.filter(answered_at__isnull=False)
            assert answered.count() == answered.values("item").distinct().count() <= most
