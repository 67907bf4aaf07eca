"""What must be right before a study is published at Prolific, and the time that a participant needs."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.domain.participation.progress import screens_in_all
from annotation.domain.practice.answers import tasks_before
from annotation.domain.recruiting.crowd.wallets import wallet_of
from annotation.models import Assignment, CrowdStudy, Participation, Project, ProlificStudy
from annotation.models.audit_actions import Action
from annotation.planning.costs import minutes_for
from annotation.queries.people import free_seats

WORDS_A_MINUTE = 200  # of consent and guidelines


@dataclass(frozen=True)
class Check:
    """One line of the checklist, with the page on which it is put right."""

    title: str
    detail: str
    done: bool
    page: str = ""


def missing_checks(draft: ProlificStudy, address: str) -> list[str]:
    """Return the titles of what is missing before the study can be published."""
    return [check.title for check in checks_of(draft, address) if not check.done]


def checks_of(draft: ProlificStudy, address: str) -> Iterator[Check]:
    """Return the checklist of a draft. Parameters: address, to which Prolific sends participants."""
    study, project = draft.study, draft.study.project
    token = bool(wallet_of(project).token)
    yield Check(_("Token for Prolific"), _("An owner stores it."), token, "project-studies")
    yield _running(project)
    yield Check(_("Guidelines"), _("Participants read them first."), bool(project.guidelines.strip()), "project-setup")
    yield Check(_("Consent"), _("Participants agree to it."), bool(project.consent.strip()), "project-setup")
    rehearsed = project.audit_entries.filter(action=Action.PROJECT_REHEARSED).exists()
    yield Check(_("Rehearsal"), _("A test run with simulated people."), rehearsed, "project-rehearsals")
    yield _places(draft)
    yield _pay(draft)
    codes = {study.completion_code, study.screen_out_code, study.no_consent_code}
    detail = _("Different codes for finished work, a failed check and no consent.")
    yield Check(_("Completion codes"), detail, len(codes) == 3 and "" not in codes)
    yield Check(_("Public web address"), address.partition("?")[0], _is_public(address))


def _running(project: Project) -> Check:
    if project.draft:
        return Check(_("Project launched"), _("It is a draft."), done=False, page="project-setup")
    stopped = project.closed_at is not None or project.paused_at is not None
    detail = _("It is paused or closed.") if stopped else _("It is running.")
    return Check(_("Project running"), detail, not stopped, "project-control")


def _places(draft: ProlificStudy) -> Check:
    study = draft.study
    if study.session > 1:
        return Check(_("Enough places"), _("For people from the session before."), done=True)
    if study.project.round(study.round).design.is_open:
        return Check(_("Enough places"), _("The round opens places as needed."), done=True)
    free, wanted = free_seats(_round_of(study)).count(), draft.places - draft.places_taken
    detail = _("%(free)s places are free in the round; the study needs %(wanted)s.")
    return Check(_("Enough places"), detail % {"free": free, "wanted": wanted}, free >= wanted, "project-plans")


def _pay(draft: ProlificStudy) -> Check:
    values = {"pay": hourly_pay(draft), "minimum": settings.MINIMUM_HOURLY_PAY, "minutes": minutes_paid(draft)}
    detail = _("%(pay)s an hour, based on %(minutes)s minutes. The minimum is %(minimum)s.") % values
    return Check(_("Pay per hour"), detail, values["pay"] >= values["minimum"])


def minutes_paid(draft: ProlificStudy) -> int:
    """Return the longer of the estimate of the manager and the one computed from the protocol."""
    return max(draft.minutes, estimated_minutes(draft.study) or 1, 1)


def hourly_pay(draft: ProlificStudy) -> Decimal:
    pay = Decimal(draft.reward) / 100 * 60 / minutes_paid(draft)
    return pay.quantize(Decimal("0.01"))


def estimated_minutes(study: CrowdStudy) -> int | None:
    """Return the minutes of one participant in the session, from its screens, tasks and texts; None if unknown."""
    project, design = study.project, study.project.round(study.round).design
    screens = _screens(study)
    if screens is None:
        return None
    tasks, words = 0, 0
    if study.session == 1:
        tasks = sum(tasks_before(project).values())
        words = len(project.consent.split()) + len(project.guidelines.split())
    return minutes_for(screens + tasks, design.judgment) + ceil(words / WORDS_A_MINUTE)


def _screens(study: CrowdStudy) -> int | None:
    """Return the largest number of screens that a participant has in the session; None if there is no limit."""
    places = _round_of(study)
    place = places.order_by("-seat").first()
    if place is None:
        return None
    if place.design.is_open:
        screens = screens_in_all(place)
        return None if screens is None else ceil(screens / len(study.project.round(study.round).sessions))
    screens_of = Assignment.objects.filter(participation__in=places, session=study.session, lapsed_at=None)
    most = screens_of.order_by().values("participation").annotate(screens=Count("pk")).order_by("-screens").first()
    return most["screens"] if most else None


def _round_of(study: CrowdStudy):
    places = Participation.objects.filter(project=study.project_id, round=study.round).select_related("project")
    return places.filter(pool=study.pool) if study.pool else places


def _is_public(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "https" and parts.hostname not in (None, "localhost", "127.0.0.1", "::1")
