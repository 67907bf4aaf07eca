"""What a browser sends."""

import time
from uuid import uuid4

from django.test import Client

from annotation.models import Assignment, Judgment, Participation, User
from tests.factories import report_sentences

HTMX = {"HX-Request": "true"}


def client_of(user: User, **values: object) -> Client:
    client = Client(**values)
    client.force_login(user)
    return client


def asked_again(client: Client) -> Client:
    """The client after its person has typed their password once more."""
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session["account_authentication_methods_user"] = session["_auth_user_id"]
    session.save()
    return client


def url_of(participation: Participation, page: str = "") -> str:
    return f"/my-work/{participation.pk}/{page}"


def rating(assignment: Assignment, value: str = "2", **fields: object) -> dict[str, object]:
    return {"assignment": assignment.pk, "key": str(uuid4()), "value": value, **fields}


def selection(assignment: Assignment, **fields: object) -> dict[str, object]:
    picks = {f"pick-{role}": pk for role, pk in zip("ABC", report_sentences(assignment), strict=False)}
    values = {"value-A": "6", "value-B": "3", "value-C": "0"}
    return {"assignment": assignment.pk, "key": str(uuid4()), **picks, **values, **fields}


def stored_values(participation: Participation) -> list[float | None]:
    rows = Judgment.objects.filter(assignment__participation=participation).order_by("pk")
    return list(rows.values_list("value", flat=True))
