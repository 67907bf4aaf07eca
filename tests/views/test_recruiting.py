"""The pages on which managers find people and pay bonuses."""

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.crowd.bonuses import plan_bonuses, planned_total
from annotation.domain.recruiting.crowd.payment import order_payment
from annotation.domain.recruiting.crowd.wallets import wallet_of
from annotation.domain.recruiting.guests import guest_for, nameless_guest
from annotation.domain.recruiting.links import join_by_link, make_link
from annotation.models import (
    Bonus,
    BonusPayment,
    CrowdStudy,
    InvitationLink,
    InvitedAddress,
    Mailing,
    Membership,
    Wallet,
)
from tests.crowds import SECOND, STUDY, arrive, fill_wallet, make_study, pid
from tests.factories import NOON, make_user
from tests.jobs import swept, work_off
from tests.platforms import Prolific, running
from tests.views.sending import HTMX, asked_again, client_of

PAGE = "/projects/project/recruiting/"


@pytest.fixture
def study(db) -> CrowdStudy:
    study = make_study()
    fill_wallet(study.project)
    return study


@pytest.fixture
def client(study, user):
    """A client of an owner of a project with a study."""
    add_member(project=study.project, user=user, role=Membership.Role.OWNER)
    return asked_again(client_of(user))


@pytest.fixture
def manager(study):
    """A client of somebody who manages the project, and does not own it."""
    manager = make_user("manager")
    add_member(project=study.project, user=manager, role=Membership.Role.MANAGER)
    return client_of(manager)


def place(study) -> str:
    return f"{study.round}/{study.pool}"


def test_a_link_is_made_shown_and_withdrawn(client, study, user):
    made = client.post(PAGE, {"place": place(study), "most": "2", "note": "Forum", "expires_at": "2999-01-01T00:00"})
    link = InvitationLink.objects.get()
    page = client.get(PAGE).text
    assert (made.status_code, link.most, link.note, link.created_by) == (302, 2, "Forum", user)
    assert f"http://testserver/join/{link.token}/" in page
    assert "0 of 2 joined" in page

    client.post(f"{PAGE}links/{link.pk}/revoke/")

    assert link.token not in client.get(PAGE).text
    assert "Revoked" in client.get(PAGE).text


@pytest.mark.parametrize(
    "fields", [{}, {"place": "R9/"}, {"most": "0"}, {"expires_at": "never"}, {"expires_at": "2000-01-01T00:00"}]
)
def test_a_link_that_cannot_be_is_told(client, study, fields):
    given = {"place": place(study)} | fields if fields else {"place": ""}

    assert client.post(PAGE, given).status_code == 422
    assert not InvitationLink.objects.exists()


def test_the_standing_link_is_withdrawn(client, study):
    shown = client.get(PAGE).text.split('readonly value="http://testserver')[1].split('"')[0]
    assert client_of(make_user("ben")).get(shown).status_code == 200

    client.post(f"{PAGE}standing/revoke/", {"place": place(study)})
    client.post(f"{PAGE}standing/revoke/", {"place": "R9/"})

    assert client_of(make_user("eva")).get(shown).status_code == 410
    assert InvitationLink.objects.get().kind == "standing"


def test_people_may_come_without_an_address_if_the_project_says_so(client, study):
    client.post(f"{PAGE}options/", {"without_address": "on"})
    assert study.project.recruiting.without_address

    client.post(f"{PAGE}options/", {})

    study.project.recruiting.refresh_from_db()
    assert not study.project.recruiting.without_address


def test_a_list_is_looked_through_before_anything_is_stored(client, study, mailoutbox):
    text = "address,name\na@example.org,Ada\nnobody\nA@example.org\nb@example.org"
    file = SimpleUploadedFile("people.csv", text.encode())

    page = client.post(f"{PAGE}addresses/", {"place": place(study), "file": file})

    assert "2 addresses can be invited" in page.text
    assert "Line 3:" in page.text
    assert "1 line repeats" in page.text
    assert not InvitedAddress.objects.exists()
    confirmed = {"place": page.context["place"], "rows": page.context["rows"], "confirmed": "1"}
    client.post(f"{PAGE}addresses/", confirmed)
    assert work_off("mailing", NOON) == 1
    again = client.post(f"{PAGE}addresses/", confirmed, follow=True)
    assert "Everybody on this list has already" in again.text
    assert (InvitedAddress.objects.count(), len(mailoutbox)) == (2, 2)


