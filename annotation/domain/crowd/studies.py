"""What a manager settles with a platform: the studies of a round, and who is admitted to a second one."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from annotation.domain.crowd.arriving import PROLIFIC_ID
from annotation.domain.errors import Refusal
from annotation.domain.links import places_of
from annotation.domain.log import write_down
from annotation.models import Assignment, CrowdStudy, Participation, Platform, User
from annotation.queries import ENDED


def save_study(*, study: CrowdStudy, actor: User, now: datetime) -> CrowdStudy:
    """Stores a study that was made or changed.

    Raises:
        Refusal: a round, pool or session that is not there; no id or code where the platform needs one; one too many;
            a study of Prolific that another project has; another id where bonuses hang on it.
    """
    _check(study)
    new = study.pk is None
    try:
        with transaction.atomic():
            study.save()
            _log(study, "crowd study added" if new else "crowd study changed", actor, now)
    except IntegrityError:
        raise Refusal(_("There is a study for this session, or with this id, already.")) from None
    return study


def _check(study: CrowdStudy) -> None:
    _check_place(study)
    if study.pk is not None:
        _check_id_stays(study)
    if study.platform != Platform.PROLIFIC:
        return
    if not (study.study_id and study.completion_code):
        raise Refusal(_("Prolific needs the id of the study and its completion code."))
    if not PROLIFIC_ID.fullmatch(study.study_id):
        raise Refusal(_("The id of a study of Prolific has 24 characters, digits and the small letters a to f."))
    elsewhere = CrowdStudy.objects.filter(platform=study.platform, study_id=study.study_id)
    if elsewhere.exclude(project=study.project_id).exists():
        raise Refusal(
            _("Another project here has this study of Prolific. A study belongs to one project, so that it pays once.")
        )


def _check_place(study: CrowdStudy) -> None:
    if (study.round, study.pool) not in places_of(study.project):
        raise Refusal(_("The project has no such round or pool."))
    sessions = len(study.project.round(study.round).sessions)
    if not 1 <= study.session <= sessions:
        raise Refusal(_("This round has %(sessions)s session(s).") % {"sessions": sessions})


def _check_id_stays(study: CrowdStudy) -> None:
    """Another project could take a study that was let go of, and pay the same people for it once more."""
    stored = CrowdStudy.objects.get(pk=study.pk)
    if stored.study_id != study.study_id and (stored.bonuses.exists() or stored.payments.exists()):
        raise Refusal(_("There are bonuses for the study with this id, so the id stays as it is."))


def _log(study: CrowdStudy, action: str, actor: User, now: datetime) -> None:
    details = {
        "study": study.pk,
        "platform": study.platform,
        "round": study.round,
        "pool": study.pool,
        "session": study.session,
        "study_id": study.study_id,
        "open": study.open,
    }
    write_down(action, study.project, actor=actor, now=now, **details)


def finishers(study: CrowdStudy) -> list[str]:
    """The ids, as the platform knows them, of everybody who has answered all of the study's session."""
    screens = Assignment.objects.filter(participation=OuterRef("pk"), session__lte=study.session, lapsed_at=None)
    whole = Participation.objects.filter(
        Exists(screens),
        ~Exists(screens.filter(answered_at=None)),
        project=study.project_id,
        round=study.round,
        annotator__external_id__startswith=f"{study.platform}:",
    )
    ids = whole.exclude(state__in=ENDED).order_by("seat").values_list("annotator__external_id", flat=True)
    return [external_id.partition(":")[2] for external_id in ids]
