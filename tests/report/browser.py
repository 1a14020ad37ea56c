"""A headless Chromium driven through its debugging pipe, with nothing but the standard library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from base64 import b64decode
from pathlib import Path
from typing import Any

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
FLAGS = "--headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe --no-first-run --disable-dev-shm-usage"


class Browser:
    """One page in one browser: open, resize, evaluate, press keys, take pictures."""

    def __init__(self, folder: Path):
        (to_read, self.commands), (self.answers, to_write) = os.pipe(), os.pipe()
        shell = f'exec "{CHROMIUM}" {FLAGS} "--user-data-dir={folder}" about:blank 3<&{to_read} 4>&{to_write}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self.number, self.unread, self.events = 0, b"", []
        self.session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its answer; events on the way are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params, **({"sessionId": self.session} if self.session else {})}
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self.number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.unread:
            piece = os.read(self.answers, 1 << 16)
            assert piece, "the browser is gone"
            self.unread += piece
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def open(self, url: str, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Load a page in a window of a size and wait until it is there."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.send("Page.navigate", url="about:blank")
        self.events.clear()
        self.send("Page.navigate", url=url)
        while self.run("document.readyState + location.protocol") != "completefile:":
            pass

    def until(self, script: str, wanted: Any, seconds: float = 20) -> Any:
        """The value of an expression once it is the one that is wanted; the page has put something off. Or the last value seen."""
        last = time.monotonic() + seconds
        while (value := self.run(script)) != wanted and time.monotonic() < last:
            time.sleep(0.02)
        return value

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, *keys: str) -> None:
        """Keys by name (Tab, Enter, Escape, ArrowRight) or by letter."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40}
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            about = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
            self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **about, **({"text": text} if text else {}))
            self.send("Input.dispatchKeyEvent", type="keyUp", **about)

    def picture(self, path: Path) -> None:
        path.write_bytes(b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def requests(self) -> list[str]:
        """Addresses that the page has asked for."""
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """Errors of the page's script and of the browser."""
        self.run("0")
        found = [str(e["params"]) for e in self.events if e.get("method") == "Runtime.exceptionThrown"]
        return found + [e["params"]["entry"]["text"] for e in self.events if e.get("method") == "Log.entryAdded"]

    def close(self) -> None:
        try:
            self.session = None
            self.send("Browser.close")
        except (AssertionError, OSError):
            self.process.kill()
        self.process.wait(timeout=20)
        os.close(self.commands)
        os.close(self.answers)
