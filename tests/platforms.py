"""A stand-in for Prolific: how it sends people and takes them back, its studies, and the two calls that pay bonuses.

It does what the platform's pages for researchers say: a place is reserved for whoever takes the study, the study's own
address is opened with the ids in it, and the code that somebody comes back with decides what becomes of the submission.
A submission that was screened out or returned leaves its place to somebody else.
"""

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

TOKEN = "token-of-the-tests"
SILENCE = 1.5  # seconds; longer than a test lets the caller wait
LEAVING = ("SCREENED OUT", "RETURNED")
SET_UP = "/api/v1/submissions/bonus-payments/"
COST = "/api/v1/study-cost-calculator/"
STUDIES = "/api/v1/studies/"
REQUIRED = {
    "name": str,
    "description": str,
    "external_study_url": str,
    "prolific_id_option": str,
    "completion_codes": list,
    "total_available_places": int,
    "estimated_completion_time": int,
    "reward": int,
    "device_compatibility": list,
    "filters": list,
}
MOVES = {("UNPUBLISHED", "PUBLISH"): "ACTIVE", ("ACTIVE", "PAUSE"): "PAUSED", ("PAUSED", "START"): "ACTIVE"}
OF_A_PUBLISHED_STUDY = {"internal_name", "total_available_places"}
FILTERS = [
    {"filter_id": "age", "title": "Age", "type": "range", "min": 18, "max": 100},
    {
        "filter_id": "first-language",
        "title": "First language",
        "question": "What is your first language?",
        "type": "select",
        "choices": {"19": "English", "7": "Czech"},
    },
]


