"""The screens that annotators answer."""

from datetime import datetime

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment import saving
from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.going_on import place_after
from annotation.domain.participation import flow
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import keep_tally, show
from annotation.domain.participation.locking import lock_own
from annotation.forms.answers import LONGEST_ID, AnswerForm, read_key
from annotation.models import Judgment, Participation
from annotation.permissions import PENDING, own_participation, signed_in
from annotation.protocols.terms import JudgmentKind
from annotation.views.places import render_place
from annotation.views.screens import filled_in


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def work(request: HttpRequest, pk: int) -> HttpResponse:
    if request.method == "POST":
        return _answer(request, pk, request.POST)
    participation = own_participation(request.user, pk)
    pending = request.session.get(PENDING)
    if pending and pending["path"] == request.path:
        del request.session[PENDING]
        fields = QueryDict(mutable=True)
        fields.update(pending["fields"])
        return _answer(request, pk, fields)
    response = _present(request, participation)
    if "saved" in request.GET:
        _confirm(response, participation, request.GET["saved"])
    return response


@never_cache
@signed_in
@require_safe
def back(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the previous screen with its answer, which can be changed."""
    participation = own_participation(request.user, pk)
    place = flow.where_now(participation, timezone.now())
    before = flow.previous_screen(place) if isinstance(place, flow.Screen) else None
    if before is None:
        return redirect("work", pk=pk)
    return render_place(request, participation, flow.Screen(before), may_go_back=False, letters=())


def _present(request: HttpRequest, participation: Participation, *, status: int = 200, **values) -> HttpResponse:
    """Show where the person is now; in a selection, the screen of the present incident that they request."""
    now = timezone.now()
    place = next_place(participation, now)
    if isinstance(place, flow.Screen):
        keep_tally(place.assignment)
        place = flow.Screen(_asked_for(request, place))
        show(place.assignment, now)
    return render_place(request, participation, place, status=status, **values)


def _confirm(response: HttpResponse, participation: Participation, key: str) -> None:
    """Tell a script that the answer with that key is stored, if it is."""
    own = Judgment.objects.filter(assignment__participation=participation)
    if (read := read_key(key)) and own.filter(key=read).exists():
        response["X-Saved"] = key


def _asked_for(request: HttpRequest, screen: flow.Screen):
    asked = request.GET.get("screen", "")
    if not asked.isdecimal() or len(asked) >= LONGEST_ID or screen.assignment.sentence is None:
        return screen.assignment
    other = flow.with_texts(screen.assignment.participation.assignments.all()).filter(pk=asked).first()
    if other is None or not flow.same_block(screen.assignment, other):
        return screen.assignment
    other.tally = screen.assignment.tally  # the same on all screens of an incident, and stored with the present one
    return other


def _answer(request: HttpRequest, pk: int, fields: QueryDict) -> HttpResponse:
    form = AnswerForm(fields)
    if not form.is_valid():
        problem = _("Your answer was incomplete. Please answer again.")
        return _present(request, own_participation(request.user, pk), status=422, problem=problem)
    try:
        judgment, place = _save(request, pk, form)
    except WrongScreen as error:
        return _present(request, own_participation(request.user, pk), status=409, problem=str(error))
    except Refusal as error:
        return _once_more(request, own_participation(request.user, pk), form, str(error))
    if place is not None:
        response = _go_on(request, judgment.assignment.participation, place)
    else:
        url = reverse("work", args=[pk])
        response = redirect(f"{url}?saved={judgment.key}" if request.htmx else url)
    response["X-Saved"] = str(judgment.key)
    return response


@transaction.atomic
def _save(request: HttpRequest, pk: int, form: AnswerForm) -> tuple[Judgment, flow.Place | None]:
    """Store the answer; return it, and the place that the response shows, or None if a separate request asks for it."""
    now = timezone.now()
    try:
        participation = lock_own(pk, request.user)
    except Participation.DoesNotExist as error:
        raise Http404 from error
    kind = participation.design.judgment
    # The page of a selection contains a whole incident: the next one is fetched by a separate request.
    goes_on = bool(request.htmx) and kind != JudgmentKind.SELECTION
    saved = _store(participation, form, kind, form.answer(goes_on=goes_on), now)
    return saved.judgment, place_after(saved, now) if goes_on else None


def _store(
    participation: Participation, form: AnswerForm, kind: JudgmentKind, answer: Answer, now: datetime
) -> saving.Saved:
    match kind:
        case JudgmentKind.CHOICE:
            return saving.save_choice(participation, answer, form.choice(), now)
        case JudgmentKind.SELECTION:
            roles = [role.key for role in participation.design.roles]
            return saving.save_selection(participation, answer, form.picks(roles), now)
        case _:
            return saving.save_rating(participation, answer, form.value(), now)


def _go_on(request: HttpRequest, participation: Participation, place: flow.Place) -> HttpResponse:
    """Return the next screen in place of the answered one; the page around it keeps the guidelines that it has."""
    if isinstance(place, flow.Screen):
        show(place.assignment, timezone.now())
    values = {} if participation.has_letters else {"letters": ()}
    return render_place(request, participation, place, keeps_guidelines=True, **values)


def _once_more(request: HttpRequest, participation: Participation, form: AnswerForm, problem: str) -> HttpResponse:
    """Show the same screen with what was filled in, and what is wrong with it."""
    assignment = flow.with_texts(participation.assignments.all()).get(pk=form.assignment)
    screen = flow.Screen(assignment)
    values = filled_in(participation, screen, form)
    return render_place(request, participation, screen, status=422, problem=problem, **values)
