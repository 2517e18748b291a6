"""A real browser, driven through chromedriver's HTTP interface: the standard library is enough for that."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")
MISSING = "no Chromium and chromedriver here (Debian: apt-get install chromium chromium-driver)"

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1200,900",
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the standard's name for a reference to an element


class Browser:
    """One session of one browser."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM
        assert CHROMEDRIVER
        port = _free_port()
        self._driver = subprocess.Popen([CHROMEDRIVER, f"--port={port}"], stdout=subprocess.DEVNULL)
        self._address = f"http://127.0.0.1:{port}"
        self._wait()
        options = {"binary": CHROMIUM, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._address += f"/session/{session['sessionId']}"

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._call("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait(10)

    def open(self, page: Path) -> None:
        self._call("POST", "/url", {"url": page.resolve().as_uri()})

    def run(self, script: str, *arguments: object) -> Any:
        """What a script in the page returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script: str) -> Any:
        """What a script hands to its last argument."""
        return self._call("POST", "/execute/async", {"script": script, "args": []})

    def click(self, selector: str) -> None:
        """As a person would: the element must be visible and not covered."""
        self._call("POST", f"/element/{self._find(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        self._call("POST", f"/element/{self._find(selector)}/value", {"text": text})

    def press(self, *keys: str) -> None:
        """Keys to whatever has the focus."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def hover(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move]}
        self._call("POST", "/actions", {"actions": [pointer]})

    def devtools(self, command: str, **parameters: object) -> Any:
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def console(self) -> list[str]:
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Addresses asked for since the last call."""
        events = [
            json.loads(entry["message"])["message"] for entry in self._call("POST", "/se/log", {"type": "performance"})
        ]
        return [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]

    def _find(self, selector: str) -> str:
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        return str(found[ELEMENT])

    def _call(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from error

    def _wait(self) -> None:
        for _ in range(100):
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("chromedriver does not answer")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
