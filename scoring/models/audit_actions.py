"""The audit log's actions on the results of a project, and their details."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from annotation.models.audit_actions import register


class ScoringAction(TextChoices):
    """Acts on runs, releases, rehearsals and webhooks, as stored and as pages call them."""

    ARCHIVE_TOKEN_REMOVED = "archive token removed", _("token of an archive removed")
    ARCHIVE_TOKEN_SAVED = "archive token saved", _("token of an archive saved")
    FLAG_SETTLED = "flag settled", _("flag reviewed")
    LEADERBOARD_CLOSED = "leaderboard closed", _("leaderboard made private")
    LEADERBOARD_OPENED = "leaderboard opened", _("leaderboard made public")
    MACHINE_ADDED = "model added", _("model added as annotator")
    MACHINE_CHANGED = "model changed", _("budget or key of a model changed")
    MACHINE_ENDED = "model ended", _("model stopped answering")
    MACHINE_REMOVED = "model removed", _("model removed with its answers")
    MACHINE_STARTED = "model started", _("model started")
    MODEL_EVALUATED = "model compared", _("model evaluated")
    PLAN_REGISTERED = "plan registered", _("plan registered")
    REHEARSAL_DISCARDED = "rehearsal discarded", _("rehearsal discarded")
    RELEASE_REQUESTED = "release asked for", _("release requested")
    RELEASE_UPLOADED = "release uploaded", _("upload of a release requested")
    RUN_STARTED = "run started", _("scoring run started")
    MONITORING_CHANGED = "watching changed", _("limits and pay changed")
    UPLOAD_PUBLISHED = "upload published", _("publication of an upload requested")
    WEBHOOK_ADDED = "webhook added", _("webhook added")
    WEBHOOK_REMOVED = "webhook removed", _("webhook removed")
    WEBHOOK_DISABLED = "webhook switched off", _("webhook disabled")
    WEBHOOK_ENABLED = "webhook switched on", _("webhook enabled")


register(
    ScoringAction,
    {
        "archive": _("archive"),
        "budget": _("budget"),
        "changed": _("changed"),
        "evaluation": _("evaluation"),
        "events": _("events"),
        "evidence": _("evidence"),
        "flag": _("flag"),
        "key": _("API key"),
        "licence": _("licence"),
        "model": _("model"),
        "name": _("name"),
        "registered_sha256": _("SHA-256 of the registered plan"),
        "registration": _("registration"),
        "rehearsal": _("rehearsal"),
        "release": _("release"),
        "run": _("run"),
        "seed": _("seed"),
        "url": _("URL"),
    },
)
