import pytest

from annotation.models import User
from tests.factories import make_user


@pytest.fixture
def user(db) -> User:
    return make_user()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outside-data", help="folder with stss131.csv and dscs.csv of the papers")


@pytest.fixture
def outside_data(request: pytest.FixtureRequest) -> str:
    folder = request.config.getoption("--outside-data")
    return folder or pytest.skip("--outside-data FOLDER was not given")
