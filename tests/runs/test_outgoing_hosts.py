"""OUTGOING_HOSTS: webhooks and models lead only to hosts that the operator allows."""

import pytest

from annotation.domain.errors import Refusal
from scoring.domain.outgoing.requests import Unreachable, check_url, post


@pytest.mark.parametrize("host", ["hooks.example.org", "example.net", "a.example.net", "HOOKS.example.org:8443"])
def test_listed_hosts_may_be_written_to(settings, host):
    settings.OUTGOING_HOSTS = ["hooks.example.org", ".example.net"]

    assert check_url(f"https://{host}/x").path == "/x"


@pytest.mark.parametrize("host", ["example.org", "a.hooks.example.org", "bad.net", "example.net.a.org", "8.8.8.8"])
def test_other_hosts_are_refused_when_set_up_and_when_sent(settings, host):
    settings.OUTGOING_HOSTS = ["hooks.example.org", ".example.net"]

    with pytest.raises(Refusal, match="OUTGOING_HOSTS"):
        check_url(f"https://{host}/x")
    with pytest.raises(Unreachable, match="OUTGOING_HOSTS"):
        post(f"https://{host}/x", b"", {})