def test_personal_links_may_have_an_end(client, study, mailoutbox):
    given = {"place": place(study), "rows": "a@example.org", "expires_at": "2999-01-01T00:00"}

    page = client.post(f"{PAGE}addresses/", given)
    gone = client.post(f"{PAGE}addresses/", given | {"confirmed": "1", "expires_at": "2000-01-01T00:00"}, follow=True)
    client.post(f"{PAGE}addresses/", given | {"confirmed": "1"})
    work_off("mailing", NOON)
    link = InvitedAddress.objects.get().link

    assert 'name="expires_at" value="2999-01-01T00:00"' in page.text
    assert "The links work until 1 January 2999" in page.text
    assert "This time has already passed" in gone.text
    assert (link.expires_at.year, "open until 1 January 2999" in mailoutbox[0].body) == (2999, True)
    InvitationLink.objects.update(expires_at=NOON)
    assert "has expired" in client_of(make_user("eva")).get(f"/join/{link.token}/").text


@pytest.mark.parametrize("bad", [b"", b"\xff\xfe", b"x" * (2 * 1024 * 1024 + 1)])
def test_files_that_cannot_be_read_are_told(client, study, bad):
    file = SimpleUploadedFile("people.csv", bad)

    assert client.post(f"{PAGE}addresses/", {"place": place(study), "file": file}).status_code == 422


def test_an_invitation_is_sent_again_from_its_page(client, study, mailoutbox):
    client.post(f"{PAGE}addresses/", {"place": place(study), "rows": "a@example.org", "confirmed": "1"})
    waiting = client.get(f"{PAGE}addresses/", headers=HTMX)
    assert "0 of 1 emails" in waiting.text
    assert "<html" not in waiting.text
    work_off("mailing", NOON)
    invited = InvitedAddress.objects.get()

    client.post(f"{PAGE}addresses/{invited.pk}/again/")
    twice = client.post(f"{PAGE}addresses/{invited.pk}/again/", follow=True)
    work_off("mailing", NOON)
    client.post(f"{PAGE}links/{invited.link_id}/revoke/")

    assert "This invitation is already waiting to" in twice.text
    assert len(mailoutbox) == 2
    assert "Revoked" in client.get(f"{PAGE}addresses/").text


def test_links_of_a_guest_are_made_void(client, study):
    guest = nameless_guest(project=study.project)

    client.post(f"{PAGE}guests/{guest.pk}/withdraw/")

    before, guest.nonce = guest.nonce, ""
    guest.refresh_from_db()
    assert guest.nonce != before
    assert "No email address" in client.get(f"{PAGE}guests/").text


def fields_of(study, **changes: str) -> dict[str, str]:
    values = {"place": place(study), "platform": "prolific", "session": "1", "study_id": SECOND}
    return values | {"completion_code": " ABC ", "open": "on"} | changes


def test_a_study_is_added_and_changed(client, study):
    CrowdStudy.objects.all().delete()
    client.post(f"{PAGE}studies/", fields_of(study))
    new = CrowdStudy.objects.get()
    url = f"{PAGE}studies/{new.pk}/"
    page = client.get(url).text

    assert (new.completion_code, new.open, new.round) == ("ABC", True, "main")
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}" in page
    assert client.post(url, fields_of(study, completion_code="")).status_code == 422
    client.post(url, fields_of(study, completion_code="XYZ"))
    new.refresh_from_db()
    assert new.completion_code == "XYZ"


def test_a_study_people_have_come_for_keeps_its_place(client, study):
    arrive(study)

    client.post(f"{PAGE}studies/{study.pk}/", fields_of(study, platform="mturk", study_id=STUDY))

    study.refresh_from_db()
    assert (study.platform, study.completion_code) == ("prolific", "ABC")


def test_one_study_too_many_is_told(client, study):
    page = client.post(f"{PAGE}studies/", fields_of(study))

    assert (page.status_code, "already" in page.text) == (422, True)


@pytest.fixture
def bonuses(client, study, user) -> str:
    for number in (1, 2):
        arrive(study, number)
    client.post(
        f"{PAGE}studies/{study.pk}/bonuses/",
        {"lines": f"{pid(1)},1.50\n{pid(2)},2", "currency": "GBP", "reason": "Well done"},
    )
    return f"{PAGE}studies/{study.pk}/bonuses"


def test_the_list_of_bonuses_is_in_the_form_of_prolific(client, bonuses):
    response = client.get(f"{bonuses}.csv")

    assert response.text == f"{pid(1)},1.50\n{pid(2)},2.00\n"
    assert 'filename="project-main-bonuses.csv"' in response["Content-Disposition"]


