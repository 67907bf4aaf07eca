"""Whether the web server in this container answers: `python -m config.health`."""

import os
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit


def answers(public_url: str, port: int = 8000) -> bool:
    """Ask for the login page as the proxy would."""
    address = urlsplit(public_url)
    headers = {"Host": address.netloc, "X-Forwarded-Proto": address.scheme, "X-Forwarded-For": "127.0.0.1"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/account/login/", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, TimeoutError):
        return False


if __name__ == "__main__":
    sys.exit(0 if answers(os.environ["PUBLIC_URL"]) else 1)
