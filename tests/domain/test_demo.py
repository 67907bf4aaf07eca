"""The accounts of the demo."""

from annotation.domain.project.demo import ACCOUNTS, ADMIN, ANNOTATOR, MANAGER, PASSWORD, make_accounts
from annotation.models import User


def test_accounts_have_the_password_printed_and_stay_as_they_are(db, client):
    users = make_accounts()
    User.objects.filter(email=MANAGER).update(first_name="Mary")

    again = make_accounts()

    assert list(users) == list(again) == list(ACCOUNTS)
    assert again[MANAGER].first_name == "Mary"
    assert [email for email, user in users.items() if user.is_superuser] == [ADMIN]
    assert all(user.check_password(PASSWORD) for user in again.values())
    assert client.post("/account/login/", {"login": ANNOTATOR, "password": PASSWORD}).status_code == 302
