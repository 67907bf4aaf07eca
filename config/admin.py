"""Removes from the administration pages the rows of libraries that nobody needs to change: groups, which give no rights
here, and the results of background tasks."""

from django.contrib import admin
from django.contrib.auth.admin import Group
from django_celery_results.admin import GroupResult, TaskResult

admin.site.unregister([Group, GroupResult, TaskResult])
