"""Removes from the administration pages the rows of libraries that nobody needs to change: groups, which give no rights
here, the results of background tasks, and the tables of single sign-on, whose provider is in the settings."""

from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import Group
from django_celery_results.admin import GroupResult, TaskResult

admin.site.unregister([Group, GroupResult, TaskResult, SocialAccount, SocialApp, SocialToken])
