"""The exec protocol of Touchstone for an agent in Python, and just enough of a browser to begin with.

It needs the standard library alone: copy this file beside your agent. What an agent is given and may write is in
docs/agents.md. For real work drive the browser at ``briefing().cdp_url`` with a library of your choice.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import sys
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Caps:
    """The most that an episode may take; None where there is no such cap."""

    max_steps: int
    max_duration_ms: int
    max_turns: int | None
    max_tokens: int | None
    max_usd: float | None


@dataclass(frozen=True)
class Briefing:
    """All that an agent is told."""

    protocol: str
    task: str
    goal: str
    start_url: str
    cdp_url: str
    caps: Caps
    files: Sequence[str] = ()


def briefing() -> Briefing:
    """Read the briefing from standard input, once. Raise ValueError when it is of another protocol."""
    told = json.load(sys.stdin)
    if told["protocol"] != "touchstone-exec/1":
        raise ValueError(f"the protocol {told['protocol']} is not touchstone-exec/1")
    return Briefing(**{**told, "caps": Caps(**told["caps"])})


def step(tool: str, args: dict[str, Any] | None = None, *, ok: bool = True, text: str = "") -> None:
    """Report a step that was taken."""
    _say(type="step", tool=tool, args=args or {}, ok=ok, text=text)


def usage(
    input_tokens: int,
    output_tokens: int,
    *,
    cached_tokens: int | None = None,
    cost_usd: float | None = None,
    model: str | None = None,
) -> None:
    """Report one call of a model."""
    optional = {"cached_tokens": cached_tokens, "cost_usd": cost_usd, "model": model}
    given = {name: value for name, value in optional.items() if value is not None}
    _say(type="usage", input_tokens=input_tokens, output_tokens=output_tokens, **given)


def answer(value: object) -> None:
    """Give the answer that the goal asks for; the last one counts."""
    _say(type="answer", value=value)


def not_possible() -> None:
    """Answer that what the goal asks for cannot be done."""
    _say(type="answer", not_possible=True)


def done() -> None:
    """Say done. The process may be ended at once."""
    _say(type="done")


def give_up(reason: str) -> None:
    """Give up. The process may be ended at once."""
    _say(type="give_up", reason=reason)


def _say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


class BrowserError(Exception):
    """A command that the browser refused, or a script that threw."""


def _thrown(details: dict[str, Any]) -> str:
    """Say what a script has thrown, "TypeError: …", in one line: the details' own text is no more than "Uncaught"."""
    thrown: dict[str, Any] = details.get("exception", {})
    said = str(thrown.get("description") or thrown.get("value") or "")
    return said.split("\n", 1)[0] or str(details["text"])


class Page:
    """The first tab of the browser, by the Chrome DevTools Protocol: one command at a time, without a library."""

    def __init__(self, cdp_url: str, timeout_s: float = 30.0) -> None:
        with urllib.request.urlopen(f"{cdp_url}/json/version", timeout=timeout_s) as reply:
            address = json.load(reply)["webSocketDebuggerUrl"]
        self._socket = _open_web_socket(address, timeout_s)
        self._last_id = 0
        self._session: str | None = None
        targets = self.send("Target.getTargets")["targetInfos"]
        tab = next(target for target in targets if target["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=tab["targetId"], flatten=True)
        self._session = attached["sessionId"]

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result. Raise BrowserError when it is refused."""
        self._last_id += 1
        command: dict[str, Any] = {"id": self._last_id, "method": method, "params": params}
        if self._session is not None:
            command["sessionId"] = self._session
        _write_frame(self._socket, 0x1, json.dumps(command).encode())
        while True:
            reply = json.loads(self._read_message())
            if reply.get("id") != self._last_id:
                continue
            if "error" in reply:
                raise BrowserError(f"{method}: {reply['error']['message']}")
            result: dict[str, Any] = reply["result"]
            return result

    def evaluate(self, expression: str) -> Any:
        """Return what a JavaScript expression comes to, as JSON. Raise BrowserError when it throws."""
        came = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in came:
            raise BrowserError(_thrown(came["exceptionDetails"]))
        return came["result"].get("value")

    def goto(self, url: str) -> None:
        """Go to an address. It does not wait for the page."""
        self.send("Page.navigate", url=url)

    def wait_for(self, expression: str, timeout_s: float = 10.0) -> Any:
        """Return a JavaScript expression's value once it is true, or True for an element. Raise TimeoutError."""
        asked = f"Promise.resolve(({expression}\n)).then((value) => value instanceof Node || value)"
        give_up_at = time.monotonic() + timeout_s
        while True:
            why = ""
            try:
                value = self.evaluate(asked)
            except BrowserError as error:
                # One page may be replacing another.
                value, why = None, f": {error}"
            if value:
                return value
            if time.monotonic() >= give_up_at:
                raise TimeoutError(f"not true within {timeout_s:g} s: {expression}{why}")
            time.sleep(0.1)

    def _read_message(self) -> bytes:
        message = b""
        while True:
            first, second = _read_exactly(self._socket, 2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", _read_exactly(self._socket, 2))
            elif length == 127:
                (length,) = struct.unpack(">Q", _read_exactly(self._socket, 8))
            payload = _read_exactly(self._socket, length)
            opcode = first & 0x0F
            if opcode == 0x8:
                raise BrowserError("the browser has closed the connection")
            if opcode == 0x9:
                _write_frame(self._socket, 0xA, payload)
            if opcode in (0x0, 0x1, 0x2):
                message += payload
                if first & 0x80:
                    return message


def _open_web_socket(address: str, timeout_s: float) -> socket.socket:
    parts = urlsplit(address)
    host, port = parts.hostname or "127.0.0.1", parts.port or 80
    connection = socket.create_connection((host, port), timeout=timeout_s)
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET {parts.path or '/'} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += _read_exactly(connection, 1)
    if b" 101 " not in head.split(b"\r\n", 1)[0]:
        raise BrowserError(f"no web socket at {address}: {head.splitlines()[0].decode(errors='replace')}")
    return connection


def _write_frame(connection: socket.socket, opcode: int, payload: bytes) -> None:
    length = len(payload)
    if length < 126:
        head = struct.pack(">BB", 0x80 | opcode, 0x80 | length)
    elif length < 65536:
        head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, length)
    else:
        head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, length)
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    connection.sendall(head + mask + masked)


def _read_exactly(connection: socket.socket, count: int) -> bytes:
    read = b""
    while len(read) < count:
        part = connection.recv(count - len(read))
        if part == b"":
            raise BrowserError("the connection to the browser has ended")
        read += part
    return read
