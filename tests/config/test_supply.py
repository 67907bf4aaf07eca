"""What ships is listed, and looked up in the database of vulnerabilities."""

import json
import re
import subprocess
import sys
import threading
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.utils import timezone

from tests.config.surroundings import ROOT, clean_environment
from tests.config.test_locks import locked_in, pins


def test_the_bill_of_materials_has_every_locked_package_with_its_hashes():
    bill = json.loads(subprocess.run([sys.executable, "script/sbom"], cwd=ROOT, capture_output=True, check=True).stdout)
    listed = {(each["name"], each["version"]) for each in bill["components"]}

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert listed == pins(locked_in("requirements.txt"))
    assert all(each["externalReferences"][0]["hashes"] for each in bill["components"])
    assert len({each["bom-ref"] for each in bill["components"]}) == len(bill["components"])


class Database(BaseHTTPRequestHandler):
    """Knows one vulnerability, of Django."""

    def do_POST(self):
        queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        known = [{"vulns": [{"id": "PYSEC-1"}]} if each["package"]["name"] == "django" else {} for each in queries]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"results": known}).encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture
def osv():
    with HTTPServer(("127.0.0.1", 0), Database) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def audit(url, *arguments):
    done = subprocess.run(
        [sys.executable, "script/audit", *arguments],
        cwd=ROOT,
        env=clean_environment(OSV_URL=url),
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


def test_a_known_vulnerability_fails(osv):
    code, said = audit(osv)

    assert code == 1
    assert re.fullmatch(r"django \S+: PYSEC-1\n", said)


def test_a_database_that_cannot_be_reached_fails_only_where_it_is_required():
    assert [audit("http://127.0.0.1:9", *arguments)[0] for arguments in ((), ("--require",))] == [0, 1]


@pytest.mark.django_db
@pytest.mark.parametrize("contact", ["security@example.org", "https://example.org/report"])
def test_whoever_finds_a_weakness_is_told_whom_to_write_to(client, settings, contact):
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = contact
    lines = dict(line.split(": ", 1) for line in client.get("/.well-known/security.txt").text.splitlines())

    assert lines["Contact"] in (contact, f"mailto:{contact}")
    assert timezone.now() < datetime.fromisoformat(lines["Expires"]) < timezone.now() + timedelta(days=365)
