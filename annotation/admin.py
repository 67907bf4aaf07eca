"""Managers' pages, as long as there is no dashboard: they show, and every change goes through the domain."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.domain.members import has_second_factor
from annotation.domain.participation import exclude, shorten_pause
from annotation.domain.projects import add_member, log_changes
from annotation.domain.setting_up import change_numbers
from annotation.forms.administration import ChangeNumbersForm, ExcludeForm, ShortenForm
from annotation.models import AuditEntry, Item, Membership, Participation, PracticeTask, Project, RoundPlan, User
from annotation.permissions import managed_projects
from annotation.queries import with_progress


@admin.register(User)
class AccountAdmin(UserAdmin):
    list_display = (*UserAdmin.list_display, "opens_projects")
    fieldsets = (*UserAdmin.fieldsets, ("Semblance", {"fields": ("opens_projects",)}))


class OfManagedProjects(admin.ModelAdmin):
    """Managers see the rows of their own projects, and change nothing here directly."""

    project_path = "project"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        projects = managed_projects(request.user)
        if not has_second_factor(request.user):
            projects = projects.exclude(requires_second_factor=True)
        return super().get_queryset(request).filter(**{f"{self.project_path}__in": projects})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Project)
class ProjectAdmin(OfManagedProjects):
    project_path = "pk"
    list_display = ("key", "title", "language", "created_at", "closed_at", "tools")
    search_fields = ("key", "title")
    fields = ("key", "title", "language", "guidelines", "consent", "closed_at", "seed", "tools")
    readonly_fields = ("key", "seed", "tools")

    def get_inlines(self, request: HttpRequest, obj: Any) -> list:
        return [MembershipInline] if request.user.is_superuser else []

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is None or managed_projects(request.user).filter(pk=obj.pk).exists()

    def save_model(self, request: HttpRequest, obj: Project, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        log_changes(project=obj, fields=form.changed_data, actor=request.user, now=timezone.now())

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        given = {"project": form.instance, "actor": request.user, "now": timezone.now()}
        for one in formset.new_objects:
            write_down("member added", **given, member=one.user_id, role=one.role)
        for one, _fields in formset.changed_objects:
            write_down("role changed", **given, member=one.user_id, to=one.role)
        for one in formset.deleted_objects:
            write_down("member removed", **given, member=one.user_id, role=one.role)
        for membership in form.instance.memberships.filter(role=Membership.Role.MANAGER, user__is_staff=False):
            add_member(project=form.instance, user=membership.user, role=Membership.Role.MANAGER)

    @admin.display(description="")
    def tools(self, project: Project) -> str:
        return format_html(
            '<a href="{}">Plan a round</a> · <a href="{}">Numbers</a> · <a href="{}">Overview and import</a>',
            reverse("project-plans", args=[project.key]),
            reverse("admin:annotation_project_numbers", args=[project.pk]),
            reverse("project", args=[project.key]),
        )

    def get_urls(self) -> list:
        view = self.admin_site.admin_view
        return [
            path("<int:pk>/numbers/", view(self.numbers_view), name="annotation_project_numbers"),
            *super().get_urls(),
        ]

    def numbers_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        project = self.get_object(request, str(pk))
        if project is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(pk))
        form = ChangeNumbersForm(request.POST or None, project=project)
        if request.method == "POST" and form.is_valid():
            try:
                given = {"texts": {}} | form.request()
                changed = change_numbers(project=project, actor=request.user, now=timezone.now(), **given)
                messages.success(request, form.told(changed))
                return redirect("admin:annotation_project_change", pk)
            except Refusal as error:
                form.add_error(None, str(error))
        return _form_page(self, request, form, f"Numbers of the protocol: {project}")


@admin.register(Participation)
class ParticipationAdmin(OfManagedProjects):
    list_display = (
        "place",
        "who",
        "state",
        "answers",
        "mean_seconds",
        "rest_until",
        "reason",
    )
    list_filter = ("state", "round", ("project", admin.RelatedOnlyFieldListFilter))
    search_fields = ("annotator__pseudonym", "annotator__user__email", "annotator__external_id")
    list_select_related = ("project", "annotator__user")
    list_per_page = 50
    actions = ("exclude_people", "shorten_pauses")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return with_progress(super().get_queryset(request))

    @admin.display(ordering="seat")
    def place(self, participation: Participation) -> str:
        return " ".join([participation.project.key, participation.pool, str(participation)]).replace("  ", " ")

    @admin.display(ordering="annotator")
    def who(self, participation: Participation) -> str:
        return str(participation.annotator or "free place")

    @admin.display(ordering="answered")
    def answers(self, participation: Participation) -> str:
        return f"{participation.answered} of {participation.screens}"

    @admin.display(ordering="active_ms")
    def mean_seconds(self, participation: Participation) -> str:
        return "" if participation.active_ms is None else f"{participation.active_ms / 1000:.1f}"

    @admin.action(description="Exclude, with a reason, and replace")
    def exclude_people(self, request: HttpRequest, chosen: QuerySet) -> HttpResponse | None:
        return self._with_reason(request, chosen, ExcludeForm, "Exclude people", exclude)

    @admin.action(description="Shorten the pause, with a reason")
    def shorten_pauses(self, request: HttpRequest, chosen: QuerySet) -> HttpResponse | None:
        return self._with_reason(request, chosen, ShortenForm, "Shorten the pause", shorten_pause)

    def _with_reason(
        self, request: HttpRequest, chosen: QuerySet, form_class: Any, title: str, act: Any
    ) -> HttpResponse | None:
        """Asks for the reason on a page of its own, then does it to each of the people chosen."""
        form = form_class(request.POST if "reason" in request.POST else None)
        if not form.is_valid():
            return _form_page(self, request, form, title, chosen=chosen, action=request.POST["action"])
        for participation in chosen:
            try:
                act(
                    participation_id=participation.pk,
                    actor=request.user,
                    now=timezone.now(),
                    **form.cleaned_data,
                )
                messages.success(request, f"{participation}: done.")
            except Refusal as error:
                messages.error(request, f"{participation}: {error}")
        return None


def _form_page(model_admin: admin.ModelAdmin, request: HttpRequest, form: Any, title: str, **values: Any):
    context = model_admin.admin_site.each_context(request) | {"form": form, "title": title, "opts": model_admin.opts}
    return render(request, "admin/annotation/form.html", context | values)


@admin.register(Item)
class ItemAdmin(OfManagedProjects):
    list_display = ("key", "project", "sentence1", "sentence2", "language", "calibration_order")
    list_filter = (("project", admin.RelatedOnlyFieldListFilter), ("calibration_order", admin.EmptyFieldListFilter))
    search_fields = ("key", "sentence1", "sentence2")
    list_select_related = ("project",)
    show_full_result_count = False


@admin.register(PracticeTask)
class PracticeTaskAdmin(OfManagedProjects):
    list_display = ("project", "part", "position", "best", "worst", "language")
    list_filter = ("part", ("project", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("project",)


@admin.register(RoundPlan)
class RoundPlanAdmin(OfManagedProjects):
    list_display = ("project", "round", "state", "created_at", "ended_at", "seed", "problem", "outcome")
    list_filter = ("state", ("project", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("project",)


@admin.register(AuditEntry)
class AuditEntryAdmin(OfManagedProjects):
    list_display = ("at", "project", "action", "participation", "actor", "reason")
    list_filter = ("action", ("project", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("project", "participation", "actor")
