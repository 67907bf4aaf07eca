"""The entrances for people from crowd platforms."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.participation.flow import Ended, Rest, where_now
from annotation.domain.practice.stages import failed_check
from annotation.domain.rate_limits import TooMany, count_newcomer
from annotation.domain.recruiting.crowd.arrival import (
    Arrival,
    FullUp,
    NotRecruiting,
    enter,
    find_study,
    guard_admission,
    owner_of,
    place_at,
    read_mturk_ids,
    read_prolific_ids,
    read_ticket,
    study_of,
    write_ticket,
)
from annotation.domain.recruiting.crowd.completion import Way, refused_consent, sessions_counted, way_back, way_back_for
from annotation.domain.recruiting.crowd.declining import decline, has_declined
from annotation.domain.recruiting.crowd.prolific_checks import estimated_minutes
from annotation.domain.recruiting.crowd.signatures import check_signature
from annotation.domain.recruiting.guests import guest_of, has_account
from annotation.models import CrowdStudy, Participation, Platform, State, User
from annotation.security import address_of
from annotation.texts import page_from_markdown
from annotation.views.browsers import check_code, is_browser_of, note_proof, remember_browser
from annotation.views.joining import sign_in, too_many
from annotation.views.practice_pages import shown_examples

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT = "/mturk/externalSubmit"


def refused(request: HttpRequest, error: Refusal) -> HttpResponse:
    """Show why nobody is admitted, in the same way for an unknown project and for one that is not recruiting."""
    status = 404 if isinstance(error, NotRecruiting) else 409 if isinstance(error, FullUp) else 400
    return render(request, "crowd/refused.html", {"problem": error}, status=status)


@never_cache
@require_safe
def prolific(request: HttpRequest, key: str, round_key: str) -> HttpResponse:
    """Redirect from the address that a Prolific study leads to, without the ids in sight; change nothing."""
    try:
        ids = read_prolific_ids(request.GET)
        study = find_study(platform=Platform.PROLIFIC, key=key, round_key=round_key, study_id=ids["STUDY_ID"])
        if study.signed:
            check_signature(request.GET.get("prolific_token", ""), ids, timezone.now())
    except Refusal as error:
        return refused(request, error)
    ticket = write_ticket(Arrival(study.pk, ids["PROLIFIC_PID"], ids["SESSION_ID"], signed=study.signed))
    return redirect("crowd-enter", ticket=ticket)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_study(request: HttpRequest, ticket: str) -> HttpResponse:
    """Show the consent page to somebody from a platform, or lead on who has agreed before."""
    try:
        arrival = read_ticket(ticket)
        study = study_of(arrival)
        place = place_at(study, arrival.worker)
        owner = owner_of(study, arrival.worker)
        if owner is not None and not _opens(request, arrival, owner):
            return _ask_for_code(request, arrival, owner)
        if over := _over(arrival, study, place):
            return render(request, "crowd/over.html", over, status=410)
        guard_admission(study, place)
        if request.method == "POST" and place is None:
            count_newcomer(client=address_of(request), door=f"study {study.pk}", now=timezone.now())
        if request.POST.get("agree") == "no" and decline(arrival=arrival, now=timezone.now()):
            return render(request, "crowd/declined.html", {"project": study.project, "way": refused_consent(study)})
        if request.method == "POST":
            return _enter(request, arrival)
    except TooMany as error:
        return too_many(request, error)
    except Refusal as error:
        return refused(request, error)
    return render(request, "crowd/enter.html", _entrance(study, place))


def _over(arrival: Arrival, study: CrowdStudy, place: Participation | None) -> dict[str, object] | None:
    """Return the page's values for somebody for whom the study is over, however they return; None for others."""
    if not _agreed(place) and has_declined(arrival):
        return {"project": study.project, "declined": True, "way": refused_consent(study)}
    stage = where_now(place, timezone.now()) if place is not None else None
    if place is None or not isinstance(stage, Ended):
        return None
    failed = failed_check(place) if place.state == State.EXCLUDED else None
    way = way_back_for(study, place, stage)
    return {"project": study.project, "reason": stage.reason, "failed_check": failed, "way": way}


def _opens(request: HttpRequest, arrival: Arrival, owner: User) -> bool:
    """Return whether whoever arrives is the owner: signed in, by the platform's signature, or where they began."""
    if request.user == owner:
        return True
    return not has_account(owner) and (arrival.signed or is_browser_of(request, owner))


