"""What annotators and their browsers do in a round, and what a look at each response shows."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.http import HttpResponse
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from annotation.domain.errors import Refusal
from annotation.domain.participation.flow import Consent, Practice, Rest, Screen
from annotation.domain.recruiting.overview import join_round
from annotation.models import Annotator, Assignment, Judgment, Participation, Project, User
from annotation.protocols.spec import Design
from tests.factories import NOON, make_user
from tests.state_machine import recounts
from tests.state_machine.annotators import Person, Request, answer_to
from tests.state_machine.expectations import may_not_be_answered, place_by_hand
from tests.state_machine.worlds import World

START = NOON + timedelta(days=10)  # the earlier rounds of a world are over
MOST_PEOPLE = 8
PERSON, SCREEN = st.integers(0, MOST_PEOPLE - 1), st.integers(0, 40)
somebody_is_there = precondition(lambda self: self.people)


class PeopleInARound(RuleBasedStateMachine):
    """The people of a world, at a moment; `teardown` of the machine undoes what they do."""

    def __init__(self, world: World, set_clock: Callable[[datetime], None]) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.world, self.set_clock = world, set_clock
        self.people: list[Person] = []
        self.move_clock_to(START)
        self.answers, self.superseded = recounts.answers_of(world.project), recounts.superseded(world.project)
        self.confirmed: set[tuple[int, object]] = set()

    def move_clock_to(self, moment: datetime) -> None:
        self.now = moment
        self.set_clock(moment)

    @property
    def project(self) -> Project:
        return Project.objects.get(pk=self.world.project.pk)

    @property
    def design(self) -> Design:
        return self.world.project.round(self.world.round).design

    def person(self, who: int) -> Person:
        return self.people[who % len(self.people)]

    @rule(pool=st.integers(0, 1))
    @precondition(lambda self: len(self.people) < MOST_PEOPLE)
    def somebody_joins(self, pool: int) -> None:
        self.joins(pool)

    def joins(self, pool: int) -> bool:
        user = make_user(f"annotator-{len(self.people)}")
        place = self.kept_for_somebody(user) or self.taken_by(user, pool)
        if place is None:
            user.delete()
            return False
        self.people.append(Person(user, place.pk))
        return True

    def kept_for_somebody(self, user: User) -> Participation | None:
        """Return a place that the plan gave to somebody of an earlier round, who comes with this account."""
        places = Participation.objects.filter(project=self.world.project, round=self.world.round)
        place = places.filter(annotator__isnull=False, annotator__user=None).order_by("seat").first()
        if place is not None:
            Annotator.objects.filter(pk=place.annotator_id).update(user=user)
        return place

    def taken_by(self, user: User, pool: int) -> Participation | None:
        pools = [each.key for each in self.design.rater_pools] or [""]
        try:
            with transaction.atomic():
                return join_round(
                    project=self.project, round_key=self.world.round, user=user, pool=pools[pool % len(pools)]
                )
        except Refusal:
            return None

    @rule(who=PERSON)
    @somebody_is_there
    def somebody_looks(self, who: int) -> None:
        self.looks(self.person(who))

    @rule(
        who=PERSON, number=st.integers(1, 4), highest=st.booleans(), next_screen=st.booleans(), ms=st.integers(0, 9999)
    )
    @somebody_is_there
    def somebody_works(self, who: int, number: int, highest: bool, next_screen: bool, ms: int) -> None:
        for _ in range(number):
            self.works(self.person(who), highest=highest, next_screen=next_screen, answered_ms=ms)

    def works(self, person: Person, *, highest: bool = True, next_screen: bool = True, **times: object) -> object:
        """Do what the present page asks for, and return the place that it showed."""
        here = self.looks(person)
        match here:
            case Consent():
                person.post(self.now, "consent/")
            case Practice():
                person.practise(self.now, right=highest)
            case Rest():
                self.begins(person, here)
            case Screen(assignment):
                self.sends(person, Request(answer_to(assignment, highest, **times), next_screen))
        return here

    def begins(self, person: Person, rest: Rest) -> None:
        person.post(self.now, "begin/")
        rests = person.participation.state == "resting"
        assert rests == (rest.enforced and self.now < rest.until)

    def looks(self, person: Person) -> object:
        return self.shows_the_right_place(person, person.get(self.now))

    @rule(who=PERSON, highest=st.booleans())
    @somebody_is_there
    def somebody_goes_back(self, who: int, highest: bool) -> None:
        person = self.person(who)
        response = person.get(self.now, "back/")
        here = response.context["here"]
        if isinstance(here, Screen) and here.assignment.answered_at is not None:
            request = Request(answer_to(here.assignment, highest, again="1"), next_screen=True)
            assert self.sends(person, request)

    @rule(who=PERSON, which=SCREEN, next_screen=st.booleans())
    @precondition(lambda self: any(person.requests for person in self.people))
    def a_request_is_repeated(self, who: int, which: int, next_screen: bool) -> None:
        person = self.person(who)
        if person.requests:
            earlier = person.requests[which % len(person.requests)]
            known = earlier.sent in self.confirmed
            assert self.sends(person, Request(earlier.fields, next_screen)) or not known

    @rule(who=PERSON, which=SCREEN, highest=st.booleans(), again=st.booleans())
    @precondition(lambda self: any(person.pages for person in self.people))
    def an_old_page_is_sent(self, who: int, which: int, highest: bool, again: bool) -> None:
        person = self.person(who)
        if person.pages:
            self.sends_from(person, person.pages[which % len(person.pages)], highest, again)

    @rule(who=PERSON, which=SCREEN, again=st.booleans())
    @somebody_is_there
    def an_answer_to_any_screen_is_sent(self, who: int, which: int, again: bool) -> None:
        """As by somebody who changes the number in the form: to their screens to come, and to those of others."""
        screens = Assignment.objects.filter(participation__project=self.project).order_by("pk")
        shown = screens[which % screens.count()] if screens.exists() else None
        if shown is not None:
            self.sends_from(self.person(who), shown, True, again)

    def sends_from(self, person: Person, screen: Assignment, highest: bool, again: bool) -> None:
        screen = Assignment.objects.get(pk=screen.pk)
        refused = may_not_be_answered(person.participation, screen, again=again, now=self.now)
        fields = answer_to(screen, highest, **({"again": "1"} if again else {}))
        assert not (self.sends(person, Request(fields, next_screen=True)) and refused), screen

    @rule(who=PERSON, page=st.sampled_from(["leave/", "stop/"]))
    @somebody_is_there
    def somebody_ends(self, who: int, page: str) -> None:
        self.person(who).post(self.now, page, reason="")

    def sends(self, person: Person, request: Request) -> bool:
        """Send an answer; return whether the server confirmed it, after a look at what it stored."""
        response = person.send(self.now, request)
        confirmed = response.status_code in (200, 302)
        assert confirmed or response.status_code in (409, 422), response.status_code
        answers, before = recounts.answers_of(self.world.project), self.answers
        new = {pk: values for pk, values in answers.items() if pk not in before}
        assert {pk: answers.get(pk) for pk in before} == before
        superseded = recounts.superseded(self.world.project)
        assert superseded.items() >= self.superseded.items()
        if confirmed:
            self.is_stored_once(person, request, new)
        else:
            assert (new, superseded) == ({}, self.superseded)
        self.answers, self.superseded = answers, superseded
        if response.status_code in (200, 409):
            self.shows_the_right_place(person, response)
        return confirmed

    def is_stored_once(self, person: Person, request: Request, new: recounts.Answers) -> None:
        assignment, key = request.sent
        stored = Judgment.objects.get(assignment=assignment, key=key)
        assert stored.assignment.participation_id == person.place
        assert set(new) == set() if request.sent in self.confirmed else {stored.pk}
        if stored.value is not None:
            assert stored.value == float(request.fields["value"])
        if stored.best_id is not None:
            assert (stored.best_id, stored.worst_id) == (request.fields["best"], request.fields["worst"])
        self.confirmed.add(request.sent)

    def shows_the_right_place(self, person: Person, response: HttpResponse) -> object:
        here = response.context["here"]
        assert here == place_by_hand(person.participation, here, self.now)
        return here
