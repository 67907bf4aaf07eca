"""Check whether the web server in this container serves pages: `python -m config.health` prints what it found."""

import os
import sys
import urllib.error
import urllib.request
from http.client import HTTPException
from urllib.parse import urlsplit

READY = "/health/ready"


def answer(path: str, port: int, headers: dict[str, str]) -> tuple[int, str]:
    """Return the status and the text of a page of the local server; status 0 and the reason if it does not answer."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except (urllib.error.URLError, HTTPException, OSError) as error:
        return 0, f"{type(error).__name__}: {error}"


def serves(public_url: str, port: int = 8000) -> tuple[bool, str]:
    """Return whether the server is ready and also serves the login page as the proxy requests it, and what it says."""
    status, said = answer(READY, port, {})
    if status != 200:
        return False, said
    address = urlsplit(public_url)
    as_proxy = {"Host": address.netloc, "X-Forwarded-Proto": address.scheme, "X-Forwarded-For": "127.0.0.1"}
    status, _page = answer("/account/login/", port, as_proxy)
    return status == 200, said if status == 200 else f"{said}\nThe sign-in page responds with status {status}."


if __name__ == "__main__":
    healthy, said = serves(os.environ["PUBLIC_URL"])
    print(said)
    sys.exit(0 if healthy else 1)
