"""Studies on crowd platforms: the studies of a round, and the people who may take part in a second study."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd.arrival import PROLIFIC_ID
from annotation.domain.recruiting.links import places_of
from annotation.models import Assignment, CrowdStudy, Participation, Platform, User
from annotation.models.audit_actions import Action
from annotation.queries.people import ENDED


def save_study(*, study: CrowdStudy, actor: User, now: datetime) -> CrowdStudy:
    """Store a new or changed study and return it.

    Raises:
        Refusal: there is no such round, pool or session; an ID or code that the platform needs is missing; the session
            has a study; another project has this study of Prolific; the ID changed although there are bonuses for it.
    """
    _check(study)
    new = study.pk is None
    try:
        with transaction.atomic():
            study.save()
            _log(study, Action.CROWD_STUDY_ADDED if new else Action.CROWD_STUDY_CHANGED, actor, now)
    except IntegrityError:
        raise Refusal(_("A study with this ID or for this session already exists.")) from None
    return study


def guard_free_session(study: CrowdStudy) -> None:
    """Raise Refusal if there is no such round, pool or session, or the session has a study on the platform."""
    _check_place(study)
    place = {"round": study.round, "pool": study.pool, "session": study.session, "platform": study.platform}
    if study.project.studies.filter(**place).exists():
        raise Refusal(_("There is a study for this session already."))


def _check(study: CrowdStudy) -> None:
    _check_place(study)
    if study.pk is not None:
        _check_id_stays(study)
    if study.platform != Platform.PROLIFIC:
        study.signed = False
        return
    if not (study.study_id and study.completion_code):
        raise Refusal(_("For Prolific, enter the study ID and its completion code."))
    if not PROLIFIC_ID.fullmatch(study.study_id):
        raise Refusal(_("A Prolific study ID has 24 characters: digits and the lowercase letters a to f."))
    elsewhere = CrowdStudy.objects.filter(platform=study.platform, study_id=study.study_id)
    if elsewhere.exclude(project=study.project_id).exists():
        raise Refusal(
            _(
                "Another project already uses this Prolific study. A study can belong to one project only, "
                "so that nobody is paid twice."
            )
        )


def _check_place(study: CrowdStudy) -> None:
    if (study.round, study.pool) not in places_of(study.project):
        raise Refusal(_("The project has no such round or pool."))
    sessions = len(study.project.round(study.round).sessions)
    if not 1 <= study.session <= sessions:
        raise Refusal(
            _("The session number is too high. Sessions in this round: %(sessions)s.") % {"sessions": sessions}
        )


def _check_id_stays(study: CrowdStudy) -> None:
    """Refuse another ID for a study with bonuses: another project could take the old one and pay the people again."""
    stored = CrowdStudy.objects.get(pk=study.pk)
    if stored.study_id != study.study_id and (stored.bonuses.exists() or stored.payments.exists()):
        raise Refusal(_("The study ID can't be changed because bonuses have been added for this study."))


def _log(study: CrowdStudy, action: Action, actor: User, now: datetime) -> None:
    details = {"platform": study.platform, "session": study.session, "study_id": study.study_id, "open": study.open}
    place = {"round": study.round, "pool": study.pool}
    write_down(action, study.project, actor=actor, now=now, study=study.pk, **place, **details)


def finishers(study: CrowdStudy) -> list[str]:
    """Return the IDs, as the platform knows them, of everybody who has answered every screen of the study's session."""
    screens = Assignment.objects.filter(participation=OuterRef("pk"), session__lte=study.session, lapsed_at=None)
    places = Participation.objects.filter(project=study.project_id, round=study.round)
    from_platform = places.filter(annotator__external_id__startswith=f"{study.platform}:")
    whole = from_platform.filter(Exists(screens), ~Exists(screens.filter(answered_at=None)))
    ids = whole.exclude(state__in=ENDED).order_by("seat").values_list("annotator__external_id", flat=True)
    return [external_id.partition(":")[2] for external_id in ids]