class Prolific(ThreadingHTTPServer):
    """Keeps the orders that were set up, and pays one whenever it is told to: twice when told twice."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.orders: dict[str, str] = {}
        self.paid: Counter[str] = Counter()
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.asked_for_keys = 0
        self.made_up: set[str] = set()  # submissions that it does not know
        self.others: dict[str, dict[str, str]] = {}  # what it knows of submissions differently
        self.known: set[str] | None = None  # participants of the study; None for everybody
        self.failing: dict[str, str] = {}  # "set up" or "pay", and how it goes wrong
        self.lock = threading.Lock()
        self.studies: dict[str, dict[str, Any]] = {}
        self.balance = 100_000  # pence
        self.calls: list[tuple[str, str]] = []
        self.places = 0
        self.address = ""  # of the study, with the placeholders for the ids
        self.codes: dict[str, str] = {}  # what a code makes of a submission
        self.submissions: dict[str, str] = {}  # by the id of the submission, in the order in which they came

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def take(self, participant: str, submission: str, study: str) -> str:
        """Reserves a place and gives the address that the participant is sent to."""
        assert self.free > 0, "The study is full."
        self.submissions[submission] = "ACTIVE"
        ids = {"PROLIFIC_PID": participant, "STUDY_ID": study, "SESSION_ID": submission}
        address = self.address
        for name, value in ids.items():
            address = address.replace(f"{{{{%{name}%}}}}", value)
        return address

    def sign(self, participant: str, submission: str, study: str = "5" * 24, **claims: object) -> str:
        """Gives the token that a secured address ends with."""
        ids = {"PROLIFIC_PID": participant, "STUDY_ID": study, "SESSION_ID": submission, "workspace_id": "w"}
        usual = {"iss": "https://www.prolific.com", "aud": "https://semblance.example.org", "sub": submission}
        usual |= {"iat": int(time.time()), "exp": int(time.time()) + 300, "prolific": ids}
        return jwt.encode(usual | claims, self.key, "RS256", headers={"kid": "key 1"})

    def keys(self) -> dict[str, object]:
        self.asked_for_keys += 1
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [key | {"kid": "key 1", "alg": "RS256", "use": "sig"}]}

    @property
    def free(self) -> int:
        return self.places - sum(state not in LEAVING for state in self.submissions.values())

    def complete(self, code: str) -> str:
        """Whoever is active comes back with a code; what the platform makes of it."""
        (active,) = [name for name, state in self.submissions.items() if state == "ACTIVE"]
        self.submissions[active] = self.codes.get(code, "AWAITING REVIEW")
        return self.submissions[active]

    def pay(self, order: str) -> None:
        with self.lock:
            for line in self.orders[order].splitlines():
                participant, amount = line.split(",")
                self.paid[participant] += Decimal(amount)

    def studies_do(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, object]:
        """What the API answers about studies: a draft is free, publishing takes its cost from the balance."""
        self.calls.append((method, path))
        if fault := self.failing.get("studies"):
            return int(fault), {"error": {"status": int(fault), "title": "Failed", "detail": "Something failed"}}
        if path == COST:
            return 200, {"total_cost": self.cost(body)}
        if path == "/api/v1/filters/":
            return 200, {"results": FILTERS}
        if path == STUDIES:
            return self._create(body)
        study = self.studies.get(path.split("/")[4])
        if study is None:
            return 404, _fault("Not found.")
        if method == "GET":
            return 200, study
        return self._change(study, body) if method == "PATCH" else self._transition(study, body["action"])

    @staticmethod
    def cost(study: dict[str, Any]) -> float:
        """The rewards and a third of them in fees."""
        return study["reward"] * study["total_available_places"] * 4 / 3

    def _create(self, body: dict[str, Any]) -> tuple[int, object]:
        faults = {name: ["This field is required."] for name in REQUIRED if name not in body}
        faults |= {
            name: ["Wrong type."] for name, kind in REQUIRED.items() if not isinstance(body.get(name, kind()), kind)
        }
        if not faults and not body["name"].strip():
            faults = {"name": ["This field may not be blank."]}
        if faults:
            return 400, _fault(faults)
        name = f"{len(self.studies) + 1:024x}"
        read_only = {"id": name, "status": "UNPUBLISHED", "places_taken": 0, "presentment_currency_code": "GBP"}
        self.studies[name] = body | read_only
        return 201, self.studies[name]

    def _change(self, study: dict[str, Any], body: dict[str, Any]) -> tuple[int, object]:
        if study["status"] != "UNPUBLISHED":
            more = body.get("total_available_places", 0) - study["total_available_places"]
            if not body.keys() <= OF_A_PUBLISHED_STUDY or more < 0:
                return 400, _fault("This study is published.")
            self.balance -= round(self.cost(study | {"total_available_places": more}))
        study |= body
        return 200, study

    def _transition(self, study: dict[str, Any], action: str) -> tuple[int, object]:
        if (study["status"], action) not in MOVES:
            return 409, _fault(f"A study that is {study['status']} does not {action}.")
        if action == "PUBLISH" and self.cost(study) > self.balance:
            return 400, _fault("You do not have enough balance to publish this study.")
        self.balance -= round(self.cost(study)) if action == "PUBLISH" else 0
        study["status"] = MOVES[study["status"], action]
        return 200, study


def _fault(detail: object) -> dict[str, object]:
    return {"error": {"status": 400, "error_code": 140000, "title": "Bad Request", "detail": detail}}


class _Handler(BaseHTTPRequestHandler):
    server: Prolific

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/.well-known/study/jwks.json":
            return self._answer(503 if "keys" in self.server.failing else 200, self.server.keys())
        if url.path.startswith(("/api/v1/studies/", "/api/v1/filters/")):
            return self._studies()
        if url.path.startswith("/api/v1/submissions/"):
            return self._show_submission(url.path.split("/")[4])
        if url.path != "/submissions/complete":
            return self._answer(404, {})
        return self._answer(200, {"status": self.server.complete(parse_qs(url.query)["cc"][0])})

    def _show_submission(self, submission: str) -> None:
        if self.headers["Authorization"] != f"Token {TOKEN}":
            return self._answer(401, {"error": {"detail": "Invalid token."}})
        if submission in self.server.made_up:
            return self._answer(404, {"error": {"detail": "Not found."}})
        known = {"participant": f"0{submission[1:]}", "study_id": "5" * 24, "status": "APPROVED"}
        return self._answer(200, known | {"id": submission} | self.server.others.get(submission, {}))

    def do_PATCH(self) -> None:
        self._studies()

    def _studies(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        if self.headers["Authorization"] != f"Token {TOKEN}":
            return self._answer(401, {"error": {"detail": "Invalid token."}})
        found = self.server.studies_do(self.command, urlsplit(self.path).path, body)
        if self.path.endswith("/transition/") and self.server.failing.get("transition") == "hangs up after":
            return self.connection.shutdown(socket.SHUT_RDWR)
        return self._answer(*found)

    def do_POST(self) -> None:
        if self.path == COST or self.path.startswith(STUDIES):
            return self._studies()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        step = "set up" if self.path == SET_UP else "pay"
        fault = self.server.failing.get(step, "")
        if self.headers["Authorization"] != f"Token {TOKEN}":
            return self._answer(401, {"error": {"detail": "Invalid token."}})
        if fault == "refuses":
            return self._answer(400, {"error": {"detail": "Not enough money."}})
        if fault == "falls over before":
            return self._answer(502, {})
        if fault == "leads elsewhere":
            return self._answer(302, {}, Location=self.path)
        given = self._set_up(body) if step == "set up" else self._pay()
        if fault == "is silent after":
            time.sleep(SILENCE)
            return None
        if fault == "hangs up after":
            self.connection.shutdown(socket.SHUT_RDWR)
            return None
        return self._answer(503, {}) if fault == "falls over after" else self._answer(*given)

    def _set_up(self, body: dict[str, str]) -> tuple[int, object]:
        participants = [line.split(",")[0] for line in body["csv_bonuses"].splitlines()]
        unknown = [one for one in participants if self.server.known is not None and one not in self.server.known]
        if unknown:
            return 400, {"error": {"detail": f"Unknown: {unknown}"}}
        if self.server.failing.get("set up") == "forgets the id":
            return 200, {"amount": 1}
        order = f"order{len(self.server.orders) + 1}"
        self.server.orders[order] = body["csv_bonuses"]
        return 201, {"id": order, "study": body["study_id"], "amount": 1, "fees": 1, "vat": 0, "total_amount": 2}

    def _pay(self) -> tuple[int, object]:
        order = self.path.split("/")[4]
        if order not in self.server.orders:
            return 404, {"error": {"detail": "Not found."}}
        self.server.pay(order)
        return 202, f"Bulk bonus payment with ID {order} is being processed asynchronously."

    def _answer(self, status: int, body: object, **headers: str) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


class MechanicalTurk(ThreadingHTTPServer):
    """The two calls of Mechanical Turk about bonuses: a token pays once, and is refused the second time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _MechanicalTurkHandler)
        self.balance = Decimal(100)
        self.paid: dict[str, dict[str, str]] = {}  # by token
        self.failing: dict[str, str] = {}  # an operation, and how it goes wrong
        self.signed_by: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def send_bonus(self, body: dict[str, str]) -> tuple[int, object]:
        token = body["UniqueRequestToken"]
        if token in self.paid:
            return 400, {"__type": "RequestError", "Message": f"The request {token} was processed before."}
        if Decimal(body["BonusAmount"]) > self.balance:
            return 400, {"__type": "RequestError", "Message": "This account has insufficient funds."}
        self.balance -= Decimal(body["BonusAmount"])
        self.paid[token] = body
        return 200, {}

    def list_bonus_payments(self, body: dict[str, str]) -> tuple[int, object]:
        found = [one for one in self.paid.values() if one["AssignmentId"] == body["AssignmentId"]]
        return 200, {"BonusPayments": found, "NumResults": len(found)}


class _MechanicalTurkHandler(BaseHTTPRequestHandler):
    server: MechanicalTurk

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        operation = self.headers["X-Amz-Target"].partition(".")[2]
        self.server.signed_by.add(self.headers["Authorization"].partition("Credential=")[2].partition("/")[0])
        fault = self.server.failing.get(operation, "")
        if fault == "falls over":
            return self._answer(500, {"__type": "ServiceFault", "Message": "Try again."})
        acts = {"SendBonus": self.server.send_bonus, "ListBonusPayments": self.server.list_bonus_payments}
        found = acts[operation](body)
        if fault == "hangs up after":
            return self.connection.shutdown(socket.SHUT_RDWR)
        return self._answer(*found)

    def _answer(self, status: int, body: object) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
