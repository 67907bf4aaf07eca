"""Annotators with a browser: what they see, what they send, and what the server confirmed."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.test import Client

from annotation.domain.participation.flow import Screen
from annotation.domain.practice.stages import CheckAhead, Feedback, Try, stage_of
from annotation.models import Assignment, Participation, User
from tests.best_worst import items_shown
from tests.factories import report_sentences, reread
from tests.views.sending import HTMX, client_of, url_of

SIGNED_IN_FOR = timedelta(days=10)


@dataclass(frozen=True)
class Request:
    """An answer that was sent to a screen, which a browser may send again."""

    fields: dict[str, object]
    next_screen: bool
    """Whether the response shows the next screen, as htmx asks for."""

    @property
    def sent(self) -> tuple[int, UUID]:
        return int(str(self.fields["assignment"])), UUID(str(self.fields["key"]))


@dataclass
class Person:
    """An annotator with a place in the round."""

    user: User
    place: int
    client: Client = field(default_factory=Client)
    signed_in: datetime | None = None
    pages: list[Assignment] = field(default_factory=list)
    """The screens that they have seen and could still send an answer from."""
    requests: list[Request] = field(default_factory=list)

    @property
    def participation(self) -> Participation:
        return reread(Participation(pk=self.place))

    def get(self, now: datetime, page: str = "") -> HttpResponse:
        return self._noted(self._browser(now).get(url_of(Participation(pk=self.place), page), follow=True))

    def post(self, now: datetime, page: str, **fields: object) -> HttpResponse:
        return self._browser(now).post(url_of(Participation(pk=self.place), page), fields)

    def send(self, now: datetime, request: Request) -> HttpResponse:
        """Send an answer, and remember it."""
        self.requests.append(request)
        headers = HTMX if request.next_screen else {}
        path = url_of(Participation(pk=self.place))
        return self._noted(self._browser(now).post(path, request.fields, headers=headers))

    def practise(self, now: datetime, *, right: bool) -> None:
        """Answer the present task of the practice or of the check, or leave a solution."""
        stage = stage_of(self.participation)
        present = stage.first if isinstance(stage, CheckAhead) else stage
        if isinstance(present, Try):
            task = present.task
            best, worst = (task.best, task.worst) if right else (task.worst, task.best)
            self.post(now, "practice/", task=task.pk, attempt=present.attempt, best=best, worst=worst)
        elif isinstance(stage, Feedback):
            self.post(now, "practice/on/", task=stage.answer.task_id)

    def _browser(self, now: datetime) -> Client:
        """Return the browser, signed in again before the session ends."""
        if self.signed_in is None or not now - self.signed_in < SIGNED_IN_FOR:
            self.client, self.signed_in = client_of(self.user), now
        return self.client

    def _noted(self, response: HttpResponse) -> HttpResponse:
        here = response.context and response.context.get("here")
        if isinstance(here, Screen):
            self.pages.append(here.assignment)
        return response


def answer_to(screen: Assignment, highest: bool, **fields: object) -> dict[str, object]:
    """Return what a browser sends from this screen. Parameters: highest, one of the two answers that are tried."""
    given = {"assignment": screen.pk, "key": str(uuid4()), **fields}
    if screen.tuple_id:
        best, *_, worst = items_shown(screen) if highest else reversed(items_shown(screen))
        return given | {"best": best, "worst": worst}
    if screen.sentence_id:
        sentences = report_sentences(screen)[:: 1 if highest else -1]
        picks = {f"pick-{role}": pk for role, pk in zip("ABC", sentences, strict=False)}
        return given | picks | {"value-A": "6", "value-B": "3", "value-C": "0"}
    return given | {"value": "3" if highest else "1"}
