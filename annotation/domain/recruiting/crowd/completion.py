"""The way back to a crowd platform: with the code of a session that the server has counted, or without one."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Q

from annotation.domain.participation.flow import Ended, Place, Rest
from annotation.domain.practice.stages import failed_check
from annotation.domain.recruiting.overview import completion_code
from annotation.models import CrowdStudy, Participation, Platform


class Way(StrEnum):
    COMPLETE = "complete"  # everything that the study pays for is counted
    SCREENED_OUT = "screened out"  # the check went wrong, twice
    NO_CONSENT = "no consent"
    ENDED = "ended"  # left, or excluded
    EARLY = "early"  # came for a session that may not begin yet
    GOING_ON = "going on"


@dataclass(frozen=True)
class WayBack:
    """The way back of a person to their platform."""

    way: Way
    study: CrowdStudy
    code: str = ""

    @property
    def url(self) -> str:
        """Return the address to which Prolific takes the code; "" without a code."""
        if self.study.platform != Platform.PROLIFIC or not self.code:
            return ""
        return f"{settings.PROLIFIC_URL}/submissions/complete?{urlencode({'cc': self.code})}"


def way_back(participation: Participation, place: Place) -> WayBack | None:
    """Return the way back for the study that the person last came for; None for whoever came by themselves."""
    submission = participation.submissions.select_related("study").order_by("-came_at", "-pk").first()
    return None if submission is None else way_back_for(submission.study, participation, place)


def way_back_for(study: CrowdStudy, participation: Participation, place: Place) -> WayBack:
    if study.session in sessions_counted(participation):
        return WayBack(Way.COMPLETE, study, study.completion_code or completion_code(participation))
    if isinstance(place, Ended):
        screened = participation.state == "excluded" and failed_check(participation) is not None
        return _early(Way.SCREENED_OUT, study, study.screen_out_code) if screened else WayBack(Way.ENDED, study)
    early = isinstance(place, Rest) and not place.may_begin
    return WayBack(Way.EARLY if early else Way.GOING_ON, study)


def refused_consent(study: CrowdStudy) -> WayBack:
    return _early(Way.NO_CONSENT, study, study.no_consent_code)


def _early(way: Way, study: CrowdStudy, code: str) -> WayBack:
    """Return a way back before the end; only Prolific takes a code, workers of Mechanical Turk return the task."""
    return WayBack(way, study, code if study.platform == Platform.PROLIFIC else "")


def sessions_counted(participation: Participation) -> Collection[int]:
    """Return the sessions whose every screen has its judgment stored; the last one only when the round is over."""
    judged = Count("judgments", filter=Q(judgments__superseded_at=None), distinct=True)
    screens = participation.assignments.filter(lapsed_at=None).order_by().values("session")
    rows = screens.annotate(screens=Count("pk", distinct=True), counted=judged)
    whole = {row["session"] for row in rows if row["screens"] == row["counted"]}
    last = len(participation.project.round(participation.round).sessions)
    return whole if participation.finished_at is not None else whole - {last}
