"""The screens that annotators answer."""

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain import flow, judging
from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.leasing import next_place
from annotation.domain.participation import show
from annotation.forms.answers import LONGEST_ID, AnswerForm
from annotation.models import Judgment, Participation
from annotation.permissions import PENDING, own_participation, signed_in
from annotation.protocols.spec import BestWorstDesign, SelectionDesign
from annotation.views.places import render_place
from annotation.views.screens import filled_in


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def work(request: HttpRequest, pk: int) -> HttpResponse:
    participation = own_participation(request.user, pk)
    if request.method == "POST":
        return _answer(request, participation, request.POST)
    pending = request.session.get(PENDING)
    if pending and pending["path"] == request.path:
        del request.session[PENDING]
        fields = QueryDict(mutable=True)
        fields.update(pending["fields"])
        return _answer(request, participation, fields)
    response = _present(request, participation)
    if "saved" in request.GET:
        _confirm(response, participation, request.GET["saved"])
    return response


@never_cache
@signed_in
@require_safe
def back(request: HttpRequest, pk: int) -> HttpResponse:
    """The screen before, with its answer, to be answered again."""
    participation = own_participation(request.user, pk)
    here = flow.where_now(participation, timezone.now())
    before = flow.one_back(here) if isinstance(here, flow.Screen) else None
    if before is None:
        return redirect("work", pk=pk)
    return render_place(request, participation, flow.Screen(before), may_go_back=False, letters=())


def _present(request: HttpRequest, participation: Participation, *, status: int = 200, **values) -> HttpResponse:
    """Where the person is now; in a selection, the screen of the present incident that they ask for."""
    now = timezone.now()
    here = next_place(participation, now)
    if isinstance(here, flow.Screen):
        here = flow.Screen(_asked_for(request, here))
        show(here.assignment, now)
    return render_place(request, participation, here, status=status, **values)


def _confirm(response: HttpResponse, participation: Participation, key: str) -> None:
    """Tells a script that the answer with that key is stored, if it is."""
    given = AnswerForm.base_fields["key"]
    try:
        judgments = Judgment.objects.filter(assignment__participation=participation, key=given.clean(key))
    except ValidationError:
        return
    if judgments.exists():
        response["X-Saved"] = key


def _asked_for(request: HttpRequest, here: flow.Screen):
    asked = request.GET.get("screen", "")
    if not asked.isdecimal() or len(asked) >= LONGEST_ID or here.assignment.sentence is None:
        return here.assignment
    other = flow.with_texts(here.assignment.participation.assignments.all()).filter(pk=asked).first()
    return other if other is not None and flow.same_block(here.assignment, other) else here.assignment


def _answer(request: HttpRequest, participation: Participation, fields: QueryDict) -> HttpResponse:
    form = AnswerForm(fields)
    if not form.is_valid():
        return _present(
            request,
            participation,
            status=422,
            problem=_("The answer arrived incomplete. Please give it once more."),
        )
    try:
        judgment = _save(participation, form)
    except WrongScreen as error:
        return _present(request, participation, status=409, problem=str(error))
    except Refusal as error:
        return _once_more(request, participation, form, str(error))
    participation = judgment.assignment.participation  # as it stands after the answer
    if request.htmx and judgment.assignment.sentence_id is None:
        response = _present(request, participation, saved=True)
    else:
        # A selection brings a whole incident with it: the next one is fetched by a request of its own.
        url = reverse("work", args=[participation.pk])
        response = redirect(f"{url}?saved={judgment.key}" if request.htmx else url)
    response["X-Saved"] = str(judgment.key)
    return response


def _save(participation: Participation, form: AnswerForm) -> Judgment:
    design = participation.design
    answer, now = form.answer(), timezone.now()
    if isinstance(design, BestWorstDesign):
        return judging.choose(participation_id=participation.pk, answer=answer, now=now, **form.choice())
    if isinstance(design, SelectionDesign):
        picks = form.picks([role.key for role in design.roles])
        return judging.select(participation_id=participation.pk, answer=answer, picks=picks, now=now)
    return judging.rate(participation_id=participation.pk, answer=answer, value=form.value(), now=now)


def _once_more(request: HttpRequest, participation: Participation, form: AnswerForm, problem: str) -> HttpResponse:
    """The same screen with what was filled in, and what is wrong with it."""
    assignment = flow.with_texts(participation.assignments.all()).get(pk=form.cleaned_data["assignment"])
    here = flow.Screen(assignment)
    given = filled_in(participation, here, form)
    return render_place(request, participation, here, status=422, problem=problem, **given)
