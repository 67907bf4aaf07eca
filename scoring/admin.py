"""What was computed, made and told, for managers to look at; every change goes through the domain."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.admin import OfManagedProjects
from scoring.models import Delivery, Evaluation, Release, Run, Webhook
from scoring.queries import with_parts


@admin.register(Run)
class RunAdmin(OfManagedProjects):
    list_display = ("__str__", "state", "progress", "as_of", "started_at", "ended_at", "created_by")
    list_filter = ("state", ("project", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("project", "created_by")
    exclude = ("results", "snapshot")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return with_parts(super().get_queryset(request)).defer("results")

    @admin.display(description="parts done")
    def progress(self, run: Any) -> str:
        return f"{run.parts_done} of {run.parts_total}"


@admin.register(Release)
class ReleaseAdmin(OfManagedProjects):
    list_display = ("__str__", "state", "licence", "leaderboard_open", "ended_at", "created_by")
    list_filter = ("state", ("project", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("project", "created_by")
    exclude = ("manifest",)


@admin.register(Evaluation)
class EvaluationAdmin(OfManagedProjects):
    project_path = "release__project"
    list_display = ("model", "release", "created_by", "created_at")
    list_select_related = ("release__project", "created_by")
    exclude = ("predictions", "results")


@admin.register(Webhook)
class WebhookAdmin(OfManagedProjects):
    list_display = ("url", "project", "events", "active", "created_at")
    list_select_related = ("project",)
    exclude = ("secret",)


@admin.register(Delivery)
class DeliveryAdmin(OfManagedProjects):
    """The log of what was told to whom."""

    project_path = "webhook__project"
    list_display = ("event", "webhook", "state", "attempts", "status", "error", "next_at", "ended_at")
    list_filter = ("state", "event")
    list_select_related = ("webhook",)
