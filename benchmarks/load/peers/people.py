"""People of the peers. Each sends the requests that the peer's own page sends when somebody rates and goes on."""

import json
import random
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from benchmarks.load.browsers import Browser, Page
from benchmarks.load.driving import NotAcknowledged

JSON = {"Content-Type": "application/json"}
TOKEN = "c" * 32  # against forged requests: any value that cookie and header share
INSTANCE = re.compile(r'name="instance_id"[^>]*\bvalue="([^"]*)"')


@dataclass
class Visitor:
    """Somebody with a browser."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)
    browser: Browser = field(init=False)

    def __post_init__(self) -> None:
        self.browser = Browser(self.url, {"User-Agent": "benchmark"}, dict(self.cookies))

    def close(self) -> None:
        self.browser.close()

    def send(self, path: str, values: object, **headers: str) -> Page:
        """Send JSON. Raise NotAcknowledged if the server did not take it."""
        page = self.browser.send("POST", path, json.dumps(values).encode(), **JSON, **headers)
        return accepted(page, path)

    def fetch(self, path: str) -> Page:
        return accepted(self.browser.get(path), path)


def accepted(page: Page, path: str) -> Page:
    if page.status >= 300:
        raise NotAcknowledged(f"{page.status} for {path.partition('?')[0]}")
    return page


@dataclass
class PotatoVisitor(Visitor):
    """The page sends the rating, then asks to move on, then loads the page anew."""

    name: str = ""
    instance: str = ""

    def open(self) -> bool:
        self.browser.post("/auth", {"email": self.name, "pass": "", "action": "login"})
        return self._show()

    def answer(self, chance: random.Random) -> str | None:
        given = self.instance
        rating = f"{chance.randint(1, 5)}"
        self.send(
            "/updateinstance",
            {
                "instance_id": given,
                "annotations": {f"similarity:{rating}": rating},
                "cleared_schemas": [],
                "span_annotations": [],
                "client_timestamp": datetime.now(UTC).isoformat(),
                "response_time_seconds": 5.2,
            },
        )
        self.send("/annotate", {"action": "next_instance", "instance_id": given}, **{"X-Potato-Navigation": "1"})
        return given if self._show() and self.instance != given else None

    def _show(self) -> bool:
        found = INSTANCE.search(self.fetch("/annotate").text)
        self.instance = found[1] if found else ""
        return bool(found)


@dataclass
class DoccanoVisitor(Visitor):
    """The page sends the label and lists the labels of the text; then it fetches the next text and its labels."""

    project: int = 0
    labels: list[int] = field(default_factory=list)
    place: int = 0
    example: int = 0

    def open(self) -> bool:
        return self._show()

    def answer(self, chance: random.Random) -> int | None:
        path, given = self._labels(), self.example
        self.send(path, {"id": 0, "label": chance.choice(self.labels), "user": 0}, **{"X-CSRFToken": TOKEN})
        self.fetch(path)
        self.place += 1
        return given if self._show() else None

    def _labels(self) -> str:
        return f"/v1/projects/{self.project}/examples/{self.example}/categories"

    def _show(self) -> bool:
        where = f"limit=1&offset={self.place}&q=&confirmed=&ordering="
        found = json.loads(self.fetch(f"/v1/projects/{self.project}/examples?{where}").text)["results"]
        if found:
            self.example = found[0]["id"]
            self.fetch(self._labels())
        return bool(found)


@dataclass
class LabelStudioVisitor(Visitor):
    """The page sends the annotation, then asks for the next task."""

    project: int = 0
    task: int = 0

    def open(self) -> bool:
        return self._show()

    def answer(self, chance: random.Random) -> int | None:
        rating = {"value": {"rating": chance.randint(1, 5)}, "from_name": "similarity", "to_name": "pair"}
        given = self.task
        self.send(
            f"/api/tasks/{given}/annotations?project={self.project}",
            {"result": [rating | {"id": "r", "type": "rating", "origin": "manual"}], "lead_time": 5.2, "draft_id": 0},
            **{"X-CSRFToken": TOKEN},
        )
        return given if self._show() else None

    def _show(self) -> bool:
        page = self.browser.get(f"/api/projects/{self.project}/next")
        if page.status == 404:
            return False
        self.task = json.loads(accepted(page, "next").text)["id"]
        return True


@dataclass
class FloorVisitor(Visitor):
    """One request that stores a row, and one that reads a row."""

    place: int = 1

    def open(self) -> bool:
        self.fetch(f"/pairs/{self.place}/")
        return True

    def answer(self, chance: random.Random) -> int:
        given = self.place
        self.send("/ratings/", {"pair": given, "value": chance.randint(0, 40) / 10})
        self.place = given % 2_000 + 1
        self.fetch(f"/pairs/{self.place}/")
        return given
