"""Embedded mode with Django's error pages and fresh templates, for `manage.py runserver`."""

from config.settings.base import *

DEBUG = True