def test_lines_that_cannot_be_taken_are_told(client, bonuses):
    page = client.post(f"{bonuses}/", {"lines": f"{pid(1)},x", "currency": "GBP", "reason": "More"})
    empty = client.post(f"{bonuses}/", {"lines": ",", "currency": "pounds", "reason": "More"})

    assert (page.status_code, "Line 1:" in page.text, empty.status_code) == (422, True, 422)
    assert client.post(f"{bonuses}/", {"lines": "\n", "currency": "GBP", "reason": "M"}).status_code == 422
    assert Bonus.objects.count() == 2


def test_bonuses_are_paid_from_the_page(client, bonuses, settings):
    server = Prolific()
    settings.PROLIFIC_API_URL = server.url
    with running(server):
        total = client.get(f"{bonuses}/pay/").text.split('name="total" value="')[1].split('"')[0]
        client.post(f"{bonuses}/pay/", {"total": total})
        assert "A payment is in progress" in client.get(f"{bonuses}/", headers=HTMX).text
        work_off("payment", NOON)
        twice = client.post(f"{bonuses}/pay/", follow=True)

    assert "No bonuses are planned" in twice.text
    assert server.paid[pid(1)] == Bonus.objects.get(amount="1.50").amount
    assert set(Bonus.objects.values_list("state", flat=True)) == {"sent"}


def test_an_open_browser_of_an_owner_does_not_pay(client, bonuses, user):
    asked = client_of(user).post(f"{bonuses}/pay/", {"total": "3.50"})

    assert asked["Location"].startswith("/account/reauthenticate/")
    assert not BonusPayment.objects.exists()


def test_a_sum_that_nobody_saw_is_not_paid(client, bonuses):
    pages = [client.post(f"{bonuses}/pay/", fields, follow=True) for fields in ({}, {"total": "1.50"})]

    assert all("The planned bonuses have changed in" in page.text for page in pages)
    assert not BonusPayment.objects.exists()


def test_a_manager_plans_and_only_an_owner_pays(client, manager, bonuses, study):
    uncertain = study.payments.create(state="uncertain")
    place = study.project.participations.filter(annotator__isnull=False).first()
    money = {"participation": place, "amount": 1, "currency": "GBP"}
    study.bonuses.create(key="uncertain", state="uncertain", payment=uncertain, **money)
    planned = manager.post(f"{bonuses}/", {"lines": f"{pid(1)},1", "currency": "GBP", "reason": "By a manager"})

    pages = {"owner": client.get(f"{bonuses}/").text, "manager": manager.get(f"{bonuses}/").text}
    forbidden = ("Pay planned bonuses", "Mark as paid", "Mark planned bonuses as paid")
    posts = {
        f"{bonuses}/pay/": {"total": "4.50"},
        f"{bonuses}/paid/": {"note": "x"},
        f"{PAGE}studies/{study.pk}/payments/{uncertain.pk}/settle/": {"note": "x", "outcome": "paid"},
    }
    statuses = [manager.post(url, fields).status_code for url, fields in posts.items()]

    assert planned.status_code == 302
    assert [text in pages["owner"] for text in forbidden] == [True] * 3
    assert [text in pages["manager"] for text in forbidden] == [False] * 3
    assert "only an owner of the project can pay them" in pages["manager"]
    assert (statuses, BonusPayment.objects.count()) == ([404] * 3, 1)
    assert sorted(Bonus.objects.values_list("state", flat=True)) == ["planned"] * 3 + ["uncertain"]


def test_an_uncertain_payment_waits_for_a_person(client, bonuses, study, user):
    order = order_payment(study=study, total=planned_total(study), actor=user, now=NOON)
    BonusPayment.objects.update(state="running", attempts=1, outside_id="order1", heartbeat_at=NOON)
    swept("payment", NOON.replace(year=2027))
    url = f"{PAGE}studies/{study.pk}/payments/{order.pk}/settle/"
    assert "Payment not confirmed" in client.get(f"{bonuses}/").text

    nothing = client.post(url, {"note": "", "outcome": "paid"}, follow=True)
    client.post(url, {"note": "Seen.", "outcome": "paid"})
    late = client.post(url, {"note": "Seen.", "outcome": "not paid"}, follow=True)

    assert "Explain how you know" in nothing.text
    assert "already known" in late.text
    assert set(Bonus.objects.values_list("state", flat=True)) == {"sent"}


def test_bonuses_paid_by_hand_or_taken_back(client, bonuses):
    first = Bonus.objects.first()
    client.post(f"{bonuses}/{first.pk}/withdraw/")
    refused = client.post(f"{bonuses}/paid/", {"note": ""}, follow=True)
    client.post(f"{bonuses}/paid/", {"note": "Today."})
    late = client.post(f"{bonuses}/{Bonus.objects.get().pk}/withdraw/", follow=True)

    assert "Explain how you know" in refused.text
    assert "Only a planned bonus can be" in late.text
    assert Bonus.objects.get().state == "sent"


