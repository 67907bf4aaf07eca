"""The wording of the audit log's actions and details; each app registers its actions. Files keep the stored words."""

from collections.abc import Mapping

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_actions: dict[str, Promise] = {}
_details: dict[str, Promise] = {}


def register(actions: type[TextChoices], details: Mapping[str, Promise]) -> None:
    """Register actions, and the names of the details that only their entries have."""
    _actions.update(actions.choices)
    _details.update(details)


def is_registered(action: str) -> bool:
    """Return whether some app has registered the action."""
    return action in _actions


def action_name(action: str) -> str:
    """Return the action in the reader's language; an action of an earlier version is returned as it is stored."""
    return str(_actions.get(action, action))


def detail_name(name: str) -> str:
    """Return the detail in the reader's language; a detail of an earlier version is returned as it is stored."""
    return str(_details.get(name, name))


class Action(TextChoices):
    """Acts of people and the system on a project, as they are stored and as pages call them."""

    ADDRESSES_INVITED = "addresses invited", _("addresses invited")
    AWS_KEY_REMOVED = "aws key removed", _("Amazon key removed")
    AWS_KEY_SAVED = "aws key saved", _("Amazon key saved")
    BONUS_WITHDRAWN = "bonus withdrawn", _("bonus removed")
    BONUSES_PAID = "bonuses paid by hand", _("bonuses paid manually")
    BONUSES_PLANNED = "bonuses planned", _("bonuses planned")
    CROWD_STUDY_ADDED = "crowd study added", _("crowd study added")
    CROWD_STUDY_CHANGED = "crowd study changed", _("crowd study changed")
    DEADLINE_MOVED = "deadline moved", _("deadline changed")
    ROUND_DEADLINE_MOVED = "deadline of a round moved", _("round deadline changed")
    EXCLUDED = "excluded", _("excluded")
    REASSIGNED = "given on", _("remaining work reassigned")
    IMPORT_AGREED = "import agreed to", _("import confirmed")
    IMPORT_REQUESTED = "import asked for", _("import requested")
    IMPORT_DISCARDED = "import discarded", _("import discarded")
    INVITATION_RESENT = "invitation sent again", _("invitation sent again")
    IMPORT_UNDONE = "import undone", _("import undone")
    ITEM_CHANGED = "item changed", _("item changed")
    ITEM_REPLACED = "item replaced", _("item replaced")
    ITEMS_DELETED = "items deleted", _("items deleted")
    ITEMS_REINSTATED = "items reinstated", _("items reinstated")
    ITEMS_REOPENED = "items reopened", _("more judgments requested")
    ITEMS_WITHDRAWN = "items withdrawn", _("items withdrawn")
    JOB_CANCELLED = "job cancelled", _("job cancelled")
    JOB_RETRIED = "job retried", _("job retried")
    JUDGMENTS_IMPORTED = "judgments imported", _("judgments imported")
    LAUNCH_TAKEN_BACK = "launch taken back", _("launch undone")
    LEFT = "left", _("left")
    LINK_CREATED = "link made", _("link created")
    LINK_REOPENED = "link opened again", _("link reactivated")
    LINK_WITHDRAWN = "link withdrawn", _("link revoked")
    MAIL_TEMPLATE_CHANGED = "mail template changed", _("email text changed")
    MEMBER_ADDED = "member added", _("member added")
    MEMBER_ERASED = "member erased their account", _("member erased their account")
    MEMBER_INVITATION_WITHDRAWN = "member invitation withdrawn", _("member invitation revoked")
    MEMBER_INVITED = "member invited", _("member invited")
    MEMBER_REMOVED = "member removed", _("member removed")
    MESSAGE_SENT = "message sent", _("message sent")
    BROADCAST_REQUESTED = "message to several asked for", _("group message requested")
    PAUSE_SHORTENED = "pause shortened", _("pause shortened")
    PAYMENT_TOKEN_REMOVED = "payment token removed", _("payment token removed")
    PAYMENT_TOKEN_SAVED = "payment token saved", _("payment token saved")
    PAYMENTS_ALLOWED = "payments allowed", _("payments without two-factor authentication allowed")
    PAYMENTS_NOT_ALLOWED = "payments not allowed", _("payments without two-factor authentication disallowed")
    PAYMENT_ORDERED = "payment ordered", _("payment ordered")
    PAYMENT_SETTLED = "payment settled", _("payment outcome recorded")
    PERSON_ERASED = "person erased", _("personal data erased")
    PLAN_REQUESTED = "plan asked for", _("plan requested")
    LABEL_CHANGED = "known label changed", _("known label changed")
    PRACTICE_TASK_ADDED = "practice task added", _("practice task added")
    PRACTICE_TASK_CHANGED = "practice task changed", _("practice task changed")
    PRACTICE_TASK_MOVED = "practice task moved", _("practice task moved")
    PRACTICE_TASK_REMOVED = "practice task removed", _("practice task removed")
    PRACTICE_SET_IMPORTED = "practice set brought in", _("practice set imported")
    PRACTICE_SET_REMOVED = "practice set removed", _("practice set removed")
    PROJECT_CHANGED = "project changed", _("project changed")
    PROJECT_CLOSED = "project closed", _("project closed")
    PROJECT_CREATED = "project created", _("project created")
    PROJECT_DELETED = "project deleted", _("project deleted")
    PROJECT_LAUNCHED = "project launched", _("project launched")
    PROJECT_REOPENED = "project opened again", _("project reopened")
    PROJECT_PAUSED = "project paused", _("project paused")
    PROJECT_REHEARSED = "project rehearsed", _("project rehearsed")
    PROJECT_RESUMED = "project resumed", _("project resumed")
    PROLIFIC_DRAFT_CREATED = "prolific draft created", _("Prolific draft created")
    PROLIFIC_DRAFT_CHANGED = "prolific draft changed", _("Prolific draft changed")
    PROLIFIC_STUDY_PUBLISHED = "prolific study published", _("Prolific study published")
    PROLIFIC_STUDY_PAUSED = "prolific study paused", _("Prolific study paused")
    PROLIFIC_STUDY_RESUMED = "prolific study resumed", _("Prolific study resumed")
    PROLIFIC_PLACES_ADDED = "prolific places added", _("places added to Prolific study")
    PROTOCOL_CHANGED = "protocol changed", _("protocol changed")
    QUESTION_ADDED = "question added", _("question added")
    QUESTION_CHANGED = "question changed", _("question changed")
    QUESTION_MOVED = "question moved", _("question moved")
    QUESTION_REMOVED = "question removed", _("question removed")
    QUOTA_SET = "quota set", _("quota set")
    QUOTA_REMOVED = "quota removed", _("quota removed")
    REINSTATED = "restored", _("reinstated")
    RESUME_LINK_SENT = "resume link sent", _("resume link sent")
    RESUME_LINKS_WITHDRAWN = "resume links withdrawn", _("resume links revoked")
    ROLE_CHANGED = "role changed", _("role changed")
    ROUND_CONTINUED = "round continued", _("round continued")
    ROUND_STOPPED = "round stopped", _("round stopped")
    SECOND_FACTOR_OPTIONAL = "second factor optional", _("two-factor authentication made optional")
    SECOND_FACTOR_REQUIRED = "second factor required", _("two-factor authentication required")


