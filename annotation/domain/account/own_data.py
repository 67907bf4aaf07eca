"""Everything that is stored about one person, streamed for them to download."""

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.db.models.functions import Lower

from annotation.domain.recruiting.guests import confirmed_addresses
from annotation.models import (
    Annotator,
    ApiToken,
    AuditEntry,
    Bonus,
    BrowserSession,
    CrowdSubmission,
    InvitedAddress,
    Judgment,
    MemberInvitation,
    Message,
    Participation,
    PersonalAnswer,
    PracticeAnswer,
    SecurityEvent,
    SelectedPair,
    User,
    WaitingPerson,
)

CHUNK = 2000
ENCODER = DjangoJSONEncoder(ensure_ascii=False)
Row = dict[str, Any]

ACCOUNT = ("email", "username", "first_name", "last_name", "language", "time_zone", "date_joined", "last_login")
PARTICIPATION = (
    "id project__key project__title round seat pool state reason annotator__pseudonym annotator__external_id invited_at"
    " consented_at consent_version rest_until rest_shortened due_at reminded_at finished_at"
).split()
JUDGMENT = (
    "id assignment__participation assignment__session assignment__context assignment__block assignment__position"
    " assignment__item__key assignment__sentence__text assignment__tuple__position assignment__order value best__key"
    " worst__key hard_to_say inversion assignment__shown_at assignment__answered_at saved_at superseded_at touched_ms"
    " answered_ms active_ms adjustments"
).split()


def own_data(user: User) -> Iterator[str]:
    """Yield a JSON object in pieces; its lists are read from the database as they are sent."""
    account: Row = {name: getattr(user, name) for name in ACCOUNT}
    yield f'{{"account": {ENCODER.encode(account)}'
    for name, rows in sections(user):
        yield f',\n"{name}": ['
        for number, row in enumerate(rows):
            yield ("\n" if number == 0 else ",\n") + ENCODER.encode(row)
        yield "]"
    yield "}\n"


def sections(user: User) -> Iterator[tuple[str, Iterable[Row]]]:
    """Yield the name and the rows of each list."""
    addresses = confirmed_addresses(user)
    invited = InvitedAddress.objects.filter(address__in=addresses)
    offered = MemberInvitation.objects.annotate(address=Lower("email")).filter(address__in=addresses)
    places = Participation.objects.filter(annotator__user=user)
    judgments = Judgment.objects.filter(assignment__participation__in=places).order_by("pk")
    pairs = SelectedPair.objects.filter(judgment__in=judgments).order_by("pk")
    yield "addresses", _rows(EmailAddress.objects.filter(user=user), "email", "verified", "primary")
    sessions = BrowserSession.objects.filter(user=user)
    yield "sessions", _rows(sessions, "browser", "began_at", "used_at", "expire_date")
    yield "single sign-on", _rows(SocialAccount.objects.filter(user=user), "uid", "date_joined", "last_login")
    yield "roles", _rows(user.memberships.order_by("pk"), "project__key", "project__title", "role")
    yield "invitations", _rows(invited, "project__key", "round", "address", "name", "sent_at", "opened_at")
    waiting = WaitingPerson.objects.filter(address__in=addresses)
    yield "waiting lists", _rows(waiting, "project__key", "round", "address", "came_at", "invited_at")
    yield "roles offered", _rows(offered, "project__key", "email", "role", "invited_at")
    yield "pseudonyms", _rows(Annotator.objects.filter(user=user), "project__key", "pseudonym")
    yield "participations", _rows(places.order_by("pk"), *PARTICIPATION)
    answers = PersonalAnswer.objects.filter(annotator__user=user).order_by("pk")
    yield "answers about yourself", _rows(answers, "question__text", "text")
    practice = PracticeAnswer.objects.filter(participation__in=places).order_by("pk")
    yield "practice", _rows(practice, *[field.attname for field in PracticeAnswer._meta.concrete_fields])
    yield "judgments", _rows(judgments, *JUDGMENT)
    yield "selected pairs", _rows(pairs, "judgment", "role", "item__sentence1", "item__sentence2", "value")
    messages = Message.objects.filter(participation__in=places).order_by("pk")
    yield "messages", _rows(messages, "participation", "text", "sent_at", "mailed_at", "read_at")
    came = CrowdSubmission.objects.filter(participation__in=places).order_by("pk")
    yield "crowd submissions", _rows(came, "participation", "study__platform", "submission_id", "came_at")
    bonuses = Bonus.objects.filter(participation__in=places).order_by("pk")
    yield "bonuses", _rows(bonuses, "participation", "amount", "currency", "reason", "state", "created_at")
    tokens = ApiToken.objects.filter(user=user)
    yield "API tokens", _rows(tokens, "token_key", "name", "scope", "created", "expiry")
    done = AuditEntry.objects.filter(actor=user).order_by("pk")
    yield "actions in the log", _rows(done, "project_key", "place", "action", "reason", "at")
    about = AuditEntry.objects.filter(participation__in=places).order_by("pk")
    events = SecurityEvent.objects.filter(user=user).order_by("pk")
    yield "security log", _rows(events, "kind", "address", "project_key", "at")
    yield "log about you", _rows(about, "project_key", "place", "action", "reason", "at")


def _rows(rows: QuerySet, *columns: str) -> Iterator[Row]:
    for row in rows.values(*columns).iterator(chunk_size=CHUNK):
        yield {name.replace("__", "_"): value for name, value in row.items()}
