"""What was computed, made and sent, for superusers to look at."""

from annotation.admin import show
from scoring.models import Delivery, Evaluation, Release, Run, Webhook

ENDS = ("ended_at", "created_by")

show(Run, "project", "number", "state", *ENDS, related=("project", "created_by"), exclude=("results", "snapshot"))
show(Release, "project", "number", "state", *ENDS, related=("project", "created_by"), exclude=("manifest",))
show(
    Evaluation,
    *("release", "model", "created_by", "created_at"),
    related=("release__project", "created_by"),
    second_factor="release__project__requires_second_factor",
    exclude=("predictions", "results"),
)
show(Webhook, "project", "url", "events", "active", "created_at", exclude=("secret",))
show(
    Delivery,
    *("webhook", "event", "state", "attempts", "status", "problem", "not_before", "ended_at"),
    related=("webhook",),
    second_factor="webhook__project__requires_second_factor",
    list_filter=("state", "event"),
)