register(
    Action,
    {
        "addresses": _("addresses"),
        "amount": _("amount"),
        "answers": _("answers"),
        "bonuses": _("bonuses"),
        "calibration": _("calibration pairs"),
        "check": _("check tasks"),
        "broadcast": _("group message"),
        "cleaning": _("text corrections"),
        "closes": _("stops after the deadline"),
        "cost": _("cost"),
        "currency": _("currency"),
        "example": _("worked examples"),
        "expires_at": _("valid until"),
        "fields": _("fields"),
        "file": _("file"),
        "from": _("before"),
        "further": _("additional judgments per item"),
        "guest": _("guest"),
        "import": _("import"),
        "invitation": _("invitation"),
        "invited": _("invited address"),
        "items": _("items"),
        "job": _("job"),
        "judgments": _("judgments"),
        "kind": _("kind"),
        "language": _("language"),
        "link": _("link"),
        "mailing": _("mailing"),
        "member": _("member"),
        "message": _("message"),
        "most": _("maximum number of people"),
        "numbers": _("numbers"),
        "open": _("open"),
        "paid": _("paid"),
        "part": _("part of the practice set"),
        "payment": _("payment"),
        "people": _("people"),
        "places": _("places"),
        "plan": _("plan"),
        "platform": _("platform"),
        "pool": _("pool"),
        "practice": _("practice tasks"),
        "protocol": _("protocol"),
        "published": _("published"),
        "purpose": _("purpose"),
        "question": _("question"),
        "refill": _("replacement place"),
        "role": _("role"),
        "round": _("round"),
        "rounds": _("rounds"),
        "session": _("session"),
        "sha256": _("SHA-256 of the file"),
        "since": _("since"),
        "study": _("study"),
        "study_id": _("study ID"),
        "title": _("title"),
        "to": _("after"),
        "total": _("total"),
        "wave": _("wave"),
        "withdrawn": _("place withdrawn"),
    },
)
