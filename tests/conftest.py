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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Fast tests first; but with several workers a slow one begins at once, so that none waits for it at the end."""
    parallel = hasattr(config, "workerinput")
    items.sort(key=lambda item: (item.get_closest_marker("slow") is not None) != parallel)
