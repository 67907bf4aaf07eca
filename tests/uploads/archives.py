"""Stand-ins for Zenodo and the Hugging Face Hub, written to their documented HTTP APIs.

Zenodo: developers.zenodo.org (depositions, the bucket of files, publication, errors). Hugging Face: the endpoints of
huggingface.co/docs/hub/api, and Git LFS's batch API with its basic and the hub's multipart transfer.
"""

import base64
import hashlib
import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "token-of-the-tests"
PART = 1000  # bytes of a part of a large file
LARGE = 1500  # bytes from which a file is large
OWNER = "jana"


class Archives(ThreadingHTTPServer):
    """Both archives at one address. `failing` maps the beginning of a request to the statuses that it gets first."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.requests, self.failing, self.lock = [], {}, threading.Lock()
        self.depositions, self.repositories, self.objects, self.parts = {}, {}, {}, {}
        self.odd = {}  # answers that no archive should give, by the beginning of the request
        self.elsewhere = ""  # another address of buckets than its own
        self.loses = ""  # the beginning of a request whose answer is lost after it was carried out
        self.multipart = False

    def answer(self, method, path, headers, body):
        wanted = f"{method} {path}"
        with self.lock:
            self.requests.append((wanted, headers, len(body)))
            for beginning, statuses in self.failing.items():
                if wanted.startswith(beginning) and statuses:
                    return statuses.pop(0), {"message": "Not now."}
            for beginning, found in self.odd.items():
                if wanted.startswith(beginning):
                    return 200, found
            for (verb, pattern), respond in ROUTES.items():
                if verb == method and (found := re.fullmatch(pattern, path)):
                    if respond not in OPEN and headers.get("Authorization") != f"Bearer {TOKEN}":
                        return 401, {"message": "The server could not verify that you are authorized.", "status": 401}
                    return respond(self, body, *found.groups())
        return 404, {"message": "Not found", "status": 404}

    def of(self, beginning):
        """How often a request was made."""
        return sum(wanted.startswith(beginning) for wanted, _headers, _size in self.requests)


def create_deposition(own, body):
    number = 100 + len(own.depositions)
    own.depositions[str(number)] = {"files": {}, "metadata": None, "submitted": False}
    return 201, deposition(own, str(number))


def deposition(own, number):
    stored = own.depositions[number]
    links = {"bucket": f"{own.elsewhere or own.url}/api/files/{number}", "html": f"{own.url}/deposit/{number}"}
    found = {"id": int(number), "links": links, "submitted": stored["submitted"], "state": "unsubmitted"}
    found["files"] = [
        {"id": name, "filename": name, "filesize": len(content), "checksum": hashlib.md5(content).hexdigest()}
        for name, content in stored["files"].items()
    ]
    found["metadata"] = {"prereserve_doi": {"doi": f"10.5072/zenodo.{number}", "recid": int(number)}}
    if stored["submitted"]:
        found |= {"doi": f"10.5072/zenodo.{number}", "record_url": f"{own.url}/records/{number}"}
    return found


def read_deposition(own, body, number):
    if number not in own.depositions:
        return 404, {"message": "Deposition not found", "status": 404}
    return 200, deposition(own, number)


def put_file(own, body, number, name):
    own.depositions[number]["files"][name] = body
    return 200, {"key": name, "checksum": f"md5:{hashlib.md5(body).hexdigest()}", "size": len(body)}


def describe(own, body, number):
    metadata = json.loads(body)["metadata"]
    missing = [name for name in ("title", "upload_type", "description", "creators") if not metadata.get(name)]
    if missing or metadata["license"] not in ("cc-by-4.0", "cc0-1.0"):
        errors = [{"field": f"metadata.{name}", "message": "Not valid."} for name in missing or ["license"]]
        return 400, {"message": "Validation error", "status": 400, "errors": errors}
    own.depositions[number]["metadata"] = metadata
    return 200, deposition(own, number)


def publish_deposition(own, body, number):
    stored = own.depositions[number]
    if stored["submitted"]:
        return 403, {"message": "Already published", "status": 403}
    if not stored["files"] or not stored["metadata"]:
        return 400, {"message": "Validation error", "status": 400}
    stored["submitted"] = True
    return 202, deposition(own, number)


def who_am_i(own, body):
    return 200, {"type": "user", "name": OWNER, "orgs": [{"name": "my-lab"}]}


def create_repository(own, body):
    asked = json.loads(body)
    assert asked["type"] == "dataset" and asked["private"] is True
    name = f"{asked['organization'] or OWNER}/{asked['name']}"
    if name.split("/")[0] not in (OWNER, "my-lab"):
        return 403, {"error": "You don't have the rights to create a dataset under this namespace"}
    if name in own.repositories:
        return 409, {"error": "You already created this dataset repo", "url": f"{own.url}/datasets/{name}"}
    own.repositories[name] = {"private": True, "files": {".gitattributes": b""}, "commits": []}
    return 200, {"url": f"{own.url}/datasets/{name}", "name": name}


def read_repository(own, body, name):
    stored = own.repositories[name]
    return 200, {"id": name, "private": stored["private"], "siblings": [{"rfilename": one} for one in stored["files"]]}


def preupload(own, body, name):
    files = json.loads(body)["files"]
    assert all(set(file) == {"path", "size", "sample"} for file in files)
    modes = [{"path": one["path"], "uploadMode": "lfs" if one["size"] >= LARGE else "regular"} for one in files]
    return 200, {"files": modes}


def batch(own, body, name):
    assert own.requests[-1][1]["Accept"] == "application/vnd.git-lfs+json"
    asked = json.loads(body)
    assert asked["operation"] == "upload" and asked["hash_algo"] == "sha256"
    return 200, {
        "transfer": "multipart" if own.multipart else "basic",
        "objects": [action(own, one) for one in asked["objects"]],
    }


def action(own, one):
    oid, size = one["oid"], one["size"]
    if oid in own.objects:
        return one
    verify = {"href": f"{own.url}/verify", "header": {}}
    upload = {"href": f"{own.url}/store/{oid}?signed=1", "header": {"X-Signed": "yes"}}
    if own.multipart:
        parts = {str(number + 1).zfill(5): f"{own.url}/part/{oid}/{number + 1}" for number in range(-(-size // PART))}
        upload = {"href": f"{own.url}/complete/{oid}", "header": {"chunk_size": str(PART)} | parts}
    return one | {"authenticated": True, "actions": {"upload": upload, "verify": verify}}


def store(own, body, oid):
    assert hashlib.sha256(body).hexdigest() == oid
    own.objects[oid] = body
    return 200, {}


def store_part(own, body, oid, number):
    own.parts.setdefault(oid, {})[int(number)] = body
    return 200, {"etag": f"etag-{number}"}


def complete(own, body, oid):
    asked = json.loads(body)
    assert [part["etag"] for part in asked["parts"]] == [f"etag-{part['partNumber']}" for part in asked["parts"]]
    return store(own, b"".join(content for _number, content in sorted(own.parts[oid].items())), oid)


def verify(own, body):
    asked = json.loads(body)
    return (200, {}) if len(own.objects[asked["oid"]]) == asked["size"] else (404, {"message": "Not there"})


def commit(own, body, name):
    header, *operations = [json.loads(line) for line in body.splitlines()]
    assert header["key"] == "header" and header["value"]["summary"]
    stored = own.repositories[name]
    for operation in operations:
        value = operation["value"]
        if operation["key"] == "file":
            stored["files"][value["path"]] = base64.b64decode(value["content"])
        elif operation["key"] == "lfsFile":
            stored["files"][value["path"]] = own.objects[value["oid"]]
        else:
            del stored["files"][value["path"]]
    stored["commits"].append(header["value"]["summary"])
    return 200, {"success": True, "commitOid": "c" * 40, "commitUrl": f"{own.url}/datasets/{name}/commit/c"}


def change_settings(own, body, name):
    own.repositories[name] |= json.loads(body)
    return 200, json.loads(body)


REPOSITORY = r"([\w.-]+/[\w.-]+)"
ROUTES = {
    ("POST", "/api/deposit/depositions"): create_deposition,
    ("GET", r"/api/deposit/depositions/(\d+)"): read_deposition,
    ("PUT", r"/api/deposit/depositions/(\d+)"): describe,
    ("POST", r"/api/deposit/depositions/(\d+)/actions/publish"): publish_deposition,
    ("PUT", r"/api/files/(\d+)/([^/]+)"): put_file,
    ("GET", "/api/whoami-v2"): who_am_i,
    ("POST", "/api/repos/create"): create_repository,
    ("GET", f"/api/datasets/{REPOSITORY}"): read_repository,
    ("POST", f"/api/datasets/{REPOSITORY}/preupload/main"): preupload,
    ("POST", rf"/datasets/{REPOSITORY}\.git/info/lfs/objects/batch"): batch,
    ("PUT", r"/store/(\w+)\?signed=1"): store,
    ("PUT", r"/part/(\w+)/(\d+)"): store_part,
    ("POST", r"/complete/(\w+)"): complete,
    ("POST", "/verify"): verify,
    ("POST", f"/api/datasets/{REPOSITORY}/commit/main"): commit,
    ("PUT", f"/api/datasets/{REPOSITORY}/settings"): change_settings,
}
OPEN = (store, store_part, complete)
"""What is at addresses that carry their own permission; the token must not be sent there."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self):
        headers = dict(self.headers)
        body = self.rfile.read(int(headers.get("Content-Length", 0)))
        assert not (re.match("/(store|part|complete)/", self.path) and "Authorization" in headers)
        status, found = self.server.answer(self.command, self.path, headers, body)
        if self.server.loses and f"{self.command} {self.path}".startswith(self.server.loses):
            self.server.loses = ""
            self.close_connection = True
            return
        content = json.dumps(found).encode()
        self.send_response(status)
        if "etag" in found:
            self.send_header("ETag", found["etag"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = respond

    def log_message(self, *arguments):
        pass


@contextmanager
def serving():
    server = Archives()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
