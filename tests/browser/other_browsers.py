"""Firefox by WebDriver BiDi and WebKitGTK (of the family that iPhones run) by WebDriver, as both come from Debian."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import requests
from tornado.websocket import websocket_connect

from tests.runs.working import free_port

FIREFOX, WEBKIT = "firefox-esr", "WebKitWebDriver"
PATIENCE = 30  # seconds
PREFERENCES = """
user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("ui.prefersReducedMotion", 1);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
"""
Actions = list[dict[str, Any]]


class Wire(Protocol):
    """What a browser's driver does for us; a place on the page is in pixels of the window."""

    def open(self, url: str) -> None: ...
    def run(self, function: str) -> Any: ...
    def act(self, actions: Actions) -> None: ...
    def cookie(self, name: str, value: str) -> None: ...
    def size(self, width: int, height: int) -> None: ...


class Bidi:
    """A connection to Firefox, in a thread of its own, because Playwright's loop runs in that of the tests."""

    def __init__(self, address: str) -> None:
        self.thread, self.loop, self.numbers = ThreadPoolExecutor(1), asyncio.new_event_loop(), count(1)
        self.socket = self._wait_for(lambda: websocket_connect(f"{address}/session", max_message_size=2**26))
        self.send("session.new", {"capabilities": {}})
        self.context = self.send("browsingContext.getTree", {})["contexts"][0]["context"]

    def _wait_for(self, make: Callable[[], Any]) -> Any:
        async def made() -> Any:
            return await make()

        return self.thread.submit(lambda: self.loop.run_until_complete(made())).result(PATIENCE)

    def send(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        number = next(self.numbers)
        self._wait_for(lambda: self.socket.write_message(json.dumps({"id": number, "method": method, "params": given})))
        while (answer := json.loads(self._wait_for(self.socket.read_message))).get("id") != number:
            pass  # events that we did not ask for
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        self.send("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})
        self.send("browsingContext.activate", {"context": self.context})  # or no element is told that it is in focus

    def run(self, function: str) -> Any:
        script = f"JSON.stringify(({function})() ?? null)"
        target = {"context": self.context}
        answer = self.send("script.evaluate", {"expression": script, "target": target, "awaitPromise": False})
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def act(self, actions: Actions) -> None:
        self.send("input.performActions", {"context": self.context, "actions": actions})

    def cookie(self, name: str, value: str) -> None:
        given = {"name": name, "value": {"type": "string", "value": value}, "domain": "localhost", "path": "/"}
        self.send("storage.setCookie", {"cookie": given})

    def size(self, width: int, height: int) -> None:
        given = {"viewport": {"width": width, "height": height}, "context": self.context}
        self.send("browsingContext.setViewport", given)


class WebDriver:
    """A session of WebKitGTK; its window has to be opened at the site before it takes a cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        [program] = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
        options = {"binary": str(program), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}}
        self.address = f"{address}/session/{self.post('/session', capabilities=wanted)['sessionId']}"

    def post(self, path: str, **given: Any) -> Any:
        answer = requests.post(self.address + path, json=given, timeout=PATIENCE)
        assert answer.ok, answer.text
        return answer.json()["value"]

    def open(self, url: str) -> None:
        self.post("/url", url=url)

    def run(self, function: str) -> Any:
        return self.post("/execute/sync", script=f"return ({function})()", args=[])

    def act(self, actions: Actions) -> None:
        self.post("/actions", actions=actions)

    def cookie(self, name: str, value: str) -> None:
        self.post("/cookie", cookie={"name": name, "value": value, "path": "/"})

    def size(self, width: int, height: int) -> None:
        self.post("/window/rect", width=width, height=height)


@contextmanager
def firefox(folder: Path) -> Iterator[Wire]:
    (folder / "user.js").write_text(PREFERENCES)
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    log = folder / "log"
    with log.open("w") as written, subprocess.Popen(command, stderr=written, stdout=written) as process:
        try:
            yield Bidi(until(lambda: re.search(r"ws://\S+", log.read_text()))[0])
        finally:
            process.terminate()


@contextmanager
def webkit(folder: Path) -> Iterator[Wire]:
    port = free_port()
    shown = [] if os.environ.get("DISPLAY") else ["xvfb-run", "--auto-servernum"]
    command = [*shown, WEBKIT, f"--port={port}"]
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            until(lambda: answers(f"{address}/status"))
            yield WebDriver(address)
        finally:
            os.killpg(process.pid, 15)


BROWSERS = {"firefox": (firefox, [FIREFOX]), "webkit": (webkit, [WEBKIT, "xvfb-run"])}


def missing(name: str) -> str:
    """Return why the browser cannot be used, or an empty text."""
    lacking = [program for program in BROWSERS[name][1] if not shutil.which(program)]
    return f"{', '.join(lacking)} not found; script/test --everything installs it on Debian." if lacking else ""


def answers(address: str) -> bool:
    try:
        return requests.get(address, timeout=1).ok
    except requests.ConnectionError:
        return False


def until(happened: Callable[[], Any]) -> Any:
    """Wait until the function returns something true, and return it."""
    end = time.monotonic() + PATIENCE
    while not (found := happened()):
        assert time.monotonic() < end, "It did not happen in time."
        time.sleep(0.05)
    return found


class Person:
    """Somebody in front of such a browser, with a finger or a mouse, and a keyboard."""

    def __init__(self, wire: Wire, pointer: str) -> None:
        self.wire, self.pointer = wire, pointer

    def sees(self, selector: str, number: int = 0) -> bool:
        script = f"() => {{ const found = document.querySelectorAll({selector!r})[{number}];"
        return self.wire.run(script + " return Boolean(found?.checkVisibility()); }")

    def wait_for(self, selector: str) -> None:
        until(lambda: self.sees(selector))

    def reads(self, selector: str) -> str:
        return self.wire.run(f"() => document.querySelector({selector!r})?.innerText")

    def press(self, selector: str, number: int = 0, share: float = 0.5) -> None:
        """Press the element, at a share of its width; it must not lie under another."""
        self.wait_for(selector)
        x, y, hit = self.wire.run(PLACE % (selector, number, share, selector))
        assert hit is None, f"{selector} lies under {hit}."
        move = {"type": "pointerMove", "x": x, "y": y, "duration": 0}
        acts = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        kind = {"pointerType": self.pointer}
        self.wire.act([{"type": "pointer", "id": self.pointer, "parameters": kind, "actions": acts}])

    def types(self, *keys: str) -> None:
        """Press the keys one after another without any pause."""
        acts = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.wire.act([{"type": "key", "id": "keyboard", "actions": acts}])


PLACE = """() => {
  const element = document.querySelectorAll(%r)[%d];
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const [x, y] = [Math.round(box.x + %f * (box.width - 1)), Math.round(box.y + box.height / 2)];
  const hit = document.elementFromPoint(x, y);
  const seen = hit && (element.contains(hit) || hit.contains(element) || hit.closest(%r));
  return [x, y, seen ? null : String(hit?.outerHTML).slice(0, 200)];
}"""
