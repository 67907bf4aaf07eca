"""Makes Label Studio's project with pairs and people; run by its own Python. Prints what the clients need as JSON."""

import json
import os
import sys
import time
from importlib import import_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.settings.label_studio")
sys.path.insert(0, os.path.dirname(import_module("label_studio").__file__))

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from organizations.models import Organization  # noqa: E402
from projects.models import Project  # noqa: E402
from tasks.models import Task  # noqa: E402
from users.models import User  # noqa: E402

CONFIG = (
    '<View><Text name="pair" value="$text"/>'
    '<Rating name="similarity" toName="pair" maxRating="5" required="true"/></View>'
)


def session_of(user: User) -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    # Not the first of its backends: that one knows permissions only, and no accounts.
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session["last_login"] = time.time()
    session["organization_pk"] = user.active_organization_id
    session.save()  # it is in the cookie itself, signed: only now it has a key
    return session.session_key


def main(people: int, pairs: int) -> None:
    owner = User.objects.create_user("owner@example.org", "a very long password")
    organization = Organization.create_organization(created_by=owner, title="Benchmark")
    owner.active_organization = organization
    owner.save()
    project = Project.objects.create(
        title="pairs", created_by=owner, organization=organization, label_config=CONFIG, maximum_annotations=people
    )
    Task.objects.bulk_create(
        Task(
            project=project,
            data={"text": f"First text of pair {at}. Second text of pair {at}."},
            overlap=people,
            inner_id=at + 1,
        )
        for at in range(pairs)
    )
    sessions = []
    for number in range(people):
        user = User.objects.create_user(f"person-{number}@example.org", "a very long password")
        organization.add_user(user)
        user.active_organization = organization
        user.save()
        sessions.append(session_of(user))
    print(json.dumps({"project": project.pk, "sessions": sessions}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