@pytest.mark.parametrize("page", ["", "addresses/", "guests/", "studies/", "bonuses"])
def test_pages_take_as_many_queries_for_many_rows_as_for_few(client, study, user, page):
    project = study.project
    url = f"{PAGE}studies/{study.pk}/bonuses/" if page == "bonuses" else PAGE + page
    counts = []
    for batch in (1, 2):
        for number in range(1 if batch == 1 else 5):
            index = batch * 10 + number
            link = make_link(project=project, round_key="main", actor=user, now=NOON)
            project.participations.create(round="main", seat=100 + index, pool=study.pool)
            join_by_link(link=link, user=nameless_guest(project=project).user, now=NOON)
            rows = f"p{index}@example.org"
            client.post(f"{PAGE}addresses/", {"place": place(study), "rows": rows, "confirmed": "1"})
            project.participations.create(round="main", seat=200 + index, pool=study.pool)
            arrive(study, index)
            line = {"lines": f"{pid(index)},1", "currency": "GBP", "reason": f"r{index}"}
            plan_bonuses(study=study, actor=user, now=NOON, **line)
        Mailing.objects.update(state="done")
        client.get(url)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(url).status_code == 200
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_the_overview_shows_no_link_that_is_withdrawn(client, study):
    assert "/join/" in client.get("/projects/project/").text

    client.post(f"{PAGE}standing/revoke/", {"place": place(study)})

    assert "/join/" not in client.get("/projects/project/").text


def test_a_manager_is_told_where_no_e_mail_goes_out(client, study, settings):
    told, page = "cannot send email yet", f"/projects/{study.project.key}/recruiting/"
    assert told not in client.get(page).text

    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"

    assert told in client.get(page).text


def test_a_manager_sends_a_guest_their_link_without_seeing_it(client, study):
    guest = guest_for(project=study.project, address="eva@example.org")

    page = client.post(f"{PAGE}guests/{guest.pk}/send/", follow=True)

    (letter,) = mail.outbox
    assert (letter.to, "/resume/" in letter.body, "/resume/" in page.text) == (["eva@example.org"], True, False)
    entry = study.project.audit_entries.get()
    assert (entry.action, entry.details) == ("resume link sent", {"guest": guest.pk})


def test_no_link_is_sent_to_somebody_without_an_address(client, study):
    guest = nameless_guest(project=study.project)

    page = client.post(f"{PAGE}guests/{guest.pk}/send/", follow=True)

    assert "This person has no email address" in page.text
    assert not mail.outbox and not study.project.audit_entries.exists()


def test_an_owner_stores_the_token_and_nobody_sees_it_again(client, manager, study):
    page = client.post(f"{PAGE}studies/wallet/", {"token": "secret of ours"}, follow=True)

    assert "A token has been stored" in page.text
    assert "secret of ours" not in page.text + client.get(f"{PAGE}studies/").text
    assert "Payments through Prolific" not in manager.get(f"{PAGE}studies/").text
    assert wallet_of(study.project).token == "secret of ours"


def test_only_an_administrator_gives_leave_to_pay(client, study):
    Wallet.objects.update(allowed_at=None)
    refused = client.post(f"{PAGE}studies/wallet/allow/", {"allowed": "yes"}, follow=True)
    assert "Only an administrator" in refused.text

    administrator = client_of(make_user("root", is_superuser=True))
    page = administrator.post(f"{PAGE}studies/wallet/allow/", {"allowed": "yes"}, follow=True)

    assert "Require two-factor authentication" in page.text
    assert wallet_of(study.project).allowed_at is not None


def test_an_owner_stores_a_key_of_amazon_and_nobody_is_shown_its_secret(client, manager, study):
    given = {"key_id": "AKIAEXAMPLE", "secret": "a-secret", "sandbox": "on"}
    assert manager.post(f"{PAGE}studies/wallet/aws/", given).status_code == 404
    half = client.post(f"{PAGE}studies/wallet/aws/", given | {"secret": ""}, follow=True).text
    assert ("Enter both" in half, wallet_of(study.project).aws_key_id) == (True, "")

    page = client.post(f"{PAGE}studies/wallet/aws/", given, follow=True).text

    wallet = wallet_of(study.project)
    assert (wallet.aws_key_id, wallet.aws_secret, wallet.aws_sandbox) == ("AKIAEXAMPLE", "a-secret", True)
    assert ("AKIAEXAMPLE" in page, "a-secret" in page) == (True, False)
