"""Administration pages, for superusers only: everything is shown, and only accounts can be changed."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotation.domain.account.installation import guard_last_administrator
from annotation.domain.account.sessions import end_sessions
from annotation.domain.errors import Refusal
from annotation.domain.project.members import has_second_factor
from annotation.models import AuditEntry, Item, Participation, PracticeTask, Project, RoundPlan, User


class AccountForm(UserChangeForm):
    """An account's rights; the installation keeps an administrator."""

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if not (given["is_active"] and given["is_superuser"]):
            try:
                guard_last_administrator(User.objects.get(pk=self.instance.pk))
            except Refusal as refusal:
                raise forms.ValidationError(str(refusal)) from refusal
        return given


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts: who may sign in, administer and open projects; and new passwords for people who lost theirs.

    People make their accounts themselves, and erase them under "My data", where their judgments stay.
    """

    form = AccountForm
    list_display = ("username", "email", "is_active", "is_superuser", "opens_projects", "last_login")
    list_filter = ("is_active", "is_superuser", "opens_projects")
    fields = ("username", "email", "password", "is_active", "is_superuser", "opens_projects", "last_login")
    readonly_fields = ("username", "email", "last_login")
    fieldsets, filter_horizontal = None, ()
    actions = ("sign_out",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_delete_permission = has_add_permission

    @admin.action(description=_("Sign out of all devices"), permissions=["change"])
    def sign_out(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        for user in chosen:
            end_sessions(user)
            self.log_change(request, user, "Signed out of all devices.")

    def save_model(self, request: HttpRequest, obj: User, form: AccountForm, change: bool) -> None:
        obj.is_staff = obj.is_superuser
        super().save_model(request, obj, form, change)


class ReadOnly(admin.ModelAdmin):
    """Rows to look at. They change on the pages of their project, whose rules hold for superusers too.

    Rows of a project that requires a second factor are shown only to people who have one.
    """

    show_full_result_count = False
    second_factor = "project__requires_second_factor"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request).defer(*self.exclude or ())
        return rows if has_second_factor(request.user) else rows.exclude(**{self.second_factor: True})

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


def show(model: type, *columns: str, related: tuple[str, ...] = ("project",), **options: Any) -> None:
    """Register a page that lists the columns of a model; `related` names what the rows refer to there."""
    admin.site.register(model, ReadOnly, list_display=columns, list_select_related=related, **options)


show(
    Project,
    *("key", "title", "language", "created_at", "closed_at"),
    related=(),
    second_factor="requires_second_factor",
    search_fields=("key", "title"),
)
show(
    Participation,
    *("project", "round", "pool", "seat", "annotator", "state", "rest_until", "reason"),
    related=("project", "annotator__user"),
    list_filter=("state",),
    search_fields=("annotator__pseudonym", "annotator__user__email", "annotator__external_id"),
)
show(Item, "project", "key", "sentence1", "sentence2", search_fields=("key", "sentence1", "sentence2"))
show(PracticeTask, "project", "part", "position", "best", "worst", "language", list_filter=("part",))
show(RoundPlan, "project", "round", "state", "created_at", "ended_at", "seed", "problem", list_filter=("state",))
show(
    AuditEntry,
    *("at", "project_key", "action", "place", "actor", "by", "reason"),
    related=("actor",),
    list_filter=("action",),
    search_fields=("project_key",),
)
