import pytest

from annotation.models import User
from tests.factories import make_user


@pytest.fixture
def user(db) -> User:
    return make_user()