def _ask_for_code(request: HttpRequest, arrival: Arrival, owner: User) -> HttpResponse:
    """Ask for the resume code in a browser that the person has not used before."""
    if has_account(owner):
        return redirect_to_login(request.get_full_path())
    study, problem = study_of(arrival), ""
    if "code" in request.POST:
        guest = guest_of(owner, study.project)
        problem = check_code(request, guest)
        if not problem:
            note_proof(request, owner)
            response = redirect(request.path)
            remember_browser(response, guest)
            return response
    values = {"project": study.project, "study": study, "problem": problem}
    return render(request, "crowd/code.html", values, status=422 if problem else 200)


def _enter(request: HttpRequest, arrival: Arrival) -> HttpResponse:
    place = enter(arrival=arrival, now=timezone.now())
    sign_in(request, place.annotator.user)
    response = redirect("work", pk=place.pk)
    remember_browser(response, guest_of(place.annotator.user, place.project))
    return response


def _agreed(place: Participation | None) -> bool:
    return place is not None and place.consented_at is not None


def _entrance(study: CrowdStudy, place: Participation | None) -> dict[str, object]:
    project = study.project
    stage = where_now(place, timezone.now()) if _agreed(place) else None
    early = isinstance(stage, Rest) and not stage.may_begin and study.session not in sessions_counted(place)
    return {
        "project": project,
        "study": study,
        "round": project.round(study.round),
        "known": _agreed(place),
        "rest": stage if early else None,
        "minutes": None if _agreed(place) else estimated_minutes(study),
        "consent": page_from_markdown(project.consent),
        "guidelines": page_from_markdown(project.guidelines),
        "examples": shown_examples(project),
    }


@never_cache
@xframe_options_exempt
@require_safe
def mturk(request: HttpRequest, key: str, round_key: str) -> HttpResponse:
    """Show the page that Mechanical Turk puts in a frame: a preview, the way to the work, finally the submission.

    The work itself opens in its own tab: browsers block cookies of pages in foreign frames, and no other page of this
    site can be framed. The frame needs no cookie; it asks the server about the person's progress.
    """
    try:
        response = _frame(request, key, round_key)
    except Refusal as error:
        response = refused_in_frame(request, error)
    response._csp_update = {"form-action": settings.MTURK_SITES}
    response._csp_replace = {"frame-ancestors": settings.MTURK_SITES}
    return response


def _frame(request: HttpRequest, key: str, round_key: str) -> HttpResponse:
    session = request.GET.get("session", "1")
    which = {"session": int(session) if session.isdecimal() and len(session) < 4 else 0}
    if request.GET.get("assignmentId", "") == PREVIEW:
        study = find_study(platform=Platform.MTURK, key=key, round_key=round_key, **which)
        guard_admission(study, None)
        return render(request, "crowd/preview.html", {"project": study.project, "sample": _sample(study)})
    ids = read_mturk_ids(request.GET)
    study = find_study(platform=Platform.MTURK, key=key, round_key=round_key, study_id__in=["", ids["hitId"]], **which)
    place = place_at(study, ids["workerId"])
    guard_admission(study, place)
    arrival = Arrival(study.pk, ids["workerId"], ids["assignmentId"])
    # Who knows the worker's ID does not know the assignment with which they have entered.
    begun = place is not None and place.submissions.filter(study=study, submission_id=ids["assignmentId"]).exists()
    way = way_back(place, where_now(place, timezone.now())) if begun else None
    if not _agreed(place) and has_declined(arrival):
        way = refused_consent(study)
    values = {
        "project": study.project,
        "enter": reverse("crowd-enter", args=[write_ticket(arrival)]),
        "assignment": ids["assignmentId"],
        "way": way,
        "begun": begun,
        "complete": way is not None and way.way == Way.COMPLETE and way.study == study,
        "submit_to": _submit_to(request.GET.get("turkSubmitTo", "")),
        "again": request.get_full_path(),
    }
    return render(request, f"crowd/frame.html{'#state' if request.htmx else ''}", values)


def refused_in_frame(request: HttpRequest, error: Refusal) -> HttpResponse:
    response = refused(request, error)
    return render(request, "crowd/frame_refused.html", {"problem": error}, status=response.status_code)


def _submit_to(site: str) -> str:
    """Return the address that takes the submission, or an empty text if the site is not one of the platform's."""
    parts = urlsplit(site)
    origin = f"{parts.scheme}://{parts.netloc}"
    return origin + SUBMIT if origin in settings.MTURK_SUBMITS_TO else ""


def _sample(study: CrowdStudy):
    """Return a pair as people will see it; None for rounds that show no pairs."""
    return study.project.items.order_by("position", "pk").first()
