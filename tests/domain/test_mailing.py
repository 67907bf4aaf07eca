"""Lists of addresses and the invitations to them."""

import smtplib

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.errors import Refusal
from annotation.domain.jobs.kinds import A_DAY
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.address_lists import MOST, AddressList, Fault, Row, as_text, read_addresses
from annotation.domain.recruiting.links import join_by_link, places_of, revoke_link
from annotation.domain.recruiting.mailings import (
    counts_of,
    invite_addresses,
    note_opened,
    send_again,
    with_joined,
)
from annotation.models import AuditEntry, InvitationLink, InvitedAddress, Mailing, Project
from tests.factories import NOON, add_pairs, at_once, make_project, make_user
from tests.jobs import work_off

pytestmark = pytest.mark.postgres

ROWS = [Row("a@example.org", "Ada", "de"), Row("b@example.org")]


class Fussy(EmailBackend):
    """A mail server that refuses some addresses, and breaks down at others."""

    def send_messages(self, messages):
        for message in messages:
            if message.to[0].startswith("refused"):
                raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such user")})
            if message.to[0].startswith("down"):
                raise ConnectionResetError("gone")
        return super().send_messages(messages)


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=3)
    return project


def invite(project: Project, rows=ROWS) -> Mailing:
    (round_key, pool) = next(iter(places_of(project)))
    return invite_addresses(project=project, round_key=round_key, pool=pool, rows=rows, actor=None, now=NOON)


def send(now=NOON) -> int:
    """How many e-mails went out."""
    before = len(mail.outbox)
    work_off("mailing", now)
    return len(mail.outbox) - before


def states() -> list[str]:
    return list(InvitedAddress.objects.order_by("pk").values_list("state", flat=True))


@pytest.mark.parametrize(
    "text",
    [
        "a@example.org,Ada,de\nb@example.org\n",
        "\ufeffAddress;Name;Language\r\nA@Example.org;Ada;de-AT\r\n\r\n b@example.org ; ;\r\n",
        "name\te-mail\tlanguage\nAda\ta@example.org\tDE\n\tb@example.org\t\n".replace(
            "name\te-mail\tlanguage", "e-mail\tname\tlanguage"
        )
        .replace("Ada\ta@example.org", "a@example.org\tAda")
        .replace("\tb@example.org\t", "b@example.org\t\t"),
    ],
)
def test_lists_are_read_as_spreadsheets_write_them(text):
    assert read_addresses(text) == AddressList(ROWS)


def test_faults_are_told_by_line_and_repeats_counted():
    text = (
        "a@example.org\nnobody\nA@example.org\nb@example.org,B,xx\nc@example.org,C,de,more\nd@example.org," + "D" * 101
    )

    found = read_addresses(text)

    assert (found.rows, found.repeated) == ([Row("a@example.org")], 1)
    assert [fault.line for fault in found.faults] == [2, 4, 5, 6]
    assert found.faults[0] == Fault(2, "“nobody” is not an email address.")


def test_a_list_has_an_end():
    found = read_addresses("".join(f"p{number}@example.org\n" for number in range(MOST + 1)))

    assert (len(found.rows), len(found.faults)) == (MOST, 1)


@given(
    st.lists(st.tuples(st.integers(0, 999), st.text("abc ,;\"'", max_size=9).map(str.strip)), unique_by=lambda x: x[0])
)
def test_a_list_written_and_read_is_the_same(rows):
    listed = [Row(f"p{number}@example.org", " ".join(name.split()), "") for number, name in rows]
    assert read_addresses("address,name,language\n" + as_text(listed)).rows == listed


def test_everybody_gets_one_e_mail_in_their_language(project, mailoutbox):
    invite(project)

    assert [send(), send()] == [2, 0]

    assert [one.to for one in mailoutbox] == [["a@example.org"], ["b@example.org"]]
    assert "Ada" in mailoutbox[0].body
    for one, link in zip(mailoutbox, InvitationLink.objects.order_by("pk"), strict=True):
        assert f"/join/{link.token}/" in one.body
        assert (link.kind, link.most) == ("personal", 1)
    assert states() == ["sent", "sent"]
    assert Mailing.objects.get().state == "done"


