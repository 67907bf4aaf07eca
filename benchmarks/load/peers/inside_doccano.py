"""Makes doccano's project with pairs and people; run by doccano's own Python. Prints what the clients need as JSON."""

import json
import os
import sys
from importlib import import_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
sys.path.insert(0, os.path.join(os.path.dirname(import_module("backend").__file__)))

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from examples.models import Example  # noqa: E402
from label_types.models import CategoryType  # noqa: E402
from projects.models import Member, ProjectType, TextClassificationProject  # noqa: E402
from roles.models import Role  # noqa: E402


def session_of(user: User) -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key


def main(people: int, pairs: int) -> None:
    owner = User.objects.create_user("owner")
    project = TextClassificationProject.objects.create(
        name="pairs",
        created_by=owner,
        project_type=ProjectType.DOCUMENT_CLASSIFICATION,
        single_class_classification=True,
    )
    labels = [CategoryType.objects.create(project=project, text=str(value)).pk for value in range(1, 6)]
    Example.objects.bulk_create(
        Example(project=project, text=f"First text of pair {at}.\nSecond text of pair {at}.") for at in range(pairs)
    )
    role = Role.objects.get(name=settings.ROLE_ANNOTATOR)
    sessions = []
    for number in range(people):
        user = User.objects.create_user(f"person-{number}")
        Member.objects.create(project=project, user=user, role=role)
        sessions.append(session_of(user))
    print(json.dumps({"project": project.pk, "labels": labels, "sessions": sessions}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
