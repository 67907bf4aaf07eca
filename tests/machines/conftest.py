import pytest

from scoring.domain.machines import jobs
from tests.machines.server import serving


@pytest.fixture
def server(settings, monkeypatch):
    settings.MODELS_AT_PRIVATE_ADDRESSES = True
    monkeypatch.setattr(jobs, "WAITS", (0.001, 0.001))
    with serving() as one:
        yield one