def test_an_address_of_an_earlier_list_is_not_invited_again(project, mailoutbox):
    invite(project)
    invite(project, [*ROWS, Row("c@example.org")])
    send()

    assert [one.to[0][0] for one in mailoutbox] == ["a", "b", "c"]
    with pytest.raises(Refusal, match="Everybody on this list has already"):
        invite(project)


def test_a_list_for_a_round_that_is_not_there_is_refused(project):
    with pytest.raises(Refusal, match="no such round"):
        invite_addresses(project=project, round_key="R9", rows=ROWS, actor=None, now=NOON)


def test_an_address_that_is_refused_does_not_stop_the_others(project, settings):
    settings.EMAIL_BACKEND = "tests.domain.test_mailing.Fussy"
    invite(project, [Row("refused@example.org"), *ROWS])

    assert send() == 2

    assert states() == ["failed", "sent", "sent"]
    assert "550" in InvitedAddress.objects.last().problem
    assert Mailing.objects.get().state == "done"


def test_a_mail_server_that_breaks_down_is_tried_again_later(project, settings):
    settings.EMAIL_BACKEND = "tests.domain.test_mailing.Fussy"
    invite(project, [ROWS[0], Row("down@example.org"), ROWS[1]])

    assert send() == 1
    mailing = counts_of(Mailing.objects.all()).get()
    assert (mailing.state, mailing.problem, mailing.settled, mailing.addressed) == ("waiting", "gone", 1, 3)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

    assert (send(), send(NOON + A_DAY[0])) == (0, 2)
    assert [one.to[0][0] for one in mail.outbox] == ["a", "d", "b"]
    assert (states(), Mailing.objects.get().problem) == (["sent"] * 3, "")


def test_what_a_lost_worker_may_have_sent_is_left_to_a_person(project, mailoutbox):
    mailing = invite(project)
    mailing.addresses.filter(address="a@example.org").update(state="sending")

    assert send() == 1

    assert (states(), len(mailoutbox)) == (["sending", "sent"], 1)


def test_an_invitation_is_sent_again_until_the_person_comes(project, mailoutbox, user):
    invite(project)
    send()
    invited = InvitedAddress.objects.get(address="a@example.org")

    send_again(invited=invited, actor=user, now=NOON)
    with pytest.raises(Refusal, match="This invitation is already waiting to"):
        send_again(invited=invited, actor=user, now=NOON)
    send()

    assert [one.to[0][0] for one in mailoutbox] == ["a", "b", "a"]
    join_by_link(link=invited.link, user=make_user("ada"), now=NOON)
    with pytest.raises(Refusal, match="This person has already joined"):
        send_again(invited=invited, actor=user, now=NOON)
    assert dict(with_joined(InvitedAddress.objects.all()).values_list("address", "joined")) == {
        "a@example.org": True,
        "b@example.org": False,
    }
    assert AuditEntry.objects.filter(action="invitation sent again").count() == 1


def test_a_withdrawn_invitation_is_not_sent(project, mailoutbox, user):
    invite(project)
    first = InvitedAddress.objects.get(address="a@example.org")
    revoke_link(link=first.link, actor=None, now=NOON)

    assert send() == 1

    assert Mailing.objects.get().state == "done"
    with pytest.raises(Refusal, match="This invitation has been revoked"):
        send_again(invited=InvitedAddress.objects.get(pk=first.pk), actor=user, now=NOON)


def test_the_first_opening_is_noted(project):
    invite(project)
    link = InvitationLink.objects.first()

    note_opened(link, NOON)
    note_opened(link, NOON.replace(year=2027))

    assert link.invited.opened_at == NOON


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_every_e_mail_once():
    project = make_project()
    add_pairs(project, 2)
    invite(project, [Row(f"p{number}@example.org") for number in range(12)])

    at_once(send, send, send)

    assert len({one.to[0] for one in mail.outbox}) == len(mail.outbox) == 12
    assert states() == ["sent"] * 12
