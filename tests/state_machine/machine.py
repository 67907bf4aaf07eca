"""A round in which hypothesis lets people, browsers, managers and the clock do one thing after the other."""

import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from annotation.domain.participation.flow import Consent, Idle, Practice, Rest, Screen
from tests.factories import make_user
from tests.state_machine import interventions, recounts
from tests.state_machine.annotators import Person
from tests.state_machine.people import PERSON, SCREEN, PeopleInARound, somebody_is_there
from tests.state_machine.worlds import World

MOST_SCREENS = 60  # of a person who finishes; far more than any of them has
WAITS = [timedelta(minutes=5), timedelta(minutes=31), timedelta(hours=71), timedelta(hours=73)]
TIME = st.sampled_from(WAITS)


class Round(PeopleInARound):
    """One sequence of steps; afterwards its world is as before."""

    steps: Counter[str] = Counter()
    """How many steps of each world were taken, in all sequences."""

    def __init__(self, name: str, world: World, set_clock: Callable[[datetime], None]) -> None:
        super().__init__(world, set_clock)
        self.name, self.manager = name, make_user("manager")
        self.wanted = self.planned = self.recounted()
        self.exact = True
        """Whether every screen is wanted as often as planned; items that were withdrawn may be wanted less often."""

    def recounted(self) -> Counter[tuple[int, int | None]]:
        return Counter() if self.design.is_open else recounts.wanted_screens(self.world.project, self.world.round)

    # Managers and the clock

    @rule(who=PERSON, act=st.sampled_from(sorted(interventions.ON_PERSON)), wait=TIME)
    @somebody_is_there
    def a_manager_acts_on_somebody(self, who: int, act: str, wait: timedelta) -> None:
        by = {"reason": "Chance.", "actor": self.manager, "now": self.now}
        interventions.try_to(interventions.ON_PERSON[act], self.person(who).place, self.now + wait, by)

    @rule(act=st.sampled_from(sorted(interventions.ON_PROJECT)), wait=TIME)
    def a_manager_acts_on_the_project(self, act: str, wait: timedelta) -> None:
        by = {"reason": "Chance.", "actor": self.manager, "now": self.now}
        interventions.try_to(interventions.ON_PROJECT[act], self.world, self.now + wait, by)

    @rule(act=st.sampled_from(sorted(interventions.ON_ITEMS)), which=SCREEN)
    @precondition(lambda self: self.world.project.items.exists() and not self.design.selects)
    def a_manager_acts_on_an_item(self, act: str, which: int) -> None:
        by = {"reason": "Chance.", "actor": self.manager, "now": self.now}
        items = self.world.project.items.order_by("pk")
        item = items[which % items.count()]
        if not interventions.try_to(interventions.ON_ITEMS[act], self.world, item, by) or self.design.is_open:
            return
        self.exact = self.exact and act == "ask for more"
        now = self.recounted()
        if act == "ask for more":
            more = {screen for screen in now if now[screen] > self.wanted[screen]}
            self.planned = self.planned + Counter(dict.fromkeys(more, 1))
        self.wanted = now

    @rule(wait=TIME)
    def time_passes(self, wait: timedelta) -> None:
        self.move_clock_to(self.now + wait)

    @rule(seconds=st.integers(1, 120))
    def the_clock_is_set_back(self, seconds: int) -> None:
        self.move_clock_to(self.now - timedelta(seconds=seconds))

    # What holds after each step

    @invariant()
    def the_rules_hold(self) -> None:
        project, round_key = self.world.project, self.world.round
        assert (recounts.answers_of(project), recounts.superseded(project)) == (self.answers, self.superseded)
        recounts.each_answered_screen_has_one_current_answer(project)
        recounts.everybody_is_where_their_screens_say(self.project, round_key)
        if self.design.is_open:
            recounts.pools_balance(project, round_key)
        else:
            self.nothing_is_wanted_more_often_than_planned()
        Round.steps[self.name] += 1

    def nothing_is_wanted_more_often_than_planned(self) -> None:
        now = self.recounted()
        assert now == self.planned if self.exact else now <= self.planned

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:
                self.everybody_finishes()
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    def everybody_finishes(self) -> None:
        """Nobody is stuck: those who are there finish, others come for what is left, and then nothing is."""
        interventions.open_again(self.world, self.manager, self.now)
        for person in self.people:
            self.works_to_the_end(person)
        while self.joins(0) or self.joins(1):
            self.works_to_the_end(self.people[-1])
        self.the_rules_hold()
        assert not recounts.missing_answers(self.project, self.world.round)

    def works_to_the_end(self, person: Person) -> None:
        for _ in range(MOST_SCREENS):
            match self.works(person):
                case Rest(until=until):
                    self.move_clock_to(max(self.now, until))
                case Idle():
                    self.move_clock_to(self.now + timedelta(minutes=31))
                case Consent() | Practice() | Screen():
                    continue
                case _:
                    return
        raise AssertionError(f"{person.participation} does not come to an end.")
